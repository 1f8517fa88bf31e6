"""The Datasets page."""
