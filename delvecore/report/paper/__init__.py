"""The table of a paper: methods by tasks, errors, marks, ranks, footnotes."""
