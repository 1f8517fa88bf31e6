"""Tables of the Methods page: a method's losses, codings and documents; and what they are asked by."""

import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from dashboard.server import archive as opened
from dashboard.server.archive import Row, look_order
from dashboard.ui.glossary import help_for
from delvecore.archive import Archive
from delvecore.losses.spec import metric_of, shown_value
from delvecore.plots import theme
from delvecore.plots.methods import MethodLosses
from delvecore.report import words
from delvecore.report.writers.text import first_sentence


class Request(NamedTuple):
    """What is shown, and what it is cached by. loss: one that the method has."""

    archive: Archive
    method: str
    loss: str


def chosen_loss(losses: Collection[str], wanted: str | None, usual: str | None = None) -> str | None:
    """Return the loss wanted, else the usual one, else the first of those there are; None without any."""
    return next((one for one in (wanted, usual) if one in losses), next(iter(losses), None))


def value_column(loss: str | None, of: str = "") -> Any:
    """Return the column of standardized losses, or of a metric's values. of: such as `median` of them."""
    metric = metric_of(loss) if loss else None
    name = words.plain(metric.name, longest=20) if metric else f"{'' if of else 'standardized '}loss"
    title = f"{of} {name}".strip()
    about = help_for("standardized loss") if metric is None else f"{metric.direction.capitalize()}."
    title = title if metric and not of else title[0].upper() + title[1:]
    return st.column_config.NumberColumn(title, format="%.4f", help=about)


PLACE = ("dataset", "prototask", "task")
LONGEST_TITLE = 60
CODING_COLUMNS = ("dataset", "prototask", "attribute", "role", "coding", "options", "tasks")
LOSSES_COLUMNS = (
    *("task", "dataset", "prototask", "prior", "training_size", "loss", "standard_error", "text"),
    *("best_method", "best_loss", "best_error", "best_text"),
)


def _place(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in PLACE)


@opened.cached
def _best(archive: Archive, loss: str) -> dict[int, int]:
    """The number of the results row with the lowest mean of each task; the first by name of equals."""
    index, rows = archive.index, archive.index.rows_under(loss)
    means = archive.results["mean"].to_numpy()[rows]
    order = np.lexsort((index.method[rows], means, index.task[rows]))
    ordered = rows[order[~np.isnan(means[order])]]
    tasks, first = np.unique(index.task[ordered], return_index=True)
    return dict(zip(tasks.tolist(), ordered[first].tolist(), strict=True))


@opened.cached
def loss_counts(archive: Archive, method: str | None = None) -> dict[str, int]:
    """Return the losses with results, of one method or all, with their number of tasks; most tasks first."""
    losses = [
        loss
        for on in archive.index.methods_on.values()
        for loss, names in on.items()
        if method is None or method in names
    ]
    return dict(sorted(Counter(losses).items(), key=lambda item: (-item[1], words.loss_preference(item[0]))))


@opened.cached
def method_row(archive: Archive, method: str) -> Row:
    """Return the method's row of the methods table. Raises StopIteration for an unknown method."""
    return next(row for row in opened.rows(archive, "methods") if row["method"] == method)


def title_of(archive: Archive, method: str) -> str:
    """`gp-1: Gaussian process with ...`: a method's name, and what it is in short. Not escaped."""
    about = first_sentence(method_row(archive, method)["summary"])
    if about is None:
        return method
    short = about.rstrip(".")
    if len(short) > LONGEST_TITLE:  # what it is, without what it is made of
        short = re.split(r"[,:;(]| with | by | chosen ", short, maxsplit=1)[0].strip()
    return f"{method}: {textwrap.shorten(short, LONGEST_TITLE, placeholder=' …')}"


