"""The page Archive."""
