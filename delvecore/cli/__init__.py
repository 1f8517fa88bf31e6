"""One small module a command: parse the arguments, call the core, print.

In each `command` returns what it takes and tells of itself, and `main` runs it and returns the exit code."""
