"""Serving, opening the archive, data cached for all visitors, and visitors' uploads."""
