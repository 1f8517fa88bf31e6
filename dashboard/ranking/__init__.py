"""The Ranking page."""
