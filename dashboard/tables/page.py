"""Tables: the table for the paper. What it says, how it will look, its file in every format, and the command
that makes it again."""

from collections.abc import Sequence

import streamlit as st

from dashboard.tables import data
from dashboard.tables.controls import show_controls
from dashboard.tables.preview import ask_part, show_files, show_table
from dashboard.ui import page
from dashboard.ui.page import Prepared, View
from delvecore.report import words
from delvecore.report.grid import BEST, EQUAL
from delvecore.report.paper.table import PaperTable


def table_sentence(table: PaperTable) -> str:
    """Say in one sentence what the table says: who is first by average rank, or how large it is."""
    upright = table.transposed if table.rows[0].kind == "method" else table
    rows = [head for head in upright.rows if head.kind != "rank"]
    tasks = len({path for head in rows for path in head.tasks})
    methods = [head.labels[0] for head in upright.columns]
    size = f"{words.count(table.methods, 'method')} on {words.count(tasks, 'task')}"
    ranked = [cells for head, cells in zip(upright.rows, upright.cells, strict=True) if head.kind == "rank"]
    if not ranked:
        return f"**{size}**: {words.escape(table.quantity[:1].lower() + table.quantity[1:])}."
    names = dict(zip(methods, ranked[0], strict=True))
    first = [name for name, cell in names.items() if cell.standing == BEST]
    alike = [name for name, cell in names.items() if cell.standing == EQUAL]
    is_part = len(methods) < table.methods
    verb = "has" if len(first) == 1 else "share"
    said = f"**{_names(first)} {verb} the best average rank** ({names[first[0]].value:.2f}) of {size}"
    if table.ranked_tasks < tasks:
        said += f", judged on the {table.ranked_tasks} where all have results"
    if len(first) + len(alike) == len(methods):
        return f"{said}; no other{' of those shown' * is_part} is significantly worse."
    if alike:
        return f"{said}; {_names(alike)} {'is' if len(alike) == 1 else 'are'} not significantly worse."
    return f"{said}; all others{' shown' * is_part} are significantly worse."


def _names(names: Sequence[str]) -> str:
    return words.and_list([words.escape(name) for name in names])


def show_choices(view: View) -> None:
    """Ask for a table, and show it."""
    head = st.container()
    notices: list[str] = []
    left, right = st.columns([1, 2.6], gap="medium")
    with left:
        request = show_controls(view, notices)
    found = data.table_of(request)
    with head:
        answer = "**There is no such table.**" if isinstance(found, str) else table_sentence(found)
        page.answer(answer, view)
        page.show_notices(notices)
    with right:
        if isinstance(found, str):
            page.empty_state("Nothing fits these choices.", words.escape(found[:1].upper() + found[1:]) + ".")
        else:
            part = ask_part(found)
            show_table(part.of(found))
            show_files(request, found, part)


def show_page(prepared: Prepared) -> None:
    view = page.begin(prepared, "What does the table for the paper say?", tests=True)
    if data.places(view.archive):
        show_choices(view)
    else:
        page.no_results(view, "No results to make a table of yet.", "A table needs methods with results.")
