"""The page Tables."""
