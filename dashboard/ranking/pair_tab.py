"""The tab of two methods in full: task by task, what Bayesian tests say, how large the difference is."""

import streamlit as st

from dashboard.frame import page, selection, words
from dashboard.ranking import details, exports, tables
from dashboard.ranking.choice import MINE, Request
from dashboard.ranking.data import drawn
from dashboard.ranking.details import Pair
from dashboard.ranking.figures.bayes_triangle import bayes_triangle_figure
from dashboard.ranking.figures.pair_scatter import pair_scatter_figure
from dashboard.ranking.verdict import pair_sentence

__all__ = ["show_pair"]

ROPES = ("0.01", "0", "0.005", "0.02", "0.05", "0.1")
EFFECTS = {
    "effect": st.column_config.TextColumn("Effect"),
    "estimate": st.column_config.NumberColumn("Estimate", format="%.3g"),
    "lower": st.column_config.NumberColumn("From", format="%.3g"),
    "upper": st.column_config.NumberColumn("To", format="%.3g"),
    "none": st.column_config.NumberColumn("No difference", format="%.3g"),
}


def show_pair(request: Request) -> None:
    """Show the tab: two methods to choose, and all of them."""
    pairs = tables.pairs_of(request)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = selection.local(st.selectbox, "First method", "first", pairs.methods, width=260)
        others = [name for name in pairs.methods if name != first]
        usual = request.control if request.control in others else others[0]
        others.insert(0, others.pop(others.index(usual)))
        pair = Pair(first, selection.local(st.selectbox, "Second method", "second", others, width=260))
        rope = selection.local(
            st.selectbox,
            "Practically the same within",
            "rope",
            list(ROPES),
            width=220,
            help="The region of practical equivalence: differences of at most this do not matter, in the "
            "unit of the values",
        )
    st.markdown(pair_sentence(pairs, pair, details.tasks_needed_for(request, pair)))
    left, right = st.columns(2, gap="medium")
    with left:
        _scatter(request, pair)
    with right:
        _triangle(request, pair, float(rope))
        _effects(request, pair)


def _scatter(request: Request, pair: Pair) -> None:
    st.subheader("Is it so on every task?", anchor=False)
    found = details.scatter_of(request, pair)
    click = "" if request.source == MINE else "Click one to compare there."
    tested = "Filled: settled by the task’s own test. " if found.tested else ""
    st.caption(f"One mark a task; on the dashed line both are as good. {tested}{click}")
    table = tables.frame_of(found.points, "task", "first", "second", "settled", "p")
    points = page.figure_block(
        drawn(pair_scatter_figure, details.scatter_of, request, pair),
        table.rename(columns=pair._asdict()),
        name=exports.name_of(request, "pair"),
        key="ranking-scatter",
        alt=f"Values of {pair.first} and {pair.second} on {len(table)} tasks",
        command=exports.command(request),
        selectable=request.source != MINE,
    )
    paths = [point["customdata"] for point in points if point.get("customdata")]
    if paths:
        path = paths[0][0] if isinstance(paths[0], list) else paths[0]
        selection.choose(task=path, methods=tuple(pair), reference=pair.second)
        st.switch_page(page.file_of("compare"))


def _triangle(request: Request, pair: Pair, rope: float) -> None:
    st.subheader("How probable is it on a new task?", anchor=False)
    test = selection.local(
        st.segmented_control,
        "Bayesian test",
        "bayes",
        list(details.BAYES),
        required=True,
        label_visibility="collapsed",
        format_func=lambda name: f"{name} test".capitalize(),
    )
    st.caption("Each dot is one draw from what the test believes; the corner it is in is most probable then.")
    said = details.pair_posteriors(request, pair, rope)
    page.figure_block(
        drawn(bayes_triangle_figure, details.triangle_of, request, pair, rope, test),
        said.rename(columns={name: f"{method} better" for name, method in pair._asdict().items()}),
        name=exports.name_of(request, "triangle"),
        key="ranking-triangle",
        alt=f"Probability triangle of {pair.first}, {pair.second} and practical equivalence",
        command=exports.command(request),
    )


def _effects(request: Request, pair: Pair) -> None:
    st.caption(
        f"How large is it? {words.escape(pair.first)} less {words.escape(pair.second)}, with intervals."
    )
    page.table_block(
        details.pair_effects(request, pair),
        name=exports.name_of(request, "effects"),
        alt=f"Effect sizes of {pair.first} against {pair.second}",
        column_config=EFFECTS,
    )
