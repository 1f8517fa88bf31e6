"""Where numbers are shown: for each command and function one accessor, which gives means or differences.

What a key or column is called is written here and nowhere else: a renamed column is one line."""

import html
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import pandas as pd

import delvecore as dv
from delvecore.archive import Archive
from delvecore.cli import mstats, mtable
from delvecore.cli.delve import main as delve
from delvecore.cli.subcommands.array import TABLES
from delvecore.report.paper.table import PAPER_FORMATS
from delvecore.score_tables.options import ScoreOptions
from tests.one_sign.outputs import (
    Row,
    cells_of,
    csv_rows,
    delve_csv,
    delve_json,
    delve_text,
    lines_of_methods,
    printed,
    rounded,
)
from tests.one_sign.tables import METHODS, SHAPES, Case

EXACT = 1e-9


class Mean(NamedTuple):
    """A statistic of one method. path: of its task, None over all tasks; raw: is it of losses as in a file?
    statistic: `mean`, `median`, `min` or `max`; within: how far printed digits may be off."""

    method: str
    path: str | None
    value: float
    statistic: str = "mean"
    raw: bool = False
    within: float = EXACT


class Pair(NamedTuple):
    """A comparison of two methods. path: of its task, None over all tasks; verdict: of a; p: adjusted; is_weighted:
    do tasks count by their errors? Then the difference has the sign of pandas' where its interval is beyond 0."""

    a: str
    b: str
    path: str | None = None
    difference: float | None = None
    lower: float | None = None
    upper: float | None = None
    verdict: str | None = None
    p: float | None = None
    raw: bool = False
    within: float = EXACT
    is_weighted: bool = False


def measured(row: Row, case: Case, *keys: str) -> float:
    """Return the value of the measure in a row: under its own name, or the first of these keys."""
    return next(row[key] for key in (case.name, f"mean {case.name}", *keys) if key in row)


def measure_of(row: Row) -> str:
    """Return what a row says its measure is."""
    return str(row["measure"] if "measure" in row else row["loss"])


# Commands.


def rank_json_means(case: Case, shape: str = "folds") -> Iterator[Mean]:
    for row in delve_json(case, "rank", shape=shape)["summary"]:
        for statistic in ("mean", "median", "min", "max"):
            yield Mean(row["method"], None, row[statistic], statistic)


def rank_json_pairs(case: Case, shape: str = "folds") -> Iterator[Pair]:
    answer = delve_json(case, "rank", shape=shape)
    verdicts = {
        (row["method_a"], row["method_b"]): (row["verdict"], row["p_adjusted"]) for row in answer["verdicts"]
    }
    for row in answer["effects"]:
        a, b = row["method_a"], row["method_b"]
        yield Pair(a, b, None, row["mean"], row["mean_lower"], row["mean_upper"], *verdicts[a, b])
    for row in answer["t_tests"]:
        yield Pair(row["method_a"], row["method_b"], None, row["difference"])


def rank_json_combined_pairs(case: Case) -> Iterator[Pair]:
    """Give the means over tasks of the differences of each task by random effects."""
    combined = delve_json(case, "rank", "--all", "--pairs")["combined"]
    for row in combined["pairs"] if isinstance(combined, dict) else combined or ():
        a, b = (row.get(key, row.get(f"method_{key}")) for key in "ab")
        yield Pair(a, b, None, row["mean"], row["lower"], row["upper"], is_weighted=True)


def rank_csv_pairs(case: Case) -> Iterator[Pair]:
    for row in delve_csv(case, "rank"):
        verdict = row["verdict"], row["p_adjusted"]
        yield Pair(row["method_a"], row["method_b"], None, row["difference"], None, None, *verdict)


def rank_text_means(case: Case) -> Iterator[Mean]:
    text = delve_text(case, "rank")
    first = 2 + ("mean rank  places" in text)
    for method, cells in lines_of_methods(text).items():
        for statistic, text in zip(("mean", "median"), cells[first : first + 2], strict=True):
            value, within = rounded(text)
            yield Mean(method, None, value, statistic, within=within)


def rank_text_pairs(case: Case) -> Iterator[Pair]:
    """Give the differences that stand behind wins, ties and losses, then those over the tests of each task."""
    over_tasks, _, of_tasks = delve_text(case, "rank").partition("Each task's own test")
    for cells in map(cells_of, map(str.strip, over_tasks.splitlines())):
        if {*cells[:2]} <= set(METHODS) and len(cells) > 4:
            value, within = rounded(cells[3])
            yield Pair(cells[0], cells[1], None, value, within=within)
    for cells in map(cells_of, map(str.strip, of_tasks.splitlines())):
        interval = next((one for one in cells if " to " in one), None)
        if {*cells[:2]} <= set(METHODS) and interval:
            value, within = rounded(cells[4])
            lower, upper = (rounded(one)[0] for one in interval.split(" to "))
            yield Pair(cells[0], cells[1], None, value, lower, upper, within=within, is_weighted=True)


