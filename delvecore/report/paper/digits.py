"""How many decimals does each number of a paper's table have?"""

from dataclasses import replace

from delvecore.report.paper.table import PaperTable
from delvecore.report.rounding import column_decimals, decimals_for

__all__ = ["RANK_DECIMALS", "table_decimals"]

RANK_DECIMALS = 2
MOST_WITHOUT_ERROR = 4


def table_decimals(table: PaperTable, digits: str) -> PaperTable:
    """Return the table with its decimals.

    digits: `cell` shows two significant digits of each number's own error; `row` and `column` give a row or
    column, as it is laid out, the decimals of its smallest error; a number gives all numbers so many
    decimals. A number without error takes those of the other numbers around it; ranks have two.
    """
    plain = _plain_decimals(table)
    decimals = []
    for i, row in enumerate(table.cells):
        found = []
        for j, cell in enumerate(row):
            if "rank" in (table.rows[i].kind, table.columns[j].kind):
                found.append(RANK_DECIMALS)
            elif digits.isdigit():
                found.append(int(digits))
            elif digits == "cell":
                found.append(decimals_for(cell.error, otherwise=_around(table, i, plain)))
            else:
                errors = row if digits == "row" else [line[j] for line in table.cells]
                found.append(column_decimals([one.error for one in errors], otherwise=plain))
        decimals.append(tuple(found))
    return replace(table, decimals=tuple(decimals))


def _around(table, i, plain):
    """Return the decimals of a number without error: those of its row."""
    return column_decimals([cell.error for cell in table.cells[i]], otherwise=plain)


def _plain_decimals(table):
    """Return the decimals where there is no error at all: as many as the numbers have, at most four."""
    kinds = [head.kind for head in table.columns]
    values = [
        cell.value
        for head, row in zip(table.rows, table.cells, strict=True)
        for kind, cell in zip(kinds, row, strict=True)
        if cell.value is not None and "rank" not in (head.kind, kind)
    ]
    if any(cell.error for row in table.cells for cell in row):
        return 3
    needed = [len(f"{value:.{MOST_WITHOUT_ERROR}f}".rstrip("0").partition(".")[2]) for value in values]
    return max(needed, default=0)
