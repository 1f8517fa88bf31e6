"""The File check page."""
