"""The tables of the Compare page: what `mstats` prints of each method and each pair, and its files."""

import pandas as pd
import streamlit as st

from dashboard.compare import data as compare_data
from dashboard.compare import exports as compare_exports
from dashboard.compare import verdict
from dashboard.compare.choice import Choice
from dashboard.compare.pictures import name_of
from dashboard.frame import words
from dashboard.frame.page import View
from delvecore.report.rounding import column_decimals

__all__ = ["show_pairs_table", "show_statistics"]

GROUPS = (("", "raw"), ("standardized_", "std."))
SPREADS = {"sd_training": "SD train", "sd_cases": "SD cases", "sd_residual": "SD rest"}
ABOUT = {
    "Loss": "Estimated expected loss",
    "SE": "Standard error of the estimate",
    "a − b": "Estimated expected difference: below zero method a is better",
    "SD train": "Standard deviation from training sets and stochastic training",
    "SD cases": "Standard deviation from test cases",
    "SD rest": "Standard deviation from whatever else: interactions, stochastic predictions, and test cases "
    "where each training set has its own",
}


def show_statistics(view: View, choice: Choice) -> None:
    """Show what `mstats` prints of each method, raw and standardized."""
    st.subheader("What makes the losses vary?", anchor=False)
    st.caption(
        "Lowest loss first; the standardized columns are in units of the baseline. Hover over a heading."
    )
    found = {row["method"]: row for row in compare_data.estimates(view.state, choice.task.path, choice.loss)}
    rows = [found[name] for name in choice.methods]
    verdicts = _against_best(view, choice, rows)
    table, config = _statistics_table(rows, verdicts)
    st.dataframe(
        table,
        hide_index=True,
        column_config=config,
        placeholder=words.NO_VALUE,
        alt="Estimated expected losses, raw and standardized, with standard errors and standard deviations",
        key="table-statistics",
    )
    _downloads(
        choice,
        "estimates-table",
        lambda: compare_exports.estimates_csv(rows),
        lambda: compare_exports.estimates_latex(rows, choice),
    )


def _against_best(view, choice, rows):
    """Return a few words on each method against the one with the lowest loss."""
    best = choice.methods[0]
    found = compare_data.pairs(view.state, choice.task.path, choice.loss, choice.level)
    pairs = {row["method_a"]: row for row in compare_data.pairs_against(found, best, choice.methods)}
    said = {
        name: f"{verdict.pair_verdict(row, choice.level)}, {verdict.probability(row)}"
        if row["p"] is not None
        else verdict.pair_verdict(row, choice.level)
        for name, row in pairs.items()
    }
    return [said.get(row["method"], "lowest" if row["mean"] is not None else "no mean") for row in rows]


def _statistics_table(rows, verdicts):
    """Return the table and its column configuration; columns of one kind have the same decimals."""
    columns = {"Method": [row["method"] for row in rows], "Against the lowest": verdicts}
    config = {"Method": st.column_config.TextColumn(pinned=True)}
    for prefix, group in GROUPS:
        titles = {f"{prefix}mean": f"Loss, {group}", _error(prefix): f"SE, {group}"}
        titles |= {f"{prefix}{name}": f"{title}, {group}" for name, title in SPREADS.items()}
        _add_numbers(columns, config, rows, titles, _error(prefix))
    columns["Training sets"] = [row["instances"] for row in rows]
    columns["Test cases"] = [row["test_cases"] for row in rows]
    return pd.DataFrame(columns), config


def _downloads(choice, what, make_csv, make_latex):
    with st.container(horizontal=True, key=f"files-{what}"):
        for kind, make, mime in (("CSV", make_csv, "text/csv"), ("LaTeX", make_latex, "text/x-tex")):
            st.download_button(
                kind,
                data=make,
                file_name=f"{name_of(choice, what)}.{'csv' if kind == 'CSV' else 'tex'}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"{kind}-{what}",
            )


def show_pairs_table(view: View, choice: Choice) -> None:
    """Show what `mstats -c` prints of each pair, raw and standardized."""
    found = compare_data.pairs(view.state, choice.task.path, choice.loss, choice.level)
    rows = [pair for name in choice.methods for pair in _pairs_below(found, name, choice.methods)]
    st.subheader("Every pair in numbers", anchor=False)
    table, config = _pairs_frame(rows, choice)
    st.dataframe(
        table,
        hide_index=True,
        column_config=config,
        placeholder=words.NO_VALUE,
        alt="Differences of all pairs of methods with standard errors, intervals and p-values",
        key="table-pairs",
    )
    _downloads(
        choice,
        "pairs-table",
        lambda: compare_exports.pairs_csv(rows),
        lambda: compare_exports.pairs_latex(rows, choice),
    )
    st.caption("The same numbers on the command line, the reference first:")
    st.code(compare_exports.mstats_command(choice), language=None)


def _pairs_below(found, method, methods):
    """Return the pairs of a method with those after it, it being method_b: positive where it is better."""
    later = methods[methods.index(method) + 1 :]
    return compare_data.pairs_against(found, method, later)


def _pairs_frame(rows, choice):
    """Return the table and its column configuration; columns of one kind have the same decimals."""
    columns = {
        "Method a": [row["method_a"] for row in rows],
        "Method b": [row["method_b"] for row in rows],
        "a is": [verdict.pair_verdict(row, choice.level) for row in rows],
        "p": [verdict.probability(row).removeprefix("p ").removeprefix("= ") for row in rows],
    }
    config = {name: st.column_config.TextColumn(pinned=True) for name in ("Method a", "Method b")}
    for prefix, group in GROUPS:
        _add_numbers(columns, config, rows, _pair_titles(prefix, group, choice.level), _error(prefix))
    columns["Test"] = [_test(row) for row in rows]
    columns["Training sets"] = pd.array([row["instances"] for row in rows], dtype="Int64")
    columns["Note"] = [row["note"] for row in rows]
    return pd.DataFrame(columns), config


def _pair_titles(prefix, group, level):
    """Return {column of the pairs: title}."""
    return {
        f"{prefix}difference": f"a − b, {group}",
        _error(prefix): f"SE, {group}",
        f"{prefix}lower": f"{100 * level:g} % from, {group}",
        f"{prefix}upper": f"to, {group}",
        f"{prefix}sd_training": f"SD train, {group}",
        f"{prefix}sd_cases": f"SD cases, {group}",
        f"{prefix}sd_residual": f"SD rest, {group}",
    }


def _about(title):
    return ABOUT.get(title.partition(",")[0])


def _error(prefix):
    return f"{prefix}error" if prefix else "standard_error"


def _add_numbers(columns, config, rows, titles, error):
    """Add a column a title, with the decimals that the column of standard errors asks for."""
    decimals = column_decimals(row[error] for row in rows)
    for name, title in titles.items():
        if name.endswith("sd_cases") and all(row[name] is None for row in rows):
            continue
        columns[title] = pd.array([row[name] for row in rows], dtype="Float64")
        config[title] = st.column_config.NumberColumn(format=f"%.{decimals}f", help=_about(title))


def _test(row):
    """`t = -10.67, 7 df`, `F = 4.07, 1.02 and 39.1 df`."""
    if row["test"] is None:
        return None
    degrees = words.number(row["df1"], digits=3)
    if row["df2"] is not None:
        degrees += f" and {words.number(row['df2'], digits=3)}"
    return f"{row['test']} = {words.number(row['statistic'])}, {degrees} df"
