"""The Add data page."""
