"""Figures of the Task-arrays page."""
