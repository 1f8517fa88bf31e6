"""Values in, DELVE's files out: complete or not at all."""
