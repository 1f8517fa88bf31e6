"""One small module a command: parse the arguments, call the core, print."""
