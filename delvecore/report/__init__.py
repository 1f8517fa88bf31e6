"""Output of the commands: texts of results."""
