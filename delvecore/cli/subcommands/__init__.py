"""Subcommands of `delve`, one module each, with `command` and `main` as in `delvecore.cli`."""
