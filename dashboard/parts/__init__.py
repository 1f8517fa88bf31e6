"""Parts of pages that are too long for one file."""
