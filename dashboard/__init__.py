"""The dashboard: pages over `delvecore`. No module here reads DELVE files or computes statistics."""
