"""Plain text in lines and columns, and finished tables for terminals and e-mail."""

import re
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from delvecore.names import one_line
from delvecore.render.grid import BEST, BETTER_THAN, EQUAL, NOTHING, UNTESTED, WORSE_THAN, Cell, Grid
from delvecore.render.numbers import integer
from delvecore.render.spans import plain

WIDTH = 80
GAP = "  "


NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(count: int) -> str:
    """Return `four`, or `1,200` above ten."""
    return NUMBERS[count] if count < len(NUMBERS) else integer(count)


def and_list(items: Sequence[str]) -> str:
    """Return `a`, `a and b`, or `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def first_sentence(text: str | None) -> str | None:
    """Return the first sentence of a text's first paragraph on one line, None for no text."""
    paragraph = re.split(r"\n\s*\n", (text or "").strip())[0]
    return re.split(r"(?<=[.!?]) ", " ".join(paragraph.split()))[0] or None


def fold(text: str, indent: str, *, width: int = WIDTH - 1) -> list[str]:
    """Return text as lines of at most width characters, each after indent; longer words stay whole."""
    return textwrap.wrap(
        " ".join(plain(text).split()),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [indent]


def aligned(rows: Sequence[Sequence[str]], *, indent: str = "", left: int = 1) -> list[str]:
    """Return rows as lines of aligned columns. left: number of first columns that are left-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        shown = (text.ljust(width) if place < left else text.rjust(width) for place, (text, width) in cells)
        lines.append((indent + GAP.join(shown)).rstrip())
    return lines


def columns_text(names: Sequence[str]) -> str:
    """Return file names in columns of equal width, to be read downwards, as `dls` of DELVE 1.1 prints them.

    Like DELVE 1.1, it adds a row if the last row is full, pads all cells, and trims blanks only at the end.
    """
    if not names:
        return ""
    columns = max(1, WIDTH // (max(map(len, names)) + 1))
    width = WIDTH // columns
    rows = len(names) // columns + 1
    cells = [*names, *[""] * (rows * columns - len(names))]
    lines = ("".join(cell.ljust(width) for cell in cells[row::rows]) for row in range(rows))
    return "\n".join(lines).rstrip()


SIGNS = {BEST: "*", EQUAL: "~", UNTESTED: "?", BETTER_THAN: "+", WORSE_THAN: "-"}
MARKS = re.compile(r"(?: [<>?*])*$")
"""Marks after a text."""


def text_grid(grid: Grid) -> str:
    """Return the table for terminals and e-mail, with numbers aligned at their decimal points."""
    columns, starts, rules = [*_stubs(grid), *_columns(grid)], grid.starts, grid.rules
    depth = len(grid.headings)
    lines = [*fold(grid.caption, ""), ""]
    for place, texts in enumerate(zip(*columns, strict=True)):
        number = place - depth
        if number >= 0 and (rules[number] or starts[number]):
            lines.append("")
        lines.append("  ".join(texts).rstrip())
    lines += [""] if grid.marks or grid.notes else []
    for name, meaning in grid.marks:
        first, *rest = fold(meaning, " " * 5)
        lines += [f"  {SIGNS[name]}  {first.lstrip()}", *rest]
    for note in grid.notes:
        lines += fold(note, "  ")
    if grid.provenance:
        command, *others = grid.provenance
        # A command with line breaks could not be copied and run.
        lines += ["", command, *(one for line in others for one in fold(line, ""))]
    return "\n".join([*map(one_line, lines), ""])


def _stubs(grid: Grid) -> list[list[str]]:
    """Return the labels of the rows with the texts above them, numbers right-aligned."""
    beside = [grid.stubs_beside(line) for line in range(len(grid.headings))]
    labels = grid.labels
    columns = []
    for j in range(len(grid.stubs)):
        texts = [row[j] for row in labels]
        is_numeric = all(text.replace(".", "").isdigit() or not text for text in texts)
        columns.append(_padded([*(line[j] for line in beside), *texts], "r" if is_numeric else "l"))
    return columns


def _columns(grid: Grid) -> list[list[str]]:
    """Return the headings and cells of the columns."""
    *outer, last = grid.headings
    # A repeated label is omitted.
    headings = [[labels[0], *(b * (a != b) for a, b in pairwise(labels))] for labels in outer]
    headings.append([*last])
    columns = []
    for j, column in enumerate(grid.columns):
        titles, cells = [line[j] for line in headings], [row.cells[j] for row in grid.rows]
        if column.kind == "text":
            texts = [f"{cell.value} *" if cell.bold else cell.value for cell in cells]
            bodies = [MARKS.sub("", text) for text in (*titles, *texts)]
            whole = zip((*titles, *texts), bodies, strict=True)
            # Marks follow all texts, so that numbers align.
            marks = _padded([text[len(body) :] for text, body in whole], "l")
            columns.append([*map("".join, zip(_padded(bodies, column.align), marks, strict=True))])
        else:
            columns.append(_padded([*titles, *_estimates(cells)], "l"))
    return columns


def _padded(texts: Sequence[str], align: Literal["l", "r"]) -> list[str]:
    width = max(map(len, texts), default=0)
    return [text.rjust(width) if align == "r" else text.ljust(width) for text in texts]


def _estimates(cells: Sequence[Cell]) -> list[str]:
    """Align decimal points, plus-minus signs and marks of a column."""
    wholes = [cell.value.partition(".")[0] for cell in cells]
    left = max(map(len, wholes), default=0)
    values = [whole.rjust(left) + cell.value[len(whole) :] for whole, cell in zip(wholes, cells, strict=True)]
    texts = []
    for value, cell in zip(_padded(values, "l"), cells, strict=True):
        error = f" ± {cell.error}" if cell.error else ""
        texts.append(value + error if cell.value else NOTHING.rjust(left))
    signs = ["*" * cell.bold + "".join(SIGNS[name] for name in cell.marks) for cell in cells]
    return [f"{text} {sign}".rstrip() for text, sign in zip(_padded(texts, "l"), signs, strict=True)]
