"""The page Ranking in numbers: tests, methods by mean rank, all pairs, all values, with their files."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.ranking import exports
from dashboard.ranking.choice import Request
from dashboard.ranking.data import analysis_of, per_request, score_table, verdicts_of
from dashboard.ranking.tables import p_against, pairs_numbers, shown
from dashboard.ranking.verdict import first_words
from dashboard.ui import downloads, page
from dashboard.ui.row_pages import part_control
from delvecore.plots import words
from delvecore.plots.ranking.plot_data import names_in_order
from delvecore.report.grid import Column, grid_of_texts
from delvecore.report.ranking.units import adjustment_name, basis_words, units_name
from delvecore.report.rounding import p_text
from delvecore.report.writers.latex import latex_grid
from delvecore.stats.choose import SIGNIFICANT, RankTest, percent

__all__ = ["show_numbers"]

MOST_CELLS = 20_000
"""Of the values a table of so many is seen whole."""


@per_request
def _global_tests(request: Request) -> pd.DataFrame:
    """The tests of all methods at once, and the critical differences."""
    found = analysis_of(request)
    friedman, davenport = found.friedman, found.iman_davenport
    quade, aligned = found.quade, found.aligned_ranks
    df = str(friedman.df)
    rows: list[tuple[str, str, float, str, float | None]] = [
        ("Friedman, corrected for ties", "χ²", friedman.chi2, df, friedman.p),
        ("Friedman, not corrected", "χ²", friedman.chi2_uncorrected, df, friedman.p_uncorrected),
    ]
    if friedman.exact_p is not None:
        rows.append(("Friedman, exact", "χ²", friedman.chi2, "", friedman.exact_p))
    df = f"{davenport.df1}, {davenport.df2}"
    rows.append(("Iman and Davenport, corrected for ties", "F", davenport.f, df, davenport.p))
    rows.append(("Quade, tasks weighted by their range", "F", quade.f, f"{quade.df1}, {quade.df2}", quade.p))
    rows.append(("Aligned ranks", "χ²", aligned.chi2, str(aligned.df), aligned.p))
    if found.given.missing:
        mack = found.skillings_mack
        tasks = words.count(mack.tasks, "task")
        rows.append((f"Skillings and Mack, {tasks}, gaps allowed", "χ²", mack.chi2, str(mack.df), mack.p))
    rows.append(("Nemenyi’s critical difference", "CD", found.nemenyi.cd, "", None))
    if found.nemenyi.spread != 1:
        full, spread = found.nemenyi.full_cd, found.nemenyi.spread
        rows.append(("The same with all variance of ranks (Demšar 2006)", "CD", full, "", None))
        rows.append(("Share of the variance of ranks (Conover 1999)", "factor", spread, "", None))
    if found.bonferroni_dunn is not None:
        rows.append(("Bonferroni-Dunn’s critical difference", "CD", found.bonferroni_dunn.cd, "", None))
    table = pd.DataFrame(rows, columns=["Test", "Statistic", "Value", "Degrees of freedom", "p"])
    return table.assign(p=["" if row[-1] is None else p_text(row[-1]) for row in rows])


@per_request
def _order_table(request: Request) -> pd.DataFrame:
    """Methods by mean rank: method, rank, best_on (how many units), median value, p."""
    found = analysis_of(request)
    order = list(found.order)
    columns = {
        "method": names_in_order(found),
        "rank": found.ranks.average[order],
        "best_on": found.best_on[order],
        "median": np.median(found.table.values, axis=0)[order],
        "p": p_against(request),
    }
    return pd.DataFrame(columns)


@per_request
def _values_table(request: Request) -> pd.DataFrame:
    """The values themselves, a task a row: task, whether it counts, then the methods in order of ranks."""
    found, given = analysis_of(request), score_table(request)
    names, dropped = [*names_in_order(found), *found.dropped_methods], set(found.dropped_tasks)
    columns = dict(zip(names, given.select(methods=names).values.T, strict=True))
    counts = [task not in dropped for task in given.tasks]
    return pd.DataFrame({"task": given.tasks, "counts": counts, **columns})


def show_numbers(request: Request) -> None:
    """Show every number of the analysis."""
    number = st.column_config.NumberColumn
    st.subheader("Do the methods differ at all?", anchor=False)
    config: dict[str, Any] = {"Value": number(format="%.4g")}
    alt = "Global tests and critical differences"
    _show_table(_global_tests(request), "ranking-tests", alt, config, empty=None)
    _show_order(request)
    _show_pairs(request)
    _show_values(request)
    _show_files(exports.name_of(request, "table"), CSV=lambda: exports.scores_csv(request))
    by_file = exports.archive_places(request) is None
    st.caption(f"The same numbers on the command line, from {'this CSV file' if by_file else 'the archive'}:")
    st.code(exports.command(request), language=None)


def _show_values(request: Request) -> None:
    """Show the values, of many tasks and methods a part."""
    st.subheader("Every value", anchor=False)
    st.caption("Tasks that do not count lack a value.")
    table = _values_table(request)
    methods, seen = list(table.columns[2:]), shown(request)
    if len(seen) < len(methods):
        st.caption(f"{first_words(len(seen), len(methods))} The file has all.")
        table = table[[*table.columns[:2], *seen]]
    if table.size > MOST_CELLS:
        table = table[part_control(len(table), "Tasks shown", "values-shown")]
    config = {
        "task": st.column_config.TextColumn("Task", pinned=True, width="medium"),
        "counts": st.column_config.CheckboxColumn("Counts", width="small"),
        **{name: st.column_config.NumberColumn(format="%.4g") for name in table.columns[2:]},
    }
    _show_table(table, "ranking-all-values", "The values of all methods on all tasks", config)


def _show_table(
    table: pd.DataFrame, key: str, alt: str, config: dict[str, Any], empty: str | None = words.NO_VALUE
) -> None:
    st.dataframe(table, hide_index=True, key=key, placeholder=empty, alt=alt, column_config=config)


def _show_files(name: str, **files: Callable[[], str]) -> None:
    """Offer files below a table; a figure of this name has files of its own."""
    with st.container(horizontal=True, key=f"files-{name}"):
        for kind, make in files.items():
            page.file_button(kind, make, name, key=f"{kind}-{name}")


def _show_order(request: Request) -> None:
    number, against = st.column_config.NumberColumn, _against(request)
    units = units_name(analysis_of(request))
    table = _order_table(request)
    st.subheader("Methods by mean rank", anchor=False)
    config = {
        "method": st.column_config.TextColumn("Method", pinned=True),
        "rank": number("Mean rank", format="%.2f"),
        "best_on": number("Best on", help=f"{units.capitalize()} on which no method loses less"),
        "median": number("Median value", format="%.4g"),
        "p": number(f"p against {against}", format="%.2g", help=request.test),
    }
    _show_table(table, "ranking-order", "Methods by mean rank", config)
    name = exports.name_of(request, "order")
    _show_files(name, CSV=lambda: downloads.csv_text(table), LaTeX=lambda: _order_latex(request))


def _show_pairs(request: Request) -> None:
    table = pairs_numbers(request)
    st.subheader("Every pair", anchor=False)
    how = adjustment_name(verdicts_of(request))
    st.caption(f"a less b; p by {request.test}, of the pair alone, and {how}.")
    titles = {"difference": "Mean difference", "median": "Median difference", "p": "p"}
    titles["p_adjusted"] = "p, adjusted"
    config: dict[str, Any] = {
        "row": st.column_config.TextColumn("a", pinned=True),
        "column": st.column_config.TextColumn("b"),
        "wins": "Won",
        "ties": "Tied",
        "losses": "Lost",
        "verdict": "a is",
        **{name: st.column_config.NumberColumn(titles[name], format="%.3g") for name in titles},
    }
    alt = "All pairs of methods with differences, wins, ties, losses and p-values"
    _show_table(table, "ranking-all-pairs", alt, config, empty=None)
    name = exports.name_of(request, "pairs")
    _show_files(name, CSV=lambda: downloads.csv_text(table), LaTeX=lambda: _pairs_latex(request))


def _against(request: Request) -> str:
    return "the control" if request.test == RankTest.CONTROL else "the first"


def _order_latex(request: Request) -> str:
    """Return the methods by mean rank as a booktabs table; the best mean rank is bold."""
    table, alpha = _order_table(request), request.alpha
    against = _against(request)
    note = f"p: against {against}, {request.test}: significant below {alpha:g}. Bold: the best mean rank."
    columns = [Column("Method"), *(Column(title, "r") for title in ("Mean rank", "Best on", "Median", "p"))]
    body = [
        [line.method, f"{line.rank:.2f}", str(line.best_on), f"{line.median:.4g}", _p(line.p)]
        for line in table.itertuples()
    ]
    bold = {(row, 1) for row, rank in enumerate(table["rank"]) if rank == table["rank"].min()}
    title = "Methods by mean rank"
    return _latex(request, columns, body, bold=bold, what="order", title=title, note=note)


def _pairs_latex(request: Request) -> str:
    """Return all pairs as a booktabs table; adjusted p-values of pairs that differ significantly are bold."""
    table, how = pairs_numbers(request), adjustment_name(verdicts_of(request))
    numbers = ("a - b", "won/tied/lost", "p", "p (adjusted)")
    body = []
    for line in table.itertuples():
        counts = f"{line.wins}/{line.ties}/{line.losses}"
        body.append(
            [line.row, line.column, f"{line.difference:+.3g}", counts, _p(line.p), _p(line.p_adjusted)]
        )
    note = f"p: {request.test}, {how}. Bold: significant with {percent(request.level)} confidence."
    columns = [Column("Method a"), Column("Method b"), *(Column(title, "r") for title in numbers)]
    bold = {(row, 5) for row, said in enumerate(table["verdict"]) if said in SIGNIFICANT}
    title = "Pairs of methods"
    return _latex(request, columns, body, bold=bold, what="pairs", title=title, note=note)


def _latex(
    request: Request,
    columns: Sequence[Column],
    body: Sequence[Sequence[str]],
    *,
    bold: set[tuple[int, int]],
    what: str,
    title: str,
    note: str,
) -> str:
    """Return cells as a LaTeX table with what is said around them."""
    found = analysis_of(request)
    note += f" {len(found.table.methods)} methods on {basis_words(found)}"
    if found.dropped_tasks:
        note += f"; {words.count(len(found.dropped_tasks), 'task')} left out for missing values"
    caption, label = f"{title}: {found.table.quantity}.", f"tab:{exports.name_of(request, what)}"
    notes = [f"{note}."]
    return latex_grid(grid_of_texts(columns, body, caption=caption, notes=notes, label=label, bold=bold))


def _p(value: float) -> str:
    return "" if math.isnan(value) else p_text(value)
