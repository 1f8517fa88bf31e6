"""What commands do after their options are parsed. Parsers are elsewhere: help must not load NumPy."""
