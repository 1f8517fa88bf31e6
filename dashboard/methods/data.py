"""Tables of the Methods page: a method's losses, codings and documents."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from dashboard.server import archive as opened
from dashboard.server.archive import Row, look_order
from dashboard.server.cache import cached
from dashboard.ui.documents import document_text
from dashboard.ui.glossary import help_for
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
from delvecore.answers.task_codings import task_codings_answer
from delvecore.archive import Archive
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.model import TaskId
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.plots.methods import method_losses_figure
from delvecore.report import words
from delvecore.stats.orientation import oriented


def chosen_loss(losses: Collection[str], wanted: str | None, usual: str | None = None) -> str | None:
    """Return the requested loss, otherwise the usual one, otherwise the first one. None without results."""
    return next((one for one in (wanted, usual) if one in losses), next(iter(losses), None))


def value_column(measure: Measure, of: str = "") -> Any:
    """Return the name of the column of standardized losses, or of a metric's values. of: prefix such as
    `median`."""
    is_loss = measure.is_loss
    name = f"{'' if of else 'standardized '}loss" if is_loss else words.short_line(measure.title, longest=20)
    title = f"{of} {name}".strip()
    about = help_for("standardized loss") if is_loss else f"{measure.direction.capitalize()}."
    title = title[0].upper() + title[1:] if is_loss or of else title
    return st.column_config.NumberColumn(title, format="%.4f", help=about)


PLACE = ("dataset", "prototask", "task")
CODING_COLUMNS = ("dataset", "prototask", "attribute", "role", "coding", "options", "tasks")
TASK = ("dataset", "prototask", "prior", "training_size")
FACTS = (*PLACE, *TASK[2:], "method", "mean", "standardized_mean", "standardized_error")
"""Facts that are read from results."""


@cached
def loss_counts(archive: Archive, method: str | None = None) -> dict[str, int]:
    """Return the losses with results, of one method or all, with their number of tasks; most tasks first."""
    losses = [
        loss
        for on in archive.index.methods_on.values()
        for loss, names in on.items()
        if method is None or method in names
    ]
    return dict(sorted(Counter(losses).items(), key=lambda item: (-item[1], words.loss_preference(item[0]))))


@cached
def method_row(archive: Archive, method: str) -> Row:
    """Return the method's row of the methods table. Raises StopIteration for an unknown method."""
    return next(row for row in opened.rows(archive, "methods") if row["method"] == method)


@cached
def method_losses(request: Request) -> pd.DataFrame:
    """Return the method's standardized losses, or values of a metric, with the best of the archive on each
    task."""
    archive, method, measure = request.archive, request.method, request.measure
    every = archive.results.select(FACTS).take(pa.array(archive.index.rows_under(request.loss))).to_pandas()
    order = oriented(every["mean"].to_numpy(dtype=float), measure)
    ranked = every.assign(order=order).dropna(subset=["mean"]).sort_values(["order", "method"])
    best = ranked.drop_duplicates([*PLACE]).drop(columns="order")
    own = every[every["method"] == method].sort_values([*TASK], kind="stable", ignore_index=True)
    tops = own[[*PLACE]].merge(best, "left")
    tops = tops.where(tops["method"].notna(), own, axis=0)  # without a best result, the method itself
    losses = own[[*TASK]].astype({"training_size": int})
    losses.insert(0, "task", [words.task_path(*place) for place in own[[*PLACE]].itertuples(index=False)])
    values = ("standardized_mean", "standardized_error")
    losses[["loss", "standard_error"]] = own[[*values]].astype(float)
    losses[["best_method", "best_loss", "best_error"]] = tops[["method", *values]]
    return losses.astype({"best_loss": float, "best_error": float})


@cached
def losses_shown(request: Request, farthest_first: bool, part: tuple[int, int]) -> pd.DataFrame:
    """Return part of the rows of `method_losses`, in their order or sorted by distance from the best."""
    tasks = method_losses(request)
    if farthest_first:
        above = (tasks["loss"] - tasks["best_loss"]).abs().sort_values(ascending=False, kind="stable")
        tasks = tasks.loc[above.index]
    return tasks.iloc[slice(*part)].reset_index(drop=True)


@cached
def losses_figure(request: Request, farthest_first: bool, part: tuple[int, int]) -> Figure:
    style = theme.method_styles(look_order(request.archive))[request.method]
    shown = losses_shown(request, farthest_first, part)
    return method_losses_figure(shown, request.method, request.measure, style)


@cached
def task_codings(archive: Archive, method: str, task: str) -> Answer | str:
    """Return the columns of a task's data files in the method's encoding, or why they are unknown."""
    try:
        return task_codings_answer(archive.hierarchy, (method, *TaskId.parse(task)))
    except DelveError as error:
        return str(error)


@cached
def coding_table(archive: Archive, method: str) -> pd.DataFrame | None:
    """Return the codings that differ from the default, one row per attribute; None if none are recorded."""
    table = archive.codings.filter(pc.equal(archive.codings["method"], method)).to_pandas()
    if table.empty:
        return None
    table[["prior", "size"]] = table["task"].str.rsplit(".", n=1, expand=True)
    order = ["dataset", "prototask", "prior", "size", "number"]
    table = table[table["differs"]].astype({"size": int}).sort_values(order, kind="stable")
    tasks = table.groupby([*CODING_COLUMNS[:-1]], sort=False, dropna=False)["task"].agg(", ".join)
    return tasks.rename("tasks").reset_index()


@cached
def source_texts(archive: Archive, method: str) -> tuple[str, ...]:
    """The texts of the method's documentation, without its programs."""
    names = [name for name in method_row(archive, method)["documents"] or () if is_text(name)]
    return tuple(document_text(archive, "methods", method, "Source", *n.split("/")) for n in names)


def is_text(name: str) -> bool:
    """Is this a text for readers, not a program?"""
    stem, _, ending = name.rpartition(".")
    return not stem or ending.lower() in ("txt", "md", "rst", "text", "doc", "notes")


def documented(texts: Sequence[str], subject: str) -> str | None:
    """Return the paragraph that begins with a pattern such as `computing costs?`, or whose heading does; or
    None."""
    begins = re.compile(rf"\W*{subject}\b", re.IGNORECASE)
    heading = re.compile(rf"\W*{subject}\s*[.:]\s*", re.IGNORECASE)
    for text in texts:
        paragraphs = [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]
        for number, paragraph in enumerate(paragraphs):
            if begins.match(paragraph):
                lines = [line for line in paragraph.splitlines() if re.search(r"\w", line)]
                alone = len(lines) == 1 and len(lines[0]) < 60 and not lines[0].rstrip().endswith(".")
                below = paragraphs[number + 1 : number + 2] if alone else []
                return heading.sub("", below[0] if below else paragraph, count=1)
    return None
