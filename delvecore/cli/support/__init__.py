"""Parts that commands share: contexts, options, manual pages, progress."""
