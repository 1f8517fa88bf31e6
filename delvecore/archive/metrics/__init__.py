"""Metrics in an archive: computed from its results, added to these, offered where a loss is chosen."""
