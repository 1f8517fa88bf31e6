"""Which analysis, at which level, and what it is called: the only place that decides."""

__all__ = ["DEFAULT_LEVEL"]

DEFAULT_LEVEL = 0.95
"""The confidence of intervals and verdicts where none is chosen."""
