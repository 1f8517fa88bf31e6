"""What the commands share: contexts, options, manual pages, progress."""
