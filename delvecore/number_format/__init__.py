"""Numbers as text and text as numbers: cells, columns, arrays."""
