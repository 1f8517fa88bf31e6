"""The Task-arrays page."""
