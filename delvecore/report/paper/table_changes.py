"""Differences between the cells of a table in a paper and of the same table computed again."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Literal

from delvecore.render.grid import Cell, Row
from delvecore.report.paper.read_tables import ReadTable, arrange, cell_text

Kind = Literal["cell", "mark", "rounded", "row", "column", "order", "table", "picture"]
_VERDICT = re.compile(r"\b(?:better|worse|significant|significantly|differ|different|equivalent|tested)\b")
_P = re.compile(r"p(?:\b|_)", re.IGNORECASE)
_PARTS = re.compile(r"([<>≤≥]?)(-?[\d.]+)(?:±([\d.]+))?")


@dataclass(frozen=True, slots=True)
class TableChange:
    """One difference.

    Attributes
    ----------
    line : int
        Line of the paper, from 1.
    kind : Kind
        Kind of difference; `rounded` is a number with fewer digits that agrees with the computed one.
    row, column : str
        Names of the row and column; empty if the change is not in one.
    paper, computed : str
        The text in the paper and the computed one; empty if there is none.
    is_verdict : bool
        Whether the significance of a difference, or the best method, changes.
    """

    line: int
    kind: Kind
    row: str = ""
    column: str = ""
    paper: str = ""
    computed: str = ""
    is_verdict: bool = False


def table_changes(paper: ReadTable, computed: ReadTable, *, alpha: float = 0.05) -> list[TableChange]:
    """Return the differences between a table of a paper and the computed one.

    Rows and columns are matched by their names, and by their order if a name differs. A p below `alpha` is
    significant.
    """
    heads = computed.heads or 1
    read, made = arrange(paper, heads), arrange(computed, heads)
    labels = _label_columns(made)
    columns = _matched(list(read.titles), list(made.titles))
    changes = list(_column_changes(read, made, columns, labels))
    pairs, rows = _rows(read, made, labels)
    changes += rows
    for old, new in pairs:
        name = _name(_key(new, labels))
        for place, number in columns:
            if number is None or number < labels or place is None or place >= len(old.cells):
                continue
            title = made.titles[number] or f"column {number + 1}"
            change = _cell_change(old.cells[place], new.cells[number], title, alpha)
            if change is not None:
                changes.append(replace(change, line=old.line, row=name))
    return changes


def _label_columns(table: ReadTable) -> int:
    """Return the fewest first columns that name each row."""
    for count in range(1, len(table.titles)):
        if len({_key(row, count) for row in _filled(table, count)}) == len(table.rows):
            return count
    return min(1, len(table.titles))


Key = tuple[str, ...]


def _key(row: Row, labels: int) -> Key:
    return (row.above, *(cell.value for cell in row.cells[:labels]))


def _name(key: Key) -> str:
    return " ".join(filter(None, key)) or "a row without a name"


def _filled(table: ReadTable, labels: int) -> list[Row]:
    """Return the rows; an empty outer label takes the label of the row above."""
    rows: list[Row] = []
    before: Sequence[Cell] = ()
    for row in table.rows:
        outer = list(row.cells)
        for place in range(min(labels - 1, len(before), len(outer))):
            if outer[place].value or any(cell.value for cell in row.cells[:place]):
                break
            outer[place] = before[place]
        rows.append(replace(row, cells=tuple(outer)))
        before = outer
    return rows


def _matched(old: list[str], new: list[str]) -> list[tuple[int | None, int | None]]:
    """Return (place in the paper, place in the computed table), None if it is missing there.

    Equal names are matched first, in order if they repeat, then the other names in order."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(old):
        places.setdefault(name, []).append(place)
    pairs: list[tuple[int | None, int | None]] = []
    unmatched = []
    for number, name in enumerate(new):
        if places.get(name):
            pairs.append((places[name].pop(0), number))
        else:
            unmatched.append(number)
    left = sorted(place for one in places.values() for place in one)
    if len(left) == len(unmatched):
        return [*pairs, *zip(left, unmatched, strict=True)]
    return [*pairs, *((place, None) for place in left), *((None, number) for number in unmatched)]


