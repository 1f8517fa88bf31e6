"""The dashboard: pages over `delvecore`. Nothing here reads a DELVE file or computes a statistic."""
