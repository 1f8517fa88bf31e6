"""The tabs of the page Compare in numbers: what `mstats` prints of each method, and of all pairs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.compare import alt_text, data, exports, tables, verdict
from dashboard.compare.choice import RAW, STANDARDIZED, Request
from dashboard.compare.data import Row
from dashboard.ui import page
from delvecore.losses.spec import metric_of
from delvecore.plots import words
from delvecore.plots.compare.pairs import Cell, pair_matrix_figure
from delvecore.report.rounding import column_decimals
from delvecore.stats.choose import adjustment_words

__all__ = ["show_losses", "show_pairs"]

GROUPS = {RAW: "raw", STANDARDIZED: "std."}
SPREADS = {"sd_training": "SD train", "sd_cases": "SD cases", "sd_residual": "SD rest"}
SHORT = "SE: standard error; SD: standard deviation, by what makes the losses vary."
ABOUT = {
    "Loss": "Estimated expected loss",
    "SE": "Standard error of the estimate",
    "a − b": "Estimated expected difference: below zero method a is better",
    "SD train": "Standard deviation from training sets and stochastic training",
    "SD cases": "Standard deviation from test cases",
    "SD rest": "Standard deviation from whatever else: interactions, stochastic predictions, and test cases "
    "where each training set has its own",
}


def show_losses(request: Request) -> None:
    """Show what `mstats` prints of each method, raw and standardized."""
    st.subheader("What makes the losses vary?", anchor=False)
    units = "" if data.is_scored(request) else "; std.: standardized, in units of the baseline"
    title, best = exports.quantity(request)
    st.caption(f"{best.capitalize()} {words.escape(title[0].lower() + title[1:])} first{units}. {SHORT}")
    rows = list(map(data.in_its_metric, data.chosen_estimates(request)))
    pairs = {row["method_a"]: row for row in data.pairs_against(request, request.methods[0])}
    said = {name: verdict.verdict_with_p(pair) for name, pair in pairs.items()}
    against = [said.get(row["method"], best if row["mean"] is not None else "no mean") for row in rows]
    columns = {"Method": [row["method"] for row in rows], f"Against the {best}": against}
    config = _add_numbers(columns, request, rows, {"mean": title, "standard_error": "SE"})
    columns["Training sets"] = [verdict.training_sets(row) for row in rows]
    if not data.is_scored(request):
        columns["Test cases"] = [row["test_cases"] for row in rows]
    alt = "Estimated expected losses, raw and standardized, with standard errors and standard deviations"
    config["Method"] = st.column_config.TextColumn(pinned=True)
    files = {"CSV": exports.estimates_csv, "LaTeX": exports.estimates_latex}
    _show_table(columns, config, "estimates-table", request, alt=alt, files=files)


def _add_numbers(
    columns: dict[str, Any], request: Request, rows: Sequence[Row], titles: Mapping[str, str]
) -> dict[str, Any]:
    """Add columns in both units, with the decimals that their standard errors ask for; return their looks."""
    config: dict[str, Any] = {}
    for unit, group in {RAW: ""}.items() if metric_of(request.loss) else GROUPS.items():
        column = request.in_unit(unit).column
        decimals = column_decimals(row[column("standard_error")] for row in rows)
        for name, title in {**titles, **SPREADS}.items():
            values = [row[column(name)] for row in rows]
            of_all = name not in SPREADS or (group and name != "sd_cases")
            if of_all or any(value is not None for value in values):
                head = f"{title}, {group}" if group else title
                columns[head] = pd.array(values, dtype="Float64")
                look = st.column_config.NumberColumn(format=f"%.{decimals}f", help=_about(title, request))
                config[head] = look
    return config


def _about(title: str, request: Request) -> str | None:
    """Return what a column holds; the metric's own name is what is estimated."""
    metric = metric_of(request.loss)
    if metric is None or title in SPREADS.values() or title == "SE":
        return ABOUT.get(title)
    if title == "a − b":
        side = "above" if metric.higher_is_better else "below"
        return f"Estimated expected difference: {side} zero method a is better"
    return f"Estimated expected {words.escape(words.metric_words(metric))}" if title == metric.name else None


def _show_table(
    columns: Mapping[str, Any],
    config: Mapping[str, Any],
    what: str,
    request: Request,
    *,
    alt: str,
    files: Mapping[str, Callable[[Request], str]],
) -> None:
    """Show a table with its files below it. files: what makes each, by the words on its button."""
    table, key = pd.DataFrame(columns), f"table-{what}"
    st.dataframe(table, hide_index=True, column_config=config, placeholder=words.NO_VALUE, alt=alt, key=key)
    with st.container(horizontal=True, key=f"files-{what}"):
        for kind, make in files.items():
            page.file_button(kind, partial(make, request), request.file_name(what))


def show_pairs(request: Request) -> None:
    """Show all pairs, with more than two methods as a matrix too: with two the sentence says it all."""
    if len(request.methods) > 2:
        st.subheader("Who is better than whom?", anchor=False)
        st.caption(
            "The row's method less the column's; shaded cells are significant. p is "
            f"{adjustment_words(request.setting.adjust)}."
        )
        alt = f"Matrix of all pairs of methods. {alt_text.of_pairs(tables.pair_matrix(request))}"
        shown = (pair_matrix_figure, tables.pair_matrix, Cell._fields)
        exports.show_figure(shown, "matrix", request, alt=alt, command=exports.mstats_command(request))
    st.subheader("Every pair in numbers", anchor=False)
    st.caption(SHORT)
    _show_pair_numbers(request)
    if command := exports.mstats_command(request):
        st.caption("The same numbers on the command line, the reference first:")
        st.code(command, language=None)


def _show_pair_numbers(request: Request) -> None:
    rows = list(map(data.in_its_metric, data.ordered_pairs(request)))
    level = words.level(request.setting.level)
    columns: dict[str, Any] = {f"Method {side}": [row[f"method_{side}"] for row in rows] for side in "ab"}
    pinned = {name: st.column_config.TextColumn(pinned=True) for name in columns}
    columns["a is"] = [verdict.pair_verdict(row) for row in rows]
    adjusted = [verdict.probability(row) for row in rows]
    single = [words.p_value(row["p"]) for row in rows]
    for title, values in (("p, adjusted", adjusted), ("p, single test", single)):
        columns[title] = [text.removeprefix("p ").removeprefix("= ") for text in values]
    titles = {"difference": "a − b", "standard_error": "SE", "lower": f"{level} from", "upper": "to"}
    config = _add_numbers(columns, request, rows, titles)
    columns["Test"] = [_test(row) for row in rows]
    config["Test"] = st.column_config.TextColumn(help="Its statistic and its degrees of freedom (df)")
    columns["Training sets"] = pd.array([row["instances"] for row in rows], dtype="Int64")
    columns["Note"] = [row["note"] for row in rows]
    alt = "Differences of all pairs of methods with standard errors, intervals and p-values"
    files = {"CSV": exports.pairs_csv, "LaTeX": exports.pairs_latex}
    _show_table(columns, pinned | config, "pairs-table", request, alt=alt, files=files)


def _test(row: Row) -> str | None:
    """`t = -10.67, 7 df`, `crossed = 4.07, 1 and 39.1 df`, `percentile`."""
    if row["test"] is None or row["statistic"] is None:
        return row["test"]
    degrees = words.number(row["df1"], digits=3)
    if row["df2"] is not None:
        degrees += f" and {words.number(row['df2'], digits=3)}"
    return f"{row['test']} = {words.number(row['statistic'])}, {degrees} df"
