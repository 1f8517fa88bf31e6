"""The page Add data."""
