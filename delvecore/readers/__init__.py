"""DELVE's text files in, model objects out. Parsers take text; only `files` touches the disk."""
