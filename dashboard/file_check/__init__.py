"""The page File check."""
