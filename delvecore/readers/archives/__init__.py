"""Directories that stand packed in a `.tar.gz` file, read in place."""
