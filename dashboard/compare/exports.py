"""What can be taken away from the Compare page: figures with numbers, tables for papers and programs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.compare import data, verdict
from dashboard.compare.choice import RAW, STANDARDIZED, Request
from dashboard.compare.data import Row
from dashboard.server import archive as opened
from dashboard.ui import page
from dashboard.ui.commands import command_text
from delvecore.losses.spec import metric_of
from delvecore.model import SCORED
from delvecore.plots import words
from delvecore.report.grid import Column, grid_of_texts
from delvecore.report.rounding import column_decimals, p_text, rounded
from delvecore.report.writers.csv import csv_text
from delvecore.report.writers.latex import latex_grid
from delvecore.stats.choose import adjustment_words, percent

__all__ = [
    *("Shown", "estimates_csv", "estimates_latex", "mstats_command", "pairs_csv", "pairs_latex"),
    *("quantity", "show_figure"),
]

ESTIMATES = (
    *("method", "dataset", "prototask", "task", "loss", "instances", "test_cases"),
    *("mean", "standard_error", "sd_training", "sd_cases", "sd_residual", "standardizer"),
    *("standardized_mean", "standardized_error"),
    *("standardized_sd_training", "standardized_sd_cases", "standardized_sd_residual"),
)
PAIRS = (
    *("method_a", "method_b", "dataset", "prototask", "task", "loss", "instances", "test_cases"),
    *("mean_a", "mean_b", "difference", "standard_error", "sd_training", "sd_cases", "sd_residual"),
    *("test", "statistic", "df1", "df2", "p", "p_delve", "lower", "upper", "standardizer"),
    *("standardized_mean_a", "standardized_mean_b", "standardized_difference", "standardized_error"),
    *("standardized_sd_training", "standardized_sd_cases", "standardized_sd_residual"),
    *("standardized_lower", "standardized_upper", "note"),
)


Shown = tuple[Callable[[Any], go.Figure], Callable[..., tuple[Any, ...]], tuple[str, ...]]
"""What draws a figure, what makes its record, and the columns of the numbers in that record's first field."""


def show_figure(
    shown: Shown,
    what: str,
    request: Request,
    *more: str,
    alt: str,
    command: str | None = None,
    note: str = "",
) -> None:
    """Show a figure of a request with its numbers. what: in the names of its files, and of its widgets; note:
    stands below the picture."""
    draw, make, columns = shown
    figure, name = opened.figure(draw, make, request, *more), request.file_name(what)
    table = pd.DataFrame(make(request, *more)[0], columns=columns)
    page.figure_block(figure, table, name=name, key=what, alt=alt, command=command, note=note)


def quantity(request: Request) -> tuple[str, str]:
    """Return what a column of estimates is called, and on which side the best one is: `Loss` and `lowest`,
    `accuracy` and `highest`."""
    metric = metric_of(request.loss)
    if metric is None:
        return "Loss", "lowest"
    return metric.name, "highest" if metric.higher_is_better else "lowest"


def estimates_csv(request: Request) -> str:
    """Return the estimates with all their columns and full precision."""
    return csv_text(ESTIMATES, [[row[name] for name in ESTIMATES] for row in _estimates(request)])


def _estimates(request: Request) -> list[Row]:
    return list(map(data.in_its_metric, data.chosen_estimates(request)))


def _pairs(request: Request) -> list[Row]:
    return list(map(data.in_its_metric, data.ordered_pairs(request)))


def pairs_csv(request: Request) -> str:
    """Return the pairs with all their columns and full precision; difference is a less b."""
    return csv_text(PAIRS, [[row[name] for name in PAIRS] for row in _pairs(request)])


def mstats_command(request: Request) -> str | None:
    """Return the command line that prints these numbers: the reference, compared with each other method. None
    for scores, of which there are no results in a delve directory.

    Names in one list must hold no blanks or commas; otherwise each other method has a command of its own,
    which names such a one by its path: that is never a list."""
    if request.place[1] == SCORED:
        return None
    metric = metric_of(request.loss)
    loss = metric.name if metric else request.loss
    names = [name if _is_word(name) else f"/{name}/" for name in request.others]
    lists = [" ".join(names)] if all(map(_is_word, request.others)) else names
    commands = []
    for listed in lists:
        compared = ["-c", listed] if listed else []
        place = f"/{request.reference}{request.task}"
        commands.append(command_text("mstats", "-l", loss, *compared, place))
    return "; ".join(commands)


