"""Figures of the page Compare."""
