"""Figures of the page Archive."""
