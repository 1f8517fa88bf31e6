"""Figures of the page Ranking."""