def methods_table_means(text: str) -> Iterator[Mean]:
    """Read the table of methods of a report: mean rank, places if they are testable, mean, median."""
    first = 1 + ("Places" in text)
    for method, cells in lines_of_methods(text).items():
        numbers = [one for one in cells if one != "*"]
        for statistic, shown in zip(("mean", "median"), numbers[first : first + 2], strict=True):
            value, within = rounded(shown)
            yield Mean(method, None, value, statistic, within=within)


def rank_latex_means(case: Case) -> Iterator[Mean]:
    return methods_table_means(delve_text(case, "rank", "--format", "latex"))


def report_text_means(case: Case) -> Iterator[Mean]:
    return methods_table_means(delve_text(case, "report").partition("Method    Mean rank")[2])


def top_means(rows: list[Row]) -> Iterator[Mean]:
    for row in rows:
        for statistic in ("mean", "median", "min", "max"):
            yield Mean(row["method"], row["task"], row[statistic], statistic, raw=True)


def top_json_means(case: Case) -> Iterator[Mean]:
    return top_means(delve_json(case, "top", single=False)["rows"])


def top_csv_means(case: Case) -> Iterator[Mean]:
    return top_means(delve_csv(case, "top", single=False))


def runs_means(rows: list[Row], case: Case) -> Iterator[Mean]:
    """Give each score of rows that have one a run, as that of the run, `run 0` and so on."""
    for row in rows:
        run = int(row.get("training_set", row.get("instance", 0)))
        yield Mean(row["method"], row["task"], measured(row, case, "score"), f"run {run}", raw=True)


def each_csv_means(case: Case) -> Iterator[Mean]:
    return runs_means(delve_csv(case, "top", "--each", single=False), case)


def each_json_means(case: Case) -> Iterator[Mean]:
    return runs_means(delve_json(case, "top", "--each", single=False)["rows"], case)


def table_csv_means(case: Case) -> Iterator[Mean]:
    for row in delve_csv(case, "table"):
        if row["row_kind"] == "task":
            yield Mean(row["method"], row["tasks"], measured(row, case, "value"))


def table_csv_pairs(case: Case) -> Iterator[Pair]:
    """Give the best of each task against the others: `significantly worse` is worse."""
    rows = [row for row in delve_csv(case, "table") if row["row_kind"] == "task"]
    best = {row["tasks"]: row["method"] for row in rows if row["standing"] == "best"}
    for row in rows:
        if row["method"] != best[row["tasks"]]:
            verdict = "worse" if row["standing"] == "significantly worse" else "not significant"
            yield Pair(row["method"], best[row["tasks"]], row["tasks"], verdict=verdict, p=row["p_adjusted"])


ESTIMATE = re.compile(r"(-?\d+(?:\.\d+)?)[\s$&{}*\\]*(?:±|pm\b|\(\d)")
"""A number before its standard error."""


def table_text_means(case: Case, text: str) -> Iterator[Mean]:
    """Read the rows of tasks of a table for a paper; its columns are methods."""
    text = html.unescape(text).replace("\N{MINUS SIGN}", "-")
    text = re.sub(r"\\([-.])", r"\1", text).replace("~", " ")  # as Typst has them
    lines = text.replace("</tr>", "\n").splitlines()
    head = next(line for line in lines if all(one in line for one in ("Task", *METHODS)))
    methods = sorted(METHODS, key=head.rindex)
    for line in lines:
        line = re.sub(r"<[^<>]*>", " ", line)
        for path in case.expected.values.index:
            row = line.partition(path.strip("/").split("/")[0])[2]
            numbers = ESTIMATE.findall(re.sub(r"math(bf|it)\b|textbf\b", "", row))
            for method, shown in zip(methods, numbers, strict=False):
                value, within = rounded(shown)
                yield Mean(method, path, value, within=within)


def mtable_means(case: Case) -> Iterator[Mean]:
    options = ["-l", case.name, "/"] if case.is_loss else case.arguments()
    for row in csv_rows(printed(case, mtable.main, "-f", "csv", *options)):
        if row["task"].startswith("/"):
            yield Mean(row["method"], row["task"], measured(row, case, "value"))


def array_rows(case: Case, table: str) -> list[Row]:
    """Return the rows of one table of the task-array that the datasets' names describe."""
    file, *rest = case.arguments()
    scale = ("--loss-scale", "raw") if table == "effects" else ()
    options = ("--table", table, "--reference", "bee", *scale, "--format", "json")
    text = printed(case, delve, "array", "design", file, *rest, *options)
    return list(json.loads(text)["rows"])


