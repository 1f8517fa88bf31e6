"""The Compare page's tables of estimates and pairs, for the page, for papers (LaTeX) and programs (CSV)."""

from collections.abc import Sequence

from dashboard.compare import data, verdict
from dashboard.compare.choice import RAW, STANDARDIZED, Request
from dashboard.compare.data import Row
from dashboard.frame import words
from delvecore.report.grid import Column
from delvecore.report.provenance import command_line
from delvecore.report.rounding import column_decimals, p_text, rounded
from delvecore.report.writers.csv import csv_text
from delvecore.report.writers.latex import latex_table
from delvecore.statistics.choose import ROUGH_P, significance

__all__ = [
    "ESTIMATES",
    "PAIRS",
    "estimates_csv",
    "estimates_latex",
    "mstats_command",
    "pairs_csv",
    "pairs_latex",
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
    *("test", "statistic", "df1", "df2", "p", "lower", "upper", "standardizer"),
    *("standardized_mean_a", "standardized_mean_b", "standardized_difference", "standardized_error"),
    *("standardized_sd_training", "standardized_sd_cases", "standardized_sd_residual"),
    *("standardized_lower", "standardized_upper", "note"),
)
_UNITS = {
    RAW: ("mean", "standard_error", ""),
    STANDARDIZED: ("standardized_mean", "standardized_error", "standardized_"),
}


def estimates_csv(request: Request) -> str:
    """Return the estimates with all their columns and full precision."""
    return csv_text(ESTIMATES, [[row[name] for name in ESTIMATES] for row in data.chosen_estimates(request)])


def pairs_csv(request: Request) -> str:
    """Return the pairs with all their columns and full precision; difference is a less b."""
    return csv_text(PAIRS, [[row[name] for name in PAIRS] for row in data.ordered_pairs(request)])


def mstats_command(request: Request) -> str:
    """Return the command line that prints these numbers: the reference, compared with each other method.

    Names in one list must hold no blanks or commas; otherwise each other method has a command of its own,
    which names such a one by its path: that is never a list.
    """
    names = [name if _is_word(name) else f"/{name}/" for name in request.others]
    lists = [" ".join(names)] if all(map(_is_word, request.others)) else names
    commands = []
    for listed in lists:
        compared = ["-c", listed] if listed else []
        place = f"/{request.reference}{request.task}"
        commands.append(command_line(["mstats", "-l", request.loss, *compared, place]))
    return "; ".join(commands)


def _is_word(name: str) -> bool:
    return name.replace(",", " ").split() == [name]


def estimates_latex(request: Request) -> str:
    """Return the estimates as a booktabs table, raw and standardized; the lowest loss is bold."""
    rows = data.chosen_estimates(request)
    with_cases = any(row["sd_cases"] is not None for row in rows)
    columns, body = [Column("Method")], [[row["method"]] for row in rows]
    for unit, names in _UNITS.items():
        for title, name in _columns_of(names, with_cases):
            columns.append(Column(title, "r", (unit,)))
            decimals = column_decimals(row[names[1]] for row in rows)
            for cells, row in zip(body, rows, strict=True):
                cells.append(rounded(row[name], decimals))
    means = [row["mean"] for row in rows if row["mean"] is not None]
    lowest = [i for i, row in enumerate(rows) if row["mean"] is not None and row["mean"] == min(means)]
    bold = {(i, j) for i in lowest for j, column in enumerate(columns) if column.title == "Loss"}
    note = "SE: standard error; SD: standard deviation from training sets, "
    note += "test cases, and interactions. " if with_cases else "and from test cases and interactions. "
    return latex_table(
        columns,
        body,
        caption=f"{words.loss_name(request.loss)} on {request.task}.",
        label=f"tab:estimates-{request.loss}{request.task}",
        note=note + _basis(rows),
        bold=bold,
    )


def _columns_of(names: tuple[str, str, str], with_cases: bool) -> list[tuple[str, str]]:
    mean, error, prefix = names
    spreads = [("SD train", f"{prefix}sd_training")]
    spreads += [("SD cases", f"{prefix}sd_cases")] if with_cases else []
    return [("Loss", mean), ("SE", error), *spreads, ("SD rest", f"{prefix}sd_residual")]


def pairs_latex(request: Request) -> str:
    """Return all pairs as a booktabs table: difference, its error and interval, p; settled ones are bold."""
    rows = data.ordered_pairs(request)
    level = f"{100 * request.level:g}%"
    columns = [Column("Method a"), Column("Method b")]
    body = [[row["method_a"], row["method_b"]] for row in rows]
    for unit, (_, error, prefix) in _UNITS.items():
        names = [("a - b", f"{prefix}difference"), ("SE", error)]
        names += [(f"{level} from", f"{prefix}lower"), ("to", f"{prefix}upper")]
        decimals = column_decimals(row[error] for row in rows)
        for title, name in names:
            columns.append(Column(title, "r", (unit,)))
            for cells, row in zip(body, rows, strict=True):
                cells.append(rounded(row[name], decimals))
    columns.append(Column("p", "r"))
    for cells, row in zip(body, rows, strict=True):
        cells.append(f"< {ROUGH_P}" if verdict.is_rough(row) else p_text(row["p"]))
    name = words.loss_name(request.loss)
    settled = [i for i, row in enumerate(rows) if verdict.is_settled(row, request.level)]
    return latex_table(
        columns,
        body,
        caption=f"Differences in {name[0].lower()}{name[1:]} on {request.task}.",
        label=f"tab:pairs-{request.loss}{request.task}",
        note=f"Bold: significant at {100 * significance(request.level):.2g}%, single tests. " + _basis(rows),
        bold={(i, len(columns) - 1) for i in settled},
    )


def _basis(rows: Sequence[Row]) -> str:
    """Return what estimates or comparisons rest on; test cases are null where test sets differ in size."""
    known = [row for row in rows if row.get("difference", row.get("mean")) is not None]
    counts = sorted({(row["instances"], row["test_cases"] or 0) for row in known})
    sets = [
        f"{instances} training sets, "
        + (f"{cases} test cases each" if cases else "test sets of several sizes")
        for instances, cases in counts
    ]
    return f"Based on {words.and_list(sets)}." if sets else ""
