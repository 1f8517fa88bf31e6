"""The upper part of the page Ranking: the critical-difference diagram, and the pairs beside it."""

import streamlit as st

from dashboard.frame import page, selection
from dashboard.ranking import data as ranking_data
from dashboard.ranking import exports as ranking_exports
from dashboard.ranking import tables as ranking_tables
from dashboard.ranking.data import CONTROL, NEMENYI, WILCOXON, Question
from dashboard.ranking.figures.critical_difference import critical_difference_figure
from dashboard.ranking.figures.critical_difference_layout import MANY, NARROWEST
from dashboard.ranking.figures.rank_pairs import MOST_IN_WORDS, rank_pairs_figure
from delvecore.statistics.ranking.analysis import Analysis

__all__ = ["show_diagram", "show_pairs", "show_top"]

CAPTIONS = {
    NEMENYI: "Mean ranks, best at the left. Methods under one bar are within the critical difference (CD).",
    WILCOXON: "Mean ranks, best at the left. Of methods joined by a bar no pair differs; a dotted part "
    "passes over methods that do not belong.",
    CONTROL: "Mean ranks, best at the left. The control is bold, methods beyond the critical difference (CD) "
    "of it are in italics.",
}
WIDTHS = {
    "as wide as the page": None,
    "one column, 85 mm": (321, 10, 8),
    "two columns, 178 mm": (673, 12, 10),
}
"""Of the diagram, with the size of its letters for few and for many methods, in pixels of 1/96 inch."""
TERMS = (
    "Friedman’s test",
    "Holm’s adjustment",
    "critical difference",
    "mean rank",
    "p-value",
    "region of practical equivalence",
    "win rate",
)
ROOMS = {True: 440, False: 620}
MOST_BESIDE, MOST_ON_PHONE = 5, 3
"""Up to so many methods the matrix stands beside the diagram; has its numbers in it on a phone."""
SMALL = 10
"""Size of letters of a diagram of many methods on a phone."""
MOST_PAIRS = 60


def show_top(question: Question, found: Analysis) -> None:
    """Show the diagram and all pairs, side by side where the matrix has its numbers in it."""
    if len(found.table.methods) <= MOST_BESIDE:
        left, right = st.columns(2, gap="medium")
    else:
        left, right = st.container(), st.container()
    with left:
        show_diagram(question, found)
    with right:
        show_pairs(question, found)


def show_diagram(question: Question, found: Analysis) -> None:
    """Show the critical-difference diagram of the test chosen."""
    st.subheader("Which methods cannot be told apart?", anchor=False)
    st.caption(CAPTIONS[question.test])
    table = ranking_tables.diagram_table(question)
    width = WIDTHS[st.query_params.get("width", "")] if st.query_params.get("width") in WIDTHS else None
    if width:
        many = len(table) > MANY
        details = {"width": width[0], "font": width[1 + many]}
    else:
        details = {"room": _room(found)}
        details |= {"font": SMALL} if _on_phone() and len(table) > MANY else {}
    page.figure_block(
        ranking_data.drawn(critical_difference_figure, ranking_tables.diagram_table, question, **details),
        ranking_exports.diagram_numbers(question),
        name=ranking_exports.name_of(question, "critical-difference"),
        key="critical-difference",
        alt="Critical-difference diagram: "
        + "; ".join(f"{line.method} mean rank {line.rank:.2f}" for line in table.itertuples()),
        command=ranking_exports.command(question),
    )
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        selection.local(
            st.segmented_control,
            "Width of the diagram",
            "width",
            list(WIDTHS),
            required=True,
            label_visibility="collapsed",
            help="For a paper: drawn anew, with letters of 7.5 or 9 points; where methods are many, 6 or 7.5",
        )
        page.explain(*TERMS)


def _room(found):
    """How many pixels is the diagram sure to have? Beside the pairs fewer than above them."""
    if _on_phone():
        return NARROWEST
    return ROOMS[len(found.table.methods) <= MOST_BESIDE]


def _on_phone():
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def show_pairs(question: Question, found: Analysis) -> None:
    """Show the matrix of all pairs, which does not depend on what else is compared."""
    st.subheader("Which method is better than which?", anchor=False)
    better = "higher" if found.table.higher_is_better else "lower"
    st.caption(
        f"The row less the column: mean difference ({better} is better), tasks won / tied / lost, p of "
        "Wilcoxon’s test of that pair alone, not adjusted. None of it depends on the other methods."
    )
    if len(found.table.methods) > MOST_PAIRS:
        st.caption(f"The first {MOST_PAIRS} methods by mean rank; all are in the numbers.")
    most = MOST_ON_PHONE if _on_phone() else MOST_IN_WORDS
    page.figure_block(
        ranking_data.drawn(rank_pairs_figure, first_pairs, question, most_in_words=most),
        ranking_exports.pairs_numbers(question),
        name=ranking_exports.name_of(question, "pairs"),
        key="ranking-pairs",
        alt="Matrix of all pairs of methods: mean difference, tasks won, tied and lost, p-value",
        command=ranking_exports.command(question),
    )


def first_pairs(question: Question):
    """The pairs of the first methods, as many as a matrix can hold."""
    table = ranking_tables.pairs_table(question)
    names = list(dict.fromkeys(table["row"]))
    if len(names) <= MOST_PAIRS:
        return table
    kept = set(names[:MOST_PAIRS])
    return table[table["row"].isin(kept) & table["column"].isin(kept)]
