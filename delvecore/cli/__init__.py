"""Commands, one small module each: parse the arguments, call the core, print.

In each module, `command` returns the parser, which also prints the manual page. `main` runs the command and
returns the exit code."""
