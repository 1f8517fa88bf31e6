"""The Methods page."""
