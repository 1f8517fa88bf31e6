"""Tables as Markdown, in the dialect with bars: nothing that comes from files can become markup."""

import re
from collections.abc import Collection, Sequence

__all__ = ["markdown_escape", "markdown_table"]

_PUNCTUATION = re.compile(r"([\\`*_\[\]<>|~&$#!])")


def markdown_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    notes: Sequence[str] = (),
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """Return a table with its caption above and its notes, a list, below; numbers' columns are right-aligned.

    rows: texts as they are to be seen, names first. bold: (row, column) of the cells to be set bold. Raises
    ValueError for a row whose length is not that of the header.
    """
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"expected {len(header)} cells, one a column, found {len(row)}")
    lines = [f"**{markdown_escape(caption)}**", "", _line([markdown_escape(title) for title in header])]
    lines.append(_line(["---", *["---:"] * (len(header) - 1)]))
    for i, row in enumerate(rows):
        cells = (markdown_escape(text) for text in row)
        lines.append(
            _line([f"**{cell}**" if (i, j) in bold and cell else cell for j, cell in enumerate(cells)])
        )
    listed = [f"- {markdown_escape(note)}" for note in notes]
    return "\n".join([*lines, *([""] if listed else []), *listed]) + "\n"


def markdown_escape(text: object) -> str:
    """Return a text on one line so that Markdown shows exactly its characters."""
    line = "".join(c if c.isprintable() else " " for c in str(text))
    return _PUNCTUATION.sub(r"\\\1", " ".join(line.split()))


def _line(cells):
    return f"| {' | '.join(cells)} |"
