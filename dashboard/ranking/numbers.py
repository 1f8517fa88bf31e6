"""The page Ranking in numbers: tests, methods by mean rank, all pairs, all values, with their files."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dashboard.frame import downloads, words
from dashboard.frame.page import View
from dashboard.ranking import exports as ranking_exports
from dashboard.ranking import tables as ranking_tables
from dashboard.ranking.data import CONTROL, Question
from delvecore.report.rounding import p_text
from delvecore.statistics.ranking.analysis import Analysis

__all__ = ["show_numbers"]


def show_numbers(view: View, question: Question, found: Analysis) -> None:
    """Show every number of the analysis."""
    _global_tests(found)
    _order(question, found)
    _pairs(question)
    _values(question)


def _global_tests(found):
    st.subheader("Do the methods differ at all?", anchor=False)
    rows = _global_rows(found)
    table = pd.DataFrame(rows, columns=["Test", "Statistic", "Value", "Degrees of freedom", "p"])
    table["p"] = ["" if p is None else p_text(p) for p in table["p"]]
    st.dataframe(
        table,
        hide_index=True,
        key="ranking-tests",
        alt="Global tests and critical differences",
        column_config={"Value": st.column_config.NumberColumn(format="%.4g")},
    )


def _global_rows(found):
    """Return (test, statistic, value, degrees of freedom, p) of the tests of all methods at once."""
    friedman, davenport, quade, aligned = (
        found.friedman,
        found.iman_davenport,
        found.quade,
        found.aligned_ranks,
    )
    rows = [("Friedman, corrected for ties", "χ²", friedman.chi2, str(friedman.df), friedman.p)]
    rows.append(
        ("Friedman, not corrected", "χ²", friedman.chi2_uncorrected, str(friedman.df), friedman.p_uncorrected)
    )
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
    if found.bonferroni_dunn is not None:
        rows.append(("Bonferroni-Dunn’s critical difference", "CD", found.bonferroni_dunn.cd, "", None))
    return rows


def _order(question, found):
    against = "the control" if question.test == CONTROL else "the first"
    st.subheader("Methods by mean rank", anchor=False)
    st.dataframe(
        ranking_tables.order_table(question),
        hide_index=True,
        key="ranking-order",
        placeholder=words.NO_VALUE,
        alt="Methods by mean rank",
        column_config={
            "method": st.column_config.TextColumn("Method", pinned=True),
            "rank": st.column_config.NumberColumn("Mean rank", format="%.2f"),
            "firsts": st.column_config.NumberColumn("First on", help="Tasks on which no method is better"),
            "median": st.column_config.NumberColumn("Median value", format="%.4g"),
            "p": st.column_config.NumberColumn(f"p against {against}", format="%.2g", help=question.test),
        },
    )
    _files(
        ranking_exports.name_of(question, "order"),
        lambda: downloads.csv_text(ranking_tables.order_table(question)),
        lambda: ranking_exports.order_latex(question),
    )


def _pairs(question):
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
        ranking_exports.pairs_numbers(question),
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
        ranking_exports.name_of(question, "pairs"),
        lambda: downloads.csv_text(ranking_exports.pairs_numbers(question)),
        lambda: ranking_exports.pairs_latex(question),
    )


def _values(question):
    st.subheader("Every value", anchor=False)
    st.caption("Tasks that do not count lack a value.")
    table = ranking_tables.values_table(question)
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
    _files(ranking_exports.name_of(question, "table"), lambda: ranking_exports.scores_csv(question), None)
    by_file = ranking_exports.archive_places(question) is None
    st.caption(f"The same numbers on the command line, from {'this CSV file' if by_file else 'the archive'}:")
    st.code(ranking_exports.command(question), language=None)


def _files(name: str, make_csv: Callable[[], str], make_latex: Callable[[], str] | None) -> None:
    with st.container(horizontal=True, key=f"files-{name}"):
        kinds = [("CSV", make_csv, "csv", "text/csv")]
        kinds += [("LaTeX", make_latex, "tex", "text/x-tex")] if make_latex else []
        for kind, make, ending, mime in kinds:
            st.download_button(
                kind,
                data=make,
                file_name=f"{name}.{ending}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"{kind}-{name}",
            )
