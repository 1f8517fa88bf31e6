"""Renderers: numbers, text, tables and documents in each format. They do not depend on the question."""
