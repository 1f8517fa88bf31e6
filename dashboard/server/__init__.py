"""Serving, opening the archive, loads that are cached for all visitors, what visitors upload."""
