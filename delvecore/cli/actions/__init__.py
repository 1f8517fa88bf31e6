"""Work of the commands, separate from their parsers because help must not load NumPy."""
