"""One small module a command: parse the arguments, call the core, print.

`command` returns its parser, which makes its manual page, too. `main` runs it and returns the exit code."""