def array_path(row: Row) -> str:
    return "/".join(("", row["dataset"], row["prototask"], row["task"]))


def array_means(case: Case, table: str) -> Iterator[Mean]:
    for row in array_rows(case, table):
        if "method" in row or "best" in row:
            method = row.get("method", row.get("best"))
            yield Mean(method, array_path(row), measured(row, case, "standardized_mean", "mean"))


def array_pairs(case: Case, table: str) -> Iterator[Pair]:
    for row in array_rows(case, table):
        if row["method"] != "bee":
            numbers = row["difference"], None, None, row["verdict"], row["p_adjusted"]
            yield Pair(row["method"], "bee", array_path(row), *numbers)


def array_effects_means(case: Case) -> Iterator[Mean]:
    for row in array_rows(case, "effects"):
        if row["kind"] == "mean":
            yield Mean(row["method"], None, row["effect"])


# The library.


@cache
def archive_of(case: Case) -> Archive:
    if case.is_loss:
        return dv.open(case.directory, cache=False)
    options = ScoreOptions(value=(case.name,), higher_is_better=case.higher_is_better)
    return dv.open(case.file(), scores=options, cache=False)


def path_of(row: Row) -> str:
    return "/".join(("", row["dataset"], row["prototask"], row["task"]))


@cache
def frame_rows(case: Case, table: str) -> list[Row]:
    frame = archive_of(case).to_frame(table)
    return [row for row in frame.to_dict("records") if not case.is_loss or row["loss"] == case.name]


@cache
def ranking(case: Case, *, of_frame: bool = True) -> dv.Ranking:
    if case.is_loss:
        return dv.rank(archive_of(case), loss=case.name)
    data = pd.read_csv(case.file()) if of_frame else case.file()
    return dv.rank(data, value=case.name, higher_is_better=case.higher_is_better)


def ranking_frame_means(case: Case) -> Iterator[Mean]:
    for method, row in ranking(case).to_frame().iterrows():
        yield Mean(method, None, measured(row, case, "mean"))
        yield Mean(method, None, row["median"], "median")


def ranking_pairs(case: Case) -> Iterator[Pair]:
    for row in ranking(case).pairs().to_dict("records"):
        yield Pair(
            row["method_a"],
            row["method_b"],
            None,
            row["difference"],
            None,
            None,
            row["verdict"],
            row["p_adjusted"],
        )


def ranking_report_means(case: Case, form: str) -> Iterator[Mean]:
    text = ranking(case).report(form)
    return methods_table_means(text)


@cache
def comparison(case: Case) -> dv.Comparison:
    """Compare two methods by the frame of their folds."""
    frame = pd.read_csv(case.file()).query("method in ['ant', 'bee']").drop(columns="seconds")
    return dv.compare(frame, value=case.name, higher_is_better=case.higher_is_better)


def comparison_rows(rows: list[Row]) -> Iterator[Pair]:
    """Read rows of `tables.COMPARISONS`: raw numbers and standardized ones."""
    for row in rows:
        a, b, path = row["method_a"], row["method_b"], path_of(row)
        raw = row["difference"], row["lower"], row["upper"], row["verdict"], row["p_adjusted"]
        yield Pair(a, b, path, *raw, raw=True)
        yield Pair(a, b, path, row["standardized_difference"])


def comparison_means(rows: list[Row]) -> Iterator[Mean]:
    for row in rows:
        for side in "ab":
            yield Mean(row[f"method_{side}"], path_of(row), row[f"mean_{side}"], raw=True)


def results_means(case: Case) -> Iterator[Mean]:
    for row in frame_rows(case, "results"):
        yield Mean(row["method"], path_of(row), row["mean"], raw=True)
        yield Mean(row["method"], path_of(row), row["standardized_mean"])


def losses_means(case: Case) -> Iterator[Mean]:
    for row in frame_rows(case, "losses"):
        mean = sum(row["values"]) / len(row["values"])
        yield Mean(row["method"], path_of(row), mean, f"run {row['instance']}", raw=True)


def scores_means(case: Case) -> Iterator[Mean]:
    rows = dv.scores(archive_of(case), losses=f"^{re.escape(case.name)}$" if case.is_loss else None)
    return runs_means(rows.to_pylist(), case)


@cache
def compare_rows(case: Case) -> list[Row]:
    loss = case.name if case.is_loss else None
    return list(archive_of(case).compare("/", loss=loss).to_pylist())


@cache
def view_rows(case: Case) -> list[Row]:
    return list(archive_of(case).array("design", reference="bee").to_frame().to_dict("records"))


