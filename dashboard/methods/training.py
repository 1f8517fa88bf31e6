"""How long a network was trained on a task, and when it was stopped: the curves of its errors."""

import statistics
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dashboard.server import archive as opened
from dashboard.server.archive import Row, look_order
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.answers.network_training import summary_answer
from delvecore.archive import Archive
from delvecore.archive.training_runs import network_runs
from delvecore.errors import DelveError
from delvecore.model import TaskId
from delvecore.plots import theme, words
from delvecore.plots.theme import MethodStyle, Trace
from delvecore.readers.files import read_text
from delvecore.readers.training import TRAINING, TrainingRecord, parse_training

HEIGHT = 360
MOST_CURVES = 60
COLUMNS = {
    "instance": st.column_config.NumberColumn("Instance", pinned=True),
    "epochs": st.column_config.NumberColumn("Total epochs"),
    "relevant": st.column_config.NumberColumn("Relevant epochs", help="Until the least validation error"),
    "training": st.column_config.NumberColumn("Training error %", format="%.3f"),
    "validation": st.column_config.NumberColumn("Validation error %", format="%.3f"),
    "overfit": st.column_config.NumberColumn("GL at the end %", format="%.2f"),
    "traversals": st.column_config.NumberColumn("Connection traversals", format="localized"),
}


