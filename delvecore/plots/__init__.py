"""Plotly figures of finished records, and the words and looks that they share with the pages."""
