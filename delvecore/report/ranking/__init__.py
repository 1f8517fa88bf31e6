"""What a ranking says, as records and as text."""
