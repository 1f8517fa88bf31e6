"""One table under nine column names and the five losses: every surface shows the file's numbers, signs and winner."""
