"""Writers of DELVE's files from values, completely or not at all."""
