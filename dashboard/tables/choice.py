"""Which table does the visitor want? From what was chosen to a PaperRequest that can be answered.

Pure: what cannot be had gives a notice, Markdown with escaped names, and the nearest that can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.frame import words
from dashboard.frame.selection import Selection
from dashboard.frame.wanted import note_missing_methods, wanted_loss
from dashboard.tables.data import EVERYTHING, Results
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.table import BEST, EQUAL, PaperTable

__all__ = [
    "ADJUSTED",
    "COLUMNS",
    "DIGITS",
    "LAYOUTS",
    "MARKED",
    "RAW",
    "STANDARDIZED",
    "Layout",
    "choose_loss",
    "choose_methods",
    "choose_reference",
    "request_of",
    "table_sentence",
]

COLUMNS = "columns"
LAYOUTS = (COLUMNS, "rows")
STANDARDIZED, RAW = "standardized", "raw"
MARKED = {
    "best and ties": ("best", "equal", "reference"),
    "best": ("best", "reference"),
    "nothing": (),
}
"""What is marked, in words, and for the command."""
DIGITS = {
    "of each number": "cell",
    "of its row": "row",
    "of its column": "column",
    "2": "2",
    "3": "3",
    "4": "4",
}
ADJUSTED = {"Holm": "holm", "Bonferroni": "bonferroni", "not at all": "none"}


@dataclass(frozen=True)
class Layout:
    """How the table looks, as the controls name it."""

    by: tuple[str, ...] = ()
    methods_in: str = COLUMNS
    unit: str = STANDARDIZED
    marked: str = "best and ties"
    adjusted: str = "Holm"
    digits: str = "of each number"
    ranks: bool = True


def choose_loss(found: Results, selection: Selection, notices: list[str]) -> str:
    """Return the loss chosen, or that of most of the methods' results."""
    usual = next(iter(found.methods))
    return wanted_loss(found.methods, usual, selection, notices, where="on these tasks")


def choose_methods(available: Sequence[str], selection: Selection, notices: list[str]) -> tuple[str, ...]:
    """Return the methods of the table in the order in which they were chosen; without any, all."""
    note_missing_methods(available, selection, notices)
    return tuple(name for name in selection.methods if name in available) or tuple(available)


def choose_reference(methods: Sequence[str], selection: Selection, notices: list[str]) -> str | None:
    """Return the method that others are marked against, if there is one."""
    if selection.reference is None or selection.reference in methods:
        return selection.reference
    notices.append(f"The reference {words.escape(selection.reference)} is not in the table.")
    return None


def request_of(
    paths: Sequence[str],
    loss: str,
    methods: Sequence[str],
    reference: str | None,
    level: float,
    layout: Layout,
) -> PaperRequest:
    """Return the request that `delve table` would make of the same options."""
    return PaperRequest(
        paths=tuple(paths) or (EVERYTHING,),
        loss=loss,
        methods=tuple(methods),
        reference=reference,
        by=layout.by,
        transpose=layout.methods_in != COLUMNS,
        raw=layout.unit == RAW and not layout.by,
        level=level,
        adjust=ADJUSTED[layout.adjusted],
        marks=MARKED[layout.marked],
        ranks=layout.ranks,
        digits=DIGITS[layout.digits],
    )


def table_sentence(table: PaperTable) -> str:
    """Say in one sentence what the table says: who is first by average rank, or how large it is."""
    upright = table.transposed if table.rows[0].kind == "method" else table
    rows = [head for head in upright.rows if head.kind != "rank"]
    tasks = len({path for head in rows for path in head.tasks})
    methods = [head.labels[0] for head in upright.columns]
    size = f"{words.count(len(methods), 'method')} on {words.count(tasks, 'task')}"
    ranked = [cells for head, cells in zip(upright.rows, upright.cells, strict=True) if head.kind == "rank"]
    if not ranked:
        return f"**{size}**: {words.escape(_lower_first(table.quantity))}."
    names = dict(zip(methods, ranked[0], strict=True))
    first = [name for name, cell in names.items() if cell.standing == BEST]
    alike = [name for name, cell in names.items() if cell.standing == EQUAL]
    verb = "has" if len(first) == 1 else "share"
    said = f"**{_names(first)} {verb} the best average rank** ({names[first[0]].value:.2f}) of {size}"
    if table.ranked_tasks < tasks:
        said += f", judged on the {table.ranked_tasks} where all have results"
    if len(first) + len(alike) == len(methods):
        return f"{said}; no other is significantly worse."
    if alike:
        return f"{said}; {_names(alike)} {'is' if len(alike) == 1 else 'are'} not significantly worse."
    return f"{said}; all others are significantly worse."


def _names(names):
    return words.and_list([words.escape(name) for name in names])


def _lower_first(text):
    return text[:1].lower() + text[1:]
