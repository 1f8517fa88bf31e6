"""The page Task-arrays."""