def _column_changes(
    read: ReadTable,
    made: ReadTable,
    columns: Sequence[tuple[int | None, int | None]],
    labels: int,
) -> Iterator[TableChange]:
    line = read.head_line
    for place, number in columns:
        if number is None and place is not None:
            yield TableChange(line, "column", column=read.titles[place], paper=read.titles[place])
        elif place is None and number is not None:
            yield TableChange(line, "column", column=made.titles[number], computed=made.titles[number])
        elif place is not None and number is not None and read.titles[place] != made.titles[number]:
            yield TableChange(line, "column", "", "heading", read.titles[place], made.titles[number])
    both = [(place, number) for place, number in columns if place is not None and number is not None]
    order = [place for place, number in sorted(both, key=lambda pair: pair[1] or 0)]
    if order != sorted(order):
        was, now = (", ".join(table.titles[labels:]) for table in (read, made))
        yield TableChange(line, "order", "", "columns", was, now)


def _rows(read: ReadTable, made: ReadTable, labels: int) -> tuple[list[tuple[Row, Row]], list[TableChange]]:
    """Return the pairs of rows, and the differences between their names."""
    old, new = _filled(read, labels), _filled(made, labels)
    old_names = ["\0".join(_key(row, labels)) for row in old]
    new_names = ["\0".join(_key(row, labels)) for row in new]
    pairs, changes = [], []
    for place, number in _matched(old_names, new_names):
        if number is None and place is not None:
            name = _name(_key(old[place], labels))
            changes.append(TableChange(old[place].line, "row", row=name, paper=name))
        elif place is None and number is not None:
            name = _name(_key(new[number], labels))
            changes.append(TableChange(read.line, "row", row=name, computed=name))
        elif place is not None and number is not None:
            pairs.append((place, number))
            if old_names[place] != new_names[number]:
                names = _name(_key(old[place], labels)), _name(_key(new[number], labels))
                changes.append(TableChange(old[place].line, "row", "label", "", *names))
    order = [place for place, _ in sorted(pairs, key=lambda pair: pair[1])]
    if order != sorted(order):
        changes.append(TableChange(read.line, "order", "rows"))
    return [(old[place], new[number]) for place, number in sorted(pairs)], changes


def _cell_change(old: Cell, new: Cell, title: str, alpha: float) -> TableChange | None:
    """Return the difference between two cells, without line and row; None if they are equal."""
    if old == new:
        return None
    marks = (old.bold, old.marks) != (new.bold, new.marks)
    change = TableChange(0, "cell", "", title, cell_text(old), cell_text(new))
    if old.value == new.value:
        return replace(change, kind="mark", is_verdict=True)
    is_p = any(_P.match(word) for word in title.split())
    crosses = is_p and _is_small(old.value, alpha) != _is_small(new.value, alpha)
    if not marks and is_rounded(old.value, new.value):
        return replace(change, is_verdict=True) if crosses else replace(change, kind="rounded")
    worded = any(_VERDICT.search(cell.value.lower()) for cell in (old, new))
    return replace(change, is_verdict=marks or worded or crosses)


def _is_small(text: str, alpha: float) -> bool | None:
    """Is a p-value significant? None for a text that is not a number."""
    match = _PARTS.fullmatch(text)
    value = _decimal(match[2]) if match else None
    if match is None or value is None:
        return None
    return float(value) <= alpha if match[1] == "<" else float(value) < alpha


def is_rounded(old: str, new: str) -> bool:
    """Is a text the other one with fewer digits?

    Examples
    --------
    >>> is_rounded("0.42", "0.421"), is_rounded("0.43", "0.421"), is_rounded("0.42±0.01", "0.421±0.012")
    (True, False, True)
    """
    parts = _PARTS.fullmatch(old), _PARTS.fullmatch(new)
    if parts[0] is None or parts[1] is None or parts[0][1] != parts[1][1]:
        return False
    pairs = list(zip(parts[0].groups()[1:], parts[1].groups()[1:], strict=True))
    return all((a is None) == (b is None) for a, b in pairs) and all(
        a == b or _agrees(a, b) for a, b in pairs if a is not None and b is not None
    )


def _agrees(old: str, new: str) -> bool:
    """Can `new` be rounded to `old`, which has fewer decimals?"""
    short, long = _decimal(old), _decimal(new)
    if short is None or long is None:
        return False
    digits, more = _decimals(old), _decimals(new)
    # Half a unit of the last digit; halves may be rounded up or down.
    half = Decimal(5).scaleb(-digits - 1)
    return digits < more and abs(short - long) <= half


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])
