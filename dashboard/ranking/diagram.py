"""The upper part of the page Ranking: the critical-difference diagram, and the pairs beside it."""

import streamlit as st

from dashboard.frame import page, selection
from dashboard.ranking import exports, tables
from dashboard.ranking.choice import CONTROL, NEMENYI, WILCOXON, Request
from dashboard.ranking.data import analysis_of, drawn
from dashboard.ranking.figures.critical_difference import critical_difference_figure
from dashboard.ranking.figures.critical_difference_layout import MANY, NARROWEST
from dashboard.ranking.figures.rank_pairs import MOST_IN_WORDS, rank_pairs_figure

__all__ = ["show_top"]

CAPTIONS = {
    NEMENYI: "Mean ranks, best at the left. Methods under one bar are within the critical difference (CD).",
    WILCOXON: "Mean ranks, best at the left. Of methods joined by a bar no pair differs; a dotted part "
    "passes over methods that do not belong.",
    CONTROL: "Mean ranks, best at the left. The control is bold, methods beyond the critical difference (CD) "
    "of it are in italics.",
}
WIDTHS: dict[str, tuple[int, int, int] | None] = {
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


def show_top(request: Request) -> None:
    """Show the diagram and all pairs, side by side where the matrix has its numbers in it."""
    if _are_few(request):
        left, right = st.columns(2, gap="medium")
    else:
        left, right = st.container(), st.container()
    with left:
        _show_diagram(request)
    with right:
        _show_pairs(request)


def _are_few(request: Request) -> bool:
    return len(tables.pairs_of(request).methods) <= MOST_BESIDE


def _show_diagram(request: Request) -> None:
    """Show the critical-difference diagram of the test chosen."""
    st.subheader("Which methods cannot be told apart?", anchor=False)
    st.caption(CAPTIONS[request.test])
    methods = tables.diagram_of(request).methods
    many = len(methods) > MANY
    if width := WIDTHS.get(st.query_params.get("width", "")):
        shape = {"width": width[0], "font": width[1 + many]}
    else:
        shape = {"room": _room(request)} | ({"font": SMALL} if _on_phone() and many else {})
    page.figure_block(
        drawn(critical_difference_figure, tables.diagram_of, request, **shape),
        tables.diagram_numbers(request),
        name=exports.name_of(request, "critical-difference"),
        key="critical-difference",
        alt="Critical-difference diagram: "
        + "; ".join(f"{one.method} mean rank {one.rank:.2f}" for one in methods),
        command=exports.command(request),
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


def _room(request: Request) -> int:
    """How many pixels is the diagram sure to have? Beside the pairs fewer than above them."""
    if _on_phone():
        return NARROWEST
    return ROOMS[_are_few(request)]


def _on_phone() -> bool:
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def _show_pairs(request: Request) -> None:
    """Show the matrix of all pairs, which does not depend on what else is compared."""
    st.subheader("Which method is better than which?", anchor=False)
    found = analysis_of(request)
    better = "higher" if found.table.higher_is_better else "lower"
    st.caption(
        f"The row less the column: mean difference ({better} is better), tasks won / tied / lost, p of "
        "Wilcoxon’s test of that pair alone, not adjusted. None of it depends on the other methods."
    )
    if len(found.table.methods) > tables.MOST_PAIRS:
        st.caption(f"The first {tables.MOST_PAIRS} methods by mean rank; all are in the numbers.")
    most = MOST_ON_PHONE if _on_phone() else MOST_IN_WORDS
    page.figure_block(
        drawn(rank_pairs_figure, tables.first_pairs, request, most_in_words=most),
        tables.pairs_numbers(request),
        name=exports.name_of(request, "pairs"),
        key="ranking-pairs",
        alt="Matrix of all pairs of methods: mean difference, tasks won, tied and lost, p-value",
        command=exports.command(request),
    )
