"""The commands that `delve` holds, one module each."""
