"""What was published elsewhere beside the methods of a table: with a sign, never tested or ranked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue, origins_of
from delvecore.report.paper.table import ELSEWHERE, Head, PaperCell, PaperTable

__all__ = ["Beside", "Find", "published_beside", "with_published"]

MEANING = f"{PUBLISHED_SIGN}: published elsewhere; ± is the standard error over the runs; not tested."
Task = tuple[str, str, str]
Find = Callable[[Task, str], Sequence[PublishedValue]]
"""Gives what was published on a task, in the unit of a loss."""
Cells = Mapping[str, Mapping[str, PaperCell]]


class Beside(NamedTuple):
    """cells: by method and path of the task; notes: where they come from."""

    cells: Cells
    notes: tuple[str, ...]


def published_beside(
    tasks: Mapping[str, Sequence[PublishedValue]], cell: Callable[[str, PublishedValue], PaperCell]
) -> Beside:
    """Return what stands beside a table. tasks: what was published, by path; cell: in the table's unit. Of
    two figures of a method on a task the first."""
    cells: dict[str, dict[str, PaperCell]] = {}
    for path, values in tasks.items():
        for value in values:
            row = cells.setdefault(value.method, {})
            found = replace(cell(path, value), standing=ELSEWHERE, note=value.origin)
            row.setdefault(path, found)
    ordered = {name: cells[name] for name in sorted(cells)}
    origins = origins_of([value for values in tasks.values() for value in values])
    return Beside(ordered, (MEANING, *(f"{PUBLISHED_SIGN} {said}." for said in origins)))


def with_published(table: PaperTable, beside: Beside) -> PaperTable:
    """Return an upright table with a column for each published method."""
    heads = tuple(Head("published", (name,)) for name in beside.cells)
    nothing = PaperCell(None)
    cells = [
        (
            *row,
            *(
                found.get(head.tasks[0], nothing) if head.tasks else nothing
                for found in beside.cells.values()
            ),
        )
        for head, row in zip(table.rows, table.cells, strict=True)
    ]
    return replace(
        table, columns=(*table.columns, *heads), cells=tuple(cells), notes=(*table.notes, *beside.notes)
    )