def _is_word(name: str) -> bool:
    return name.replace(",", " ").split() == [name]


def estimates_latex(request: Request) -> str:
    """Return the estimates as a booktabs table, raw and standardized; the best one is bold."""
    rows, (title, _) = _estimates(request), quantity(request)
    with_cases = any(row["sd_cases"] is not None for row in rows)
    titles = {"mean": title, "standard_error": "SE", "sd_training": "SD train"}
    titles |= {"sd_cases": "SD cases"} if with_cases else {}
    columns, body = [Column("Method")], [[row["method"]] for row in rows]
    _add_numbers(columns, body, request, rows, {**titles, "sd_residual": "SD rest"})
    losses = [row["mean"] for row in data.chosen_estimates(request)]
    least = min((loss for loss in losses if loss is not None), default=None)
    best = [i for i, loss in enumerate(losses) if loss is not None and loss == least]
    bold = {(i, j) for i in best for j, column in enumerate(columns) if column.title == title}
    note = "SE: standard error; SD: standard deviation from training sets, "
    note += "test cases, and interactions. " if with_cases else "and from test cases and interactions. "
    caption = f"{_of(request)} on {request.task}."
    label = f"tab:estimates-{request.loss}{request.task}"
    notes = [note + _basis(rows)]
    return latex_grid(grid_of_texts(columns, body, caption=caption, notes=notes, label=label, bold=bold))


def _add_numbers(
    columns: list[Column],
    body: list[list[str]],
    request: Request,
    rows: Sequence[Row],
    titles: Mapping[str, str],
) -> None:
    """Add columns in both units, with the decimals that their standard errors ask for."""
    for unit in (RAW,) if metric_of(request.loss) else (RAW, STANDARDIZED):
        column = request.in_unit(unit).column
        decimals = column_decimals(row[column("standard_error")] for row in rows)
        for name, title in titles.items():
            columns.append(Column(title, "r", (unit,)))
            for cells, row in zip(body, rows, strict=True):
                cells.append(rounded(row[column(name)], decimals))


def _of(request: Request) -> str:
    """Return what is measured, for a caption: `Squared error (S)`, `accuracy (higher is better)`."""
    metric = metric_of(request.loss)
    return words.metric_words(metric) if metric else words.loss_name(request.loss)


def pairs_latex(request: Request) -> str:
    """Return all pairs as a booktabs table: difference, error, interval, p; significant ones are bold."""
    rows = _pairs(request)
    level = percent(request.setting.level)
    columns = [Column("Method a"), Column("Method b")]
    body = [[row["method_a"], row["method_b"]] for row in rows]
    titles = {"difference": "a - b", "standard_error": "SE", "lower": f"{level} from", "upper": "to"}
    _add_numbers(columns, body, request, rows, titles)
    columns.append(Column("p", "r"))
    for cells, row in zip(body, rows, strict=True):
        cells.append(p_text(row["p_adjusted"]))
    name = _of(request)
    bold = {(i, len(columns) - 1) for i, row in enumerate(rows) if verdict.is_significant(row)}
    caption = f"Differences in {name[0].lower()}{name[1:]} on {request.task}."
    label = f"tab:pairs-{request.loss}{request.task}"
    pairs = max((row["compared"] or 0 for row in rows), default=0)
    adjusted = adjustment_words(request.setting.adjust, pairs)
    notes = [f"Bold: significant, p < {request.setting.alpha:g}; p is {adjusted}. {_basis(rows)}"]
    return latex_grid(grid_of_texts(columns, body, caption=caption, notes=notes, label=label, bold=bold))


def _basis(rows: Sequence[Row]) -> str:
    """Return what estimates or comparisons rest on; test cases are null where test sets differ in size,
    and of metrics."""
    known = [row for row in rows if row.get("difference", row.get("mean")) is not None]
    counts = sorted({(row["instances"], row["test_cases"] or 0) for row in known})
    is_single = any(metric_of(row["loss"]) for row in known)
    without = "one value each" if is_single else "test sets of several sizes"
    sets = [
        f"{instances} training sets, {f'{cases} test cases each' if cases else without}"
        for instances, cases in counts
    ]
    return f"Based on {words.and_list(sets)}." if sets else ""
