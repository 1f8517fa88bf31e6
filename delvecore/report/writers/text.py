"""Plain text in lines and columns."""

import re
import textwrap
from collections.abc import Sequence

from delvecore.names import one_line

WIDTH = 80
GAP = "  "


def counted(count: int, noun: str) -> str:
    """Return `1 task` or `2 tasks`."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def and_list(items: Sequence[str]) -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def plain(text: object, *, longest: int = 400) -> str:
    """Return a text from a file as one short line without control characters."""
    line = " ".join(one_line(str(text)).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def first_sentence(text: str | None) -> str | None:
    """Return the first sentence of a text's first paragraph on one line, None for no text."""
    paragraph = re.split(r"\n\s*\n", (text or "").strip())[0]
    return re.split(r"(?<=[.!?]) ", " ".join(paragraph.split()))[0] or None


def fold(text: str, indent: str, *, width: int = WIDTH - 1) -> list[str]:
    """Return text as lines of at most width characters, each behind indent; longer words stay whole."""
    return textwrap.wrap(
        " ".join(text.split()),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [indent]


def aligned(rows: Sequence[Sequence[str]], *, indent: str = "", left: int = 1) -> list[str]:
    """Return rows as lines of columns, the first ones (left of them) to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        shown = (text.ljust(width) if place < left else text.rjust(width) for place, (text, width) in cells)
        lines.append((indent + GAP.join(shown)).rstrip())
    return lines


def columns_text(names: Sequence[str]) -> str:
    """Return file names, in the order given, as columns that are read from top to bottom; '' for none. So
    `dls` and `mls` list them. All columns have one width, which shares 80 characters evenly. The layout is
    that of DELVE 1.1, which counts one row more than it needs when the last row is full, pads the cells of
    every line, the empty ones too, and trims blanks only at the end of the text."""
    if not names:
        return ""
    columns = max(1, WIDTH // (max(map(len, names)) + 1))
    width = WIDTH // columns
    rows = len(names) // columns + 1
    cells = [*names, *[""] * (rows * columns - len(names))]
    lines = ("".join(cell.ljust(width) for cell in cells[row::rows]) for row in range(rows))
    return "\n".join(lines).rstrip()
