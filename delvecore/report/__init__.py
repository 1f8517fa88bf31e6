"""Results in, text out: what the commands print."""
