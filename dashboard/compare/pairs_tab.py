"""The tab of the page Compare for pairs: all of them as a matrix, and what `mstats -c` prints of each."""

import pandas as pd
import streamlit as st

from dashboard.compare import data, exports, tables, verdict
from dashboard.compare.choice import Request
from dashboard.compare.data import Row
from dashboard.compare.figures.pair_matrix import Cell, pair_matrix_figure
from dashboard.compare.number_columns import GROUPS, SPREADS, NumberColumns, error_column, show_numbers
from dashboard.frame import page, words
from dashboard.server import archive as opened

__all__ = ["show_pairs"]


def show_pairs(request: Request) -> None:
    """Show all pairs, with more than two methods as a matrix too: with two the sentence says it all."""
    if len(request.methods) > 2:
        _show_matrix(request)
    st.subheader("Every pair in numbers", anchor=False)
    show_numbers(
        _columns(request),
        request,
        "pairs-table",
        alt="Differences of all pairs of methods with standard errors, intervals and p-values",
        files={"CSV": exports.pairs_csv, "LaTeX": exports.pairs_latex},
    )
    st.caption("The same numbers on the command line, the reference first:")
    st.code(exports.mstats_command(request), language=None)


def _show_matrix(request: Request) -> None:
    st.subheader("Who is better than whom?", anchor=False)
    st.caption(
        "The row's method less the column's. Shaded cells are settled; p-values are those of single tests, "
        "not adjusted for their number."
    )
    page.figure_block(
        opened.figure(pair_matrix_figure, tables.pair_matrix, request),
        pd.DataFrame(tables.pair_matrix(request).cells, columns=Cell._fields),
        name=request.file_name("matrix"),
        key="matrix",
        alt="Matrix of all pairs of methods: difference, p-value and whether it is settled",
        command=exports.mstats_command(request),
    )


def _columns(request: Request) -> NumberColumns:
    rows = data.ordered_pairs(request)
    names = {f"Method {side}": [row[f"method_{side}"] for row in rows] for side in "ab"}
    found = NumberColumns(rows, pinned=names)
    found.columns["a is"] = [verdict.pair_verdict(row, request.level) for row in rows]
    found.columns["p"] = [verdict.probability(row).removeprefix("p ").removeprefix("= ") for row in rows]
    for prefix, group in GROUPS:
        titles = {
            f"{prefix}difference": f"a − b, {group}",
            error_column(prefix): f"SE, {group}",
            f"{prefix}lower": f"{100 * request.level:g} % from, {group}",
            f"{prefix}upper": f"to, {group}",
        }
        titles |= {f"{prefix}{name}": f"{title}, {group}" for name, title in SPREADS.items()}
        found.add(titles, prefix)
    found.columns["Test"] = [_test(row) for row in rows]
    found.columns["Training sets"] = pd.array([row["instances"] for row in rows], dtype="Int64")
    found.columns["Note"] = [row["note"] for row in rows]
    return found


def _test(row: Row) -> str | None:
    """`t = -10.67, 7 df`, `F = 4.07, 1.02 and 39.1 df`."""
    if row["test"] is None:
        return None
    degrees = words.number(row["df1"], digits=3)
    if row["df2"] is not None:
        degrees += f" and {words.number(row['df2'], digits=3)}"
    return f"{row['test']} = {words.number(row['statistic'])}, {degrees} df"
