"""File names in columns, as `dls` and `mls` list them."""

__all__ = ["WIDTH", "columns_text"]

WIDTH = 80


def columns_text(names):
    """Return names, in the order given, as a text of columns that are read from top to bottom; '' for none.

    All columns have one width, which shares 80 characters evenly. The layout is that of DELVE 1.1, which
    counts one row more than it needs when the last row is full, pads the cells of every line, the empty ones
    too, and trims blanks only at the end of the text.
    """
    if not names:
        return ""
    columns = max(1, WIDTH // (max(map(len, names)) + 1))
    width = WIDTH // columns
    rows = len(names) // columns + 1
    cells = [*names, *[""] * (rows * columns - len(names))]
    lines = ("".join(cell.ljust(width) for cell in cells[row::rows]) for row in range(rows))
    return "\n".join(lines).rstrip()
