"""Figures of the page Methods."""
