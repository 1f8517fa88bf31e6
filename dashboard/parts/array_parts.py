"""The figures of the Task-arrays page, a tab each."""

import streamlit as st

from dashboard import array_exports, array_tables, data, page, selection, words
from dashboard.array_choice import ArrayChoice
from dashboard.figures.array_curves import LINEAR, LOG, curves_figure
from dashboard.figures.array_differences import differences_map_figure
from dashboard.figures.array_winners import winners_figure
from dashboard.glossary import help_for
from dashboard.page import View

__all__ = ["show_curves", "show_differences", "show_winners"]

SINGLE, HOLM = "Single tests", "Adjusted (Holm)"
HIDDEN = ["colour", "symbol", "dash", "drawn", "hover"]


def compare(view: View, choice: ArrayChoice, clicked: list[dict]) -> None:
    """Go to the Compare page on the task that was clicked."""
    if not clicked or not clicked[0].get("customdata"):
        return
    task, *_ = clicked[0]["customdata"]
    if task:
        selection.choose(task=task, loss=choice.loss, reference=choice.reference)
        st.switch_page(page.file_of("compare"))


def _adjusted() -> bool:
    """Offer to adjust p-values for the number of methods on a task; is it chosen?"""
    return HOLM == selection.local(
        st.segmented_control,
        "p-values",
        "p-values",
        [SINGLE, HOLM],
        required=True,
        label_visibility="collapsed",
        help="Adjusted: Holm's method, over the methods compared on the same task",
    )


def _tests(choice, adjust):
    """Say which tests decide."""
    kind = "p after Holm's adjustment within each task" if adjust else "p of single tests, not adjusted"
    return f"Tests are those of `mstats`, at {100 * choice.alpha:g} %: {kind}."


def show_curves(view: View, choice: ArrayChoice) -> None:
    """Show standardized losses by training-set size, a panel for each combination of levels."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader(
            "How do losses fall with more training cases?", anchor=False, help=help_for("standardized loss")
        )
        scale = selection.local(
            st.segmented_control, "Scale", "scale", [LINEAR, LOG], required=True, label_visibility="collapsed"
        )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.reference, scale)
    table = array_tables.curve_table(*key)
    clicked = page.figure_block(
        data.figure(curves_figure, array_tables.curve_table, *key),
        table.drop(columns=HIDDEN),
        name=array_exports.name_of(choice, "curves"),
        key="array-curves",
        alt=f"Standardized loss of {len(choice.methods)} methods by size of training sets, in small multiples",
        command=array_exports.array_command(choice, "estimates", reference=True),
        selectable=True,
    )
    compare(view, choice, clicked)


def show_winners(view: View, choice: ArrayChoice) -> None:
    """Show the best method of each task, and those not significantly worse."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Who is best, and who is as good?", anchor=False, help=help_for("p-value"))
        adjust = _adjusted()
    st.caption(
        "A cell names the method with the lowest loss of those chosen; markers below it are methods that are not "
        f"significantly worse. {_tests(choice, adjust)}"
    )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.alpha, adjust)
    clicked = page.figure_block(
        data.figure(winners_figure, array_tables.winner_table, *key),
        array_tables.winner_table(*key).drop(
            columns=["row", "column", "others", "untested", "hover", "missing"]
        ),
        name=array_exports.name_of(choice, "winners"),
        key="array-winners",
        alt="Map of the tasks: the best method of each, and the methods not significantly worse",
        command=array_exports.array_command(choice, "winners", "--level", f"{choice.alpha:g}"),
        selectable=True,
    )
    compare(view, choice, clicked)


def show_differences(view: View, choice: ArrayChoice) -> None:
    """Show the differences to the reference on all tasks."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Better or worse than the reference?", anchor=False, help=help_for("p-value"))
        adjust = _adjusted()
    st.caption(
        f"Each method less **{words.escape(choice.reference)}**: ▼ significantly better, ▲ significantly worse, no "
        f"mark: not settled. {_tests(choice, adjust)}"
    )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.reference, choice.alpha, adjust)
    options = ("--level", f"{choice.alpha:g}")
    clicked = page.figure_block(
        data.figure(differences_map_figure, array_tables.difference_table, *key),
        array_tables.difference_table(*key).drop(columns=["hover"]),
        name=array_exports.name_of(choice, "differences"),
        key="array-differences",
        alt=f"Differences of each method to {choice.reference} on every task, shaded by size, marked where significant",
        command=array_exports.array_command(choice, "differences", *options, reference=True),
        selectable=True,
    )
    compare(view, choice, clicked)
