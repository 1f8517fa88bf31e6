"""The commands that `delve` holds, one module each, with `command` and `main` as in `delvecore.cli`."""
