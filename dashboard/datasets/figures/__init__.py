"""Figures of the page Datasets."""
