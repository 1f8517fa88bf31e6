"""What a table says, in one sentence."""

from collections.abc import Sequence

from dashboard.frame import words
from delvecore.report.grid import BEST, EQUAL
from delvecore.report.paper.table import PaperTable

__all__ = ["table_sentence"]


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


def _names(names: Sequence[str]) -> str:
    return words.and_list([words.escape(name) for name in names])


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