def view_means(case: Case) -> Iterator[Mean]:
    for row in view_rows(case):
        yield Mean(row["method"], path_of(row), measured(row, case, "standardized_mean", "mean"))


def view_pairs(case: Case) -> Iterator[Pair]:
    for row in view_rows(case):
        if row["method"] != "bee":
            numbers = row["difference"], None, None, row["verdict"], row["p_adjusted"]
            yield Pair(row["method"], "bee", path_of(row), *numbers)


# mstats, which prints of one task.


def mstats_numbers(case: Case, *options: str) -> dict[str, tuple[float, float]]:
    """Return {line: (raw, standardized)} of the loss of a case on its first task."""
    path = case.expected.values.index[0]
    text = printed(case, mstats.main, *options, f"/ant{path}")
    part = text.partition(f"Loss: {case.name} (")[2].partition("Loss: ")[0]
    matches = re.findall(r"^ *(.+?): +(-?[\d.]+) +(-?[\d.]+)$", part, re.MULTILINE)
    return {line: (float(raw), float(standardized)) for line, raw, standardized in matches}


def mstats_means(case: Case) -> Iterator[Mean]:
    path = case.expected.values.index[0]
    raw, standardized = mstats_numbers(case)["Estimated expected loss"]
    yield Mean("ant", path, raw, raw=True, within=1e-6)
    yield Mean("ant", path, standardized, within=1e-6)


def mstats_pairs(case: Case) -> Iterator[Pair]:
    path = case.expected.values.index[0]
    raw, standardized = mstats_numbers(case, "-c", "/bee")["Estimated expected difference"]
    yield Pair("ant", "bee", path, raw, raw=True, within=1e-6)
    yield Pair("ant", "bee", path, standardized, within=1e-6)


REPORTS = ("text", "md", "html", "tex")
ROUNDED_TABLES = tuple(form for form in PAPER_FORMATS if form not in ("csv", "parquet"))

MEANS: dict[str, Callable[[Case], Iterator[Mean]]] = {
    "rank json": rank_json_means,
    "rank text": rank_text_means,
    "rank latex": rank_latex_means,
    "report text": report_text_means,
    "top json": top_json_means,
    "top csv": top_csv_means,
    "top --each json": each_json_means,
    "top --each csv": each_csv_means,
    "table csv": table_csv_means,
    "mtable csv": mtable_means,
    "dv.rank frame": ranking_frame_means,
    "frame results": results_means,
    "frame losses": losses_means,
    "frame comparisons": lambda case: comparison_means(frame_rows(case, "comparisons")),
    "archive.compare": lambda case: comparison_means(compare_rows(case)),
    "dv.scores": scores_means,
}
MEANS |= {
    f"table {form}": lambda case, form=form: table_text_means(
        case, delve_text(case, "table", "--format", form)
    )
    for form in ROUNDED_TABLES
}
MEANS |= {
    f"dv.rank report {form}": lambda case, form=form: ranking_report_means(case, form) for form in REPORTS
}
PAIRS_OF: dict[str, Callable[[Case], Iterator[Pair]]] = {
    "rank json": rank_json_pairs,
    "rank csv": rank_csv_pairs,
    "rank text": rank_text_pairs,
    "rank json combined": rank_json_combined_pairs,
    "table csv": table_csv_pairs,
    "dv.rank pairs": ranking_pairs,
    "frame comparisons": lambda case: comparison_rows(frame_rows(case, "comparisons")),
    "archive.compare": lambda case: comparison_rows(compare_rows(case)),
}
SCORE_MEANS: dict[str, Callable[[Case], Iterator[Mean]]] = {
    "dv.compare": lambda case: comparison_means(comparison(case).to_frame().to_dict("records")),
    "array effects": array_effects_means,
    "archive.array": view_means,
}
SCORE_MEANS |= {
    f"rank json of {shape}": lambda case, shape=shape: rank_json_means(case, shape)
    for shape in SHAPES
    if shape != "folds"
}
SCORE_MEANS |= {
    f"array {table}": lambda case, table=table: array_means(case, table)
    for table in TABLES
    if table in ("estimates", "winners", "costs")
}
SCORE_PAIRS: dict[str, Callable[[Case], Iterator[Pair]]] = {
    "dv.compare": lambda case: comparison_rows(comparison(case).to_frame().to_dict("records")),
    "archive.array": view_pairs,
    "array estimates": lambda case: array_pairs(case, "estimates"),
    "array differences": lambda case: array_pairs(case, "differences"),
}
SCORE_PAIRS |= {
    f"rank json of {shape}": lambda case, shape=shape: rank_json_pairs(case, shape)
    for shape in SHAPES
    if shape != "folds"
}
LOSS_MEANS = {"mstats": mstats_means}
LOSS_PAIRS = {"mstats -c": mstats_pairs}
