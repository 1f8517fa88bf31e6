"""Results in, text out: the output of the commands."""
