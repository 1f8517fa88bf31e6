"""Renderers: numbers, text, tables and documents in each format. They know no question."""
