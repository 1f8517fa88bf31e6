"""Static site of an archive or of scores: `pages` makes pages from answers, and `files` writes them."""
