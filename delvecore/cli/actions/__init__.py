"""Long actions of commands, apart from their parsers: help must not load NumPy."""
