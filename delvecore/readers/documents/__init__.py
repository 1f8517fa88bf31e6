"""What documentation says in a fixed form, beside its text."""
