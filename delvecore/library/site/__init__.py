"""Static site of an archive or of scores: `pages` makes answers into pages, `files` writes them."""
