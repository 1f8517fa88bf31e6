"""The page Ranking in numbers: tests, methods by mean rank, all pairs, all values, with their files."""

from collections.abc import Callable

import streamlit as st

from dashboard.frame import downloads, page, words
from dashboard.ranking import exports, tables
from dashboard.ranking.choice import CONTROL, Request

__all__ = ["show_numbers"]


def show_numbers(request: Request) -> None:
    """Show every number of the analysis."""
    _global_tests(request)
    _order(request)
    _pairs(request)
    _values(request)


def _global_tests(request: Request) -> None:
    st.subheader("Do the methods differ at all?", anchor=False)
    st.dataframe(
        tables.global_tests(request),
        hide_index=True,
        key="ranking-tests",
        alt="Global tests and critical differences",
        column_config={"Value": st.column_config.NumberColumn(format="%.4g")},
    )


def _order(request: Request) -> None:
    against = "the control" if request.test == CONTROL else "the first"
    st.subheader("Methods by mean rank", anchor=False)
    st.dataframe(
        tables.order_table(request),
        hide_index=True,
        key="ranking-order",
        placeholder=words.NO_VALUE,
        alt="Methods by mean rank",
        column_config={
            "method": st.column_config.TextColumn("Method", pinned=True),
            "rank": st.column_config.NumberColumn("Mean rank", format="%.2f"),
            "firsts": st.column_config.NumberColumn("First on", help="Tasks on which no method is better"),
            "median": st.column_config.NumberColumn("Median value", format="%.4g"),
            "p": st.column_config.NumberColumn(f"p against {against}", format="%.2g", help=request.test),
        },
    )
    _files(
        exports.name_of(request, "order"),
        csv=lambda: downloads.csv_text(tables.order_table(request)),
        latex=lambda: exports.order_latex(request),
    )


def _pairs(request: Request) -> None:
    st.subheader("Every pair", anchor=False)
    st.caption("a less b; p of Wilcoxon’s test of the pair alone, and with Holm’s adjustment over all pairs.")
    numbers = {
        name: st.column_config.NumberColumn(title, format="%.3g")
        for name, title in (
            ("difference", "Mean difference"), ("median", "Median difference"),
            ("p", "p"), ("p_holm", "p, Holm"),
        )
    }  # fmt: skip
    st.dataframe(
        tables.pairs_numbers(request),
        hide_index=True,
        key="ranking-all-pairs",
        alt="All pairs of methods with differences, wins, ties, losses and p-values",
        column_config={
            "row": st.column_config.TextColumn("a", pinned=True),
            "column": st.column_config.TextColumn("b"),
            "wins": "Won",
            "ties": "Tied",
            "losses": "Lost",
            "verdict": "a is",
            **numbers,
        },
    )
    _files(
        exports.name_of(request, "pairs"),
        csv=lambda: downloads.csv_text(tables.pairs_numbers(request)),
        latex=lambda: exports.pairs_latex(request),
    )


def _values(request: Request) -> None:
    st.subheader("Every value", anchor=False)
    st.caption("Tasks that do not count lack a value.")
    table = tables.values_table(request)
    methods = list(table.columns[2:])
    st.dataframe(
        table,
        hide_index=True,
        key="ranking-all-values",
        placeholder=words.NO_VALUE,
        alt="The values of all methods on all tasks",
        column_config={
            "task": st.column_config.TextColumn("Task", pinned=True, width="medium"),
            "counts": st.column_config.CheckboxColumn("Counts", width="small"),
            **{name: st.column_config.NumberColumn(format="%.4g") for name in methods},
        },
    )
    _files(exports.name_of(request, "table"), csv=lambda: exports.scores_csv(request))
    by_file = exports.archive_places(request) is None
    st.caption(f"The same numbers on the command line, from {'this CSV file' if by_file else 'the archive'}:")
    st.code(exports.command(request), language=None)


def _files(name: str, *, csv: Callable[[], str], latex: Callable[[], str] | None = None) -> None:
    """Offer files below a table; a figure of this name has files of its own."""
    with st.container(horizontal=True, key=f"files-{name}"):
        page.file_button("CSV", csv, name, key=f"CSV-{name}")
        if latex:
            page.file_button("LaTeX", latex, name, key=f"LaTeX-{name}")
