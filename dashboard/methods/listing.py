"""The list of all methods in the archive, with their description, types of predictions, and rank."""

import pandas as pd
import streamlit as st

from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.archive_facts import leaderboard_of, titles_of
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.archive import Archive
from delvecore.archive.leaderboards import task_facts
from delvecore.render.text import and_list
from delvecore.report import words

PREDICTS = {"regression": "numbers", "classification": "classes"}
UNKNOWN = "no results"
COLUMNS = {
    "method": st.column_config.TextColumn("Code", pinned=True, width=100, help=help_for("method")),
    "title": st.column_config.TextColumn("Method", width=300),
    "predicts": st.column_config.TextColumn(
        "Predicts", help="The types of tasks on which the method has results"
    ),
    "tasks": st.column_config.NumberColumn("Tasks", help="With results"),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f", help=help_for("mean rank")),
}


@cached
def methods_table(archive: Archive, loss: str | None) -> pd.DataFrame:
    """Return one row per method, best mean rank first. loss: for the ranks, None without results."""
    board = leaderboard_of(archive, loss) if loss else ""
    ranks = (
        {}
        if isinstance(board, str)
        else dict(zip(board.whole.methods, board.whole.average.tolist(), strict=True))
    )
    facts, done = task_facts(archive), archive.index.tasks_done
    rows = []
    for name, title in titles_of(archive).items():
        types = {facts[path].task_type for path in done.get(name, ()) if path in facts}
        predicts = [what for task_type, what in PREDICTS.items() if task_type in types]
        task_types = and_list(predicts) if done.get(name) else UNKNOWN
        rows.append((name, title, task_types, len(done.get(name, ())), ranks.get(name)))
    table = pd.DataFrame(rows, columns=["method", "title", "predicts", "tasks", "mean_rank"])
    return table.astype({"mean_rank": float}).sort_values(["mean_rank", "method"], ignore_index=True)


def list_heading(table: pd.DataFrame) -> str:
    """Return a heading such as `12 methods: 8 predict numbers and classes, 4 numbers.`"""
    counts = table.loc[table["predicts"] != "", "predicts"].value_counts()
    known = {text: int(count) for text, count in counts.items() if text != UNKNOWN}
    parts = [f"{count} {text}{'' if ' and ' in text else ' only'}" for text, count in known.items()]
    if parts:
        first, count = next(iter(known.items()))
        only = "" if " and " in first or len(known) == 1 else " only"
        parts[0] = f"{count} {'predicts' if count == 1 else 'predict'} {first}{only}"
    without = int(counts.get(UNKNOWN, 0))
    parts += [f"{without} without results"] if without else []
    return f"{words.count(len(table), 'method')}{': ' if parts else ''}{', '.join(parts)}."


def show_list(view: View, loss: str | None) -> None:
    """Show all methods; a click opens one."""
    table = methods_table(view.archive, loss)
    if table.empty:
        page.answer("No methods yet.", view)
        command = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
        page.empty_state("Run a method on a task,", "and it is listed here:", command)
        return
    if loss:
        basis = f"Mean ranks by {words.measure_within(view.archive.measures[loss])}. A click opens a method."
    else:
        basis = "A click opens a method."
    page.answer(list_heading(table), view, basis=basis)
    row = blocks.pick_row(table, name="methods", alt="All methods", column_config=COLUMNS, height="content")
    blocks.csv_button(table, "methods")
    if row is not None:
        selection.open_page("methods", method=str(table.at[row, "method"]))
