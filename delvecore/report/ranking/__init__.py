"""Results of a ranking as records and as text."""
