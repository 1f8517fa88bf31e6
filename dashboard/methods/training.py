"""Training of a network on a task: times, and error curves with the stopping point."""

import pandas as pd
import streamlit as st

from dashboard.server.archive import Row, look_order
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.answers.answer import Answer
from delvecore.answers.network_training import summary_answer, training_answer
from delvecore.archive import Archive
from delvecore.archive.task_details import network_runs
from delvecore.errors import DelveError
from delvecore.model import TaskId
from delvecore.plots import theme
from delvecore.plots.draw import draw
from delvecore.plots.figure import Figure
from delvecore.readers.files import read_text
from delvecore.readers.training import TRAINING, parse_training
from delvecore.render.spans import markdown
from delvecore.report import words

MOST_CURVES = 60
COLUMNS = {
    "instance": st.column_config.NumberColumn("Instance", pinned=True),
    "epochs": st.column_config.NumberColumn("Total epochs"),
    "relevant": st.column_config.NumberColumn("Relevant epochs", help="Until the lowest validation error"),
    "training": st.column_config.NumberColumn("Training error %", format="%.3f"),
    "validation": st.column_config.NumberColumn("Validation error %", format="%.3f"),
    "overfit": st.column_config.NumberColumn("GL at the end %", format="%.2f"),
    "traversals": st.column_config.NumberColumn("Connection traversals", format="localized"),
}


def has_training(archive: Archive, method: str) -> bool:
    """Does the method record its training? A method does so for all of its tasks or for none."""
    first = min(archive.index.tasks_done.get(method, ()), default=None)
    return first is not None and bool(_files(archive, method, first))


@cached
def _files(archive: Archive, method: str, task: str) -> dict[int, str]:
    """Return {instance: file} of the training records of a method on a task."""
    names = ("methods", method, *TaskId.parse(task))
    files = archive.hierarchy.files(*names)
    parts = {name.partition(".")[::2]: path for name, path in files.items()}
    known = {number: path for (name, number), path in parts.items() if name == TRAINING}
    return {int(number): path for number, path in known.items() if number.isdecimal()}


@cached
def training(archive: Archive, method: str, task: str) -> tuple[Answer, Figure]:
    """Return the training on the first instances of a task, with its curves. Raises ParseError."""
    files = sorted(_files(archive, method, task).items())[:MOST_CURVES]
    runs = {number: parse_training(read_text(path), path) for number, path in files}
    answer = training_answer(method, task, runs)
    return answer, draw(answer, theme.method_styles(look_order(archive)))


def show_training(view: View, row: Row, _loss: str | None) -> None:
    method = row["method"]
    tasks = sorted(view.archive.index.tasks_done[method])
    task = selection.local(st.selectbox, "Task", "trained", tasks, methods=view.choices.methods, width=420)
    if task is None:
        page.empty_state("The method has no such task.", "Choose a task in the list.")
        return
    try:
        answer, figure = training(view.archive, method, task)
    except DelveError as error:
        st.error(f"The training on {words.escape(task)} cannot be read.")
        st.text(str(error))
        return
    if not len(answer.table):
        page.empty_state("Its training was not recorded here.", "Run it on the task again.")
        return
    st.markdown(markdown(answer.headline))
    blocks.figure_block(
        figure,
        answer.table.frame(),
        name=f"{method}-training",
        alt=answer.alt,
        command=command_text("delve", "run", method, task),
        column_config=COLUMNS,
    )
    st.caption(help_for("early stopping"))
    _show_beside(view.archive, task)


@cached
def _beside(archive: Archive, task: str) -> tuple[str, pd.DataFrame]:
    """Return a summary of all networks on a task, and one row for each network, including published ones."""
    place = TaskId.parse(task)
    rows = [row for row in archive.published.to_pylist() if row["dataset"] == place.dataset]
    rows = [row for row in rows if (row["prototask"], row["task"]) == place[1:]]
    answer = summary_answer(network_runs(archive, [place]), rows, compact=True)
    fields = [one for one in answer.table.columns if one.key != "task"]
    return " ".join(answer.notes), pd.DataFrame({one.title: list(one.values) for one in fields})


def _show_beside(archive: Archive, task: str) -> None:
    try:
        notes, table = _beside(archive, task)
    except DelveError as error:
        st.error("The training of another method on this task cannot be read.")
        st.text(str(error))
        return
    st.subheader("How do other networks compare?", anchor=False)
    alt, name = f"Training of all networks on {task}", f"{'-'.join(TaskId.parse(task))}-networks"
    blocks.table_block(table, name=name, alt=alt)
    st.caption(f"{words.escape(notes)} Command: `{command_text('delve', 'training', task)}`")