class TrainingCurves(NamedTuple):
    """All that the figure draws. instances: (number, what it says of its training) of each."""

    style: MethodStyle
    instances: tuple[tuple[int, TrainingRecord], ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row an instance: epochs, errors where it was kept, GL when training ended, traversals."""
        kept = [one.kept for _, one in self.instances]
        columns = {
            "instance": [number for number, _ in self.instances],
            "epochs": [one.epochs for _, one in self.instances],
            "relevant": [one.relevant for _, one in self.instances],
            "training": [one.training for one in kept],
            "validation": [one.validation for one in kept],
            "overfit": [one.curve[-1].loss for _, one in self.instances],
            "traversals": [one.traversals for _, one in self.instances],
        }
        return pd.DataFrame(columns)


def has_training(archive: Archive, method: str) -> bool:
    """Does the method tell how it was trained? It does so for all of its tasks or none."""
    tasks = _tasks(archive, method)
    return bool(tasks) and bool(_files(archive, method, tasks[0]))


@opened.cached
def _tasks(archive: Archive, method: str) -> tuple[str, ...]:
    return tuple(sorted(archive.index.tasks_done.get(method, ())))


@opened.cached
def _files(archive: Archive, method: str, task: str) -> dict[int, str]:
    """Return {instance: file} of what a method says of its training on a task."""
    names = ("methods", method, *TaskId.parse(task))
    files = archive.hierarchy.files(*names)
    parts = {name.partition(".")[::2]: path for name, path in files.items()}
    known = {number: path for (name, number), path in parts.items() if name == TRAINING}
    return {int(number): path for number, path in known.items() if number.isdecimal()}


@opened.cached
def training_curves(archive: Archive, method: str, task: str) -> TrainingCurves:
    """Return the curves of a method on a task, of the first instances. Raises ParseError."""
    files = sorted(_files(archive, method, task).items())[:MOST_CURVES]
    found = tuple((number, parse_training(read_text(path), path)) for number, path in files)
    return TrainingCurves(theme.method_styles(look_order(archive))[method], found)


def training_figure(drawn: TrainingCurves) -> go.Figure:
    """Draw the errors of training and validation sets by epoch, with the epoch whose weights were kept."""
    if not drawn.instances:
        return theme.empty_figure("Nothing is said of its training here", height=160)
    figure = theme.new_figure(height=HEIGHT)
    colours = {"training": theme.GREY, "validation": drawn.style.colour}
    for name, colour in colours.items():
        figure.add_traces(list(_curves(drawn, name, colour)))
    figure.add_traces(list(_marks(drawn)))
    figure.update_xaxes(title_text="Epochs", rangemode="tozero")
    ticks = [digit * 10.0**power for power in range(-4, 4) for digit in (1, 2, 5)]
    figure.update_yaxes(type="log", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks])
    theme.title_y_axis_over_legend(figure, "Squared error percentage, log scale")
    figure.update_layout(hovermode="closest")
    return figure


def _curves(drawn: TrainingCurves, name: str, colour: str) -> Iterator[Trace]:
    """Yield the errors of one set, a line an instance."""
    faint = max(0.2, len(drawn.instances) ** -0.5)
    line = {"color": colour, "dash": "dot" if name == "training" else "solid", "width": 2}
    for place, (number, one) in enumerate(drawn.instances):
        epochs, values = [one.epoch for one in one.curve], [getattr(strip, name) for strip in one.curve]
        pairs = zip(epochs, values, strict=True)
        hover = [f"instance {number}, epoch {epoch:,}: {name} error {value:.4g} %" for epoch, value in pairs]
        legend = {"name": f"{name} set", "legendgroup": name, "showlegend": not place}
        yield theme.trace("lines", epochs, values, hover=hover, line=line, opacity=faint, **legend)


def _marks(drawn: TrainingCurves) -> Iterator[Trace]:
    """Yield where the weights were kept, and where training stopped."""
    colour = drawn.style.colour
    looks = (
        ("weights kept", [one.kept for _, one in drawn.instances], {"symbol": "circle", "size": 9}),
        ("stopped", [one.curve[-1] for _, one in drawn.instances], {"symbol": "line-ns-open", "size": 12}),
    )
    for name, strips, look in looks:
        pairs = zip(drawn.instances, strips, strict=True)
        hover = [
            f"instance {number}: {name} at epoch {one.epoch:,}<br>GL {one.loss:.3g} %, P {one.progress:.3g} ‰"
            for (number, _), one in pairs
        ]
        marker = {"color": colour, "line": {"width": 2, "color": colour}, **look}
        places = [one.epoch for one in strips], [one.validation for one in strips]
        yield theme.trace("markers", *places, hover=hover, marker=marker, name=name)


def show_training(view: View, row: Row, _loss: str | None) -> None:
    """Show how the method was trained on one of its tasks."""
    method = row["method"]
    task = selection.local(st.selectbox, "Task", "trained", _tasks(view.archive, method), width=420)
    try:
        found = training_curves(view.archive, method, task)
    except DelveError as error:
        st.error(f"The training on {words.escape(task)} cannot be read.")
        st.text(str(error))
        return
    if not found.instances:
        page.empty_state("Nothing is said of its training here.", "Run it on the task again.")
        return
    st.markdown(_sentence(found))
    page.figure_block(
        opened.figure(training_figure, training_curves, view.archive, method, task),
        found.table,
        name=f"{method}-training",
        alt=f"Errors of the training and the validation set of {method} on {task}, by epoch",
        command=command_text("delve", "run", method, task),
        column_config=COLUMNS,
    )
    st.caption(help_for("early stopping"))
    _show_beside(view.archive, task)


@opened.cached
def _beside(archive: Archive, task: str) -> tuple[str, pd.DataFrame]:
    """Return what is said of all networks on a task, and a row for each and each published one."""
    place = TaskId.parse(task)
    rows = [row for row in archive.published.to_pylist() if row["dataset"] == place.dataset]
    rows = [row for row in rows if (row["prototask"], row["task"]) == place[1:]]
    answer = summary_answer(network_runs(archive, [place]), rows, compact=True)
    fields = [one for one in answer.fields if one.key != "task"]
    return " ".join(answer.notes), pd.DataFrame({one.title: list(one.values) for one in fields})


def _show_beside(archive: Archive, task: str) -> None:
    """Show all networks on the task, and what was published of such."""
    try:
        notes, table = _beside(archive, task)
    except DelveError as error:
        st.error("The training of another method on this task cannot be read.")
        st.text(str(error))
        return
    st.subheader("How do other networks compare?", anchor=False)
    alt, name = f"Training of all networks on {task}", f"{'-'.join(TaskId.parse(task))}-networks"
    page.table_block(table, name=name, alt=alt)
    st.caption(f"{words.escape(notes)} Command: `{command_text('delve', 'training', task)}`")


def _sentence(found: TrainingCurves) -> str:
    """Say how long training took, and what was trained."""
    table, (_, first) = found.table, found.instances[0]
    count = words.count(len(table), "run")
    epochs = f"{_range(table['epochs'])} epochs, kept the weights of epoch {_range(table['relevant'])}"
    crossed = f"{statistics.median(table['traversals'].tolist()):,.0f}"
    return (
        f"**{count}** trained {epochs} and crossed {crossed} connections{' (median)' * (len(table) > 1)}. "
        f"Network: {words.escape(first.network)}; {first.outputs} outputs, {first.weights:,} weights."
    )


def _range(values: pd.Series) -> str:
    low, high = int(values.min()), int(values.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
