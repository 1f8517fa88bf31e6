"""Figures of the page Task-arrays."""
