"""The page Problems."""