@opened.cached
def method_losses(request: Request) -> MethodLosses:
    """The method's losses under one loss, standardized, with the archive's best of each task beside them."""
    archive, method, loss = request.archive, request.method, request.loss
    tasks = [
        (row["dataset"], row["prototask"], row["prior"], row["training_size"], row, top)
        for row, top in _beside_best(archive, method, loss)
    ]
    rows = []
    for *task, row, top in sorted(tasks, key=lambda task: task[:-2]):
        path = words.task_path(*_place(row))
        rows.append((path, *task, *_shown(row), top["method"], *_shown(top)))
    numbers = dict.fromkeys(("loss", "standard_error", "best_loss", "best_error"), float)
    known = words.loss_words(loss)
    return MethodLosses(
        method,
        theme.method_styles(look_order(archive))[method],
        pd.DataFrame(rows, columns=list(LOSSES_COLUMNS)).astype(numbers),
        axis=words.value_axis(loss, standardized=True),
        baseline=known.baseline_value if known else None,
        baseline_text=known.baseline if known else None,
    )


@opened.cached
def losses_shown(request: Request, farthest_first: bool, part: tuple[int, int]) -> MethodLosses:
    """The rows of `method_losses` of a part, in their order or those farthest from the best first."""
    found = method_losses(request)
    tasks = found.tasks
    if farthest_first:
        above = (tasks["loss"] - tasks["best_loss"]).abs().sort_values(ascending=False, kind="stable")
        tasks = tasks.loc[above.index]
    return found._replace(tasks=tasks.iloc[slice(*part)].reset_index(drop=True))


def _beside_best(archive: Archive, method: str, loss: str) -> Iterator[tuple[Row, Row]]:
    """Yield the results of a method under a loss, each with the best of its task, or itself without one."""
    best = _best(archive, loss)
    if method not in archive.index.methods:
        return
    is_own = archive.index.method == archive.index.methods.index(method)
    under = archive.index.rows_under(loss)
    own = under[is_own[under]]
    tops = [
        best.get(task, row) for task, row in zip(archive.index.task[own].tolist(), own.tolist(), strict=True)
    ]
    yield from zip(*(archive.results.take(pa.array(rows)).to_pylist() for rows in (own, tops)), strict=True)


def _shown(row: Row) -> tuple[float | None, float | None, str]:
    mean, error = row["standardized_mean"], row["standardized_error"]
    mean = None if mean is None else shown_value(row["loss"], mean)
    return mean, error, words.with_error(mean, error)


@opened.cached
def coding_table(archive: Archive, method: str) -> pd.DataFrame | None:
    """The codings that differ from the default, one row an attribute; None where none are recorded."""
    rows = [row for row in opened.rows(archive, "codings") if row["method"] == method]
    if not rows:
        return None
    tasks: dict[tuple[str, ...], list[str]] = {}
    for row in sorted((row for row in rows if row["differs"]), key=_coding_order):
        tasks.setdefault(tuple(row[name] for name in CODING_COLUMNS[:-1]), []).append(row["task"])
    found = [(*key, ", ".join(names)) for key, names in tasks.items()]
    return pd.DataFrame(found, columns=list(CODING_COLUMNS))


def _coding_order(row: Row) -> tuple[str, str, str, int, int]:
    prior, _, size = row["task"].rpartition(".")
    return row["dataset"], row["prototask"], prior, int(size), row["number"]


@opened.cached
def source_texts(archive: Archive, method: str) -> tuple[str, ...]:
    """The texts of the method's documentation, without its programs."""
    names = [name for name in method_row(archive, method)["documents"] or () if is_text(name)]
    return tuple(opened.document_text(archive, "methods", method, "Source", *n.split("/")) for n in names)


def is_text(name: str) -> bool:
    """Is this a text to be read, not a program?"""
    stem, _, ending = name.rpartition(".")
    return not stem or ending.lower() in ("txt", "md", "rst", "text", "doc", "notes")


def documented(texts: Sequence[str], subject: str) -> str | None:
    """Return the paragraph that begins with a pattern, or whose heading does: `computing costs?`; or None."""
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
