"""The Task-arrays page's tabs of losses: curves, winners, differences to the reference."""

import streamlit as st

from dashboard.frame import page, selection, words
from dashboard.frame.glossary import help_for
from dashboard.frame.page import View
from dashboard.server import archive as opened
from dashboard.task_arrays import data as array_data
from dashboard.task_arrays import exports as array_exports
from dashboard.task_arrays import tables as array_tables
from dashboard.task_arrays.choice import MOST_COLOURED, ArrayChoice
from dashboard.task_arrays.figures.curves import LINEAR, LOG, curves_figure
from dashboard.task_arrays.figures.differences import differences_map_figure
from dashboard.task_arrays.figures.winners import winners_figure
from delvecore.report.arrays.tables import shown_differences, shown_estimates, shown_winners

__all__ = ["show_curves", "show_differences", "show_winners"]

SINGLE, HOLM = "Single tests", "Adjusted (Holm)"


def compare(choice: ArrayChoice, clicked: list[dict]) -> None:
    """Go to the Compare page on the task that was clicked."""
    task = (clicked[0].get("customdata") or [None])[0] if clicked else None
    if task:
        selection.choose(task=task, loss=choice.loss, reference=choice.reference)
        st.switch_page(page.file_of("compare"))


def _adjusted() -> bool:
    """Offer to adjust p-values for the number of methods on a task; is it chosen?"""
    chosen = selection.local(
        st.segmented_control,
        "p-values",
        "p-values",
        [SINGLE, HOLM],
        required=True,
        label_visibility="collapsed",
        help="Adjusted: Holm's method, over the methods tested on the same task",
    )
    return chosen == HOLM


def _tests(choice, adjust):
    """Say which tests decide."""
    kind = "adjusted by Holm's method within each task" if adjust else "not adjusted for their number"
    return f"Tests at {100 * choice.alpha:g}\N{NO-BREAK SPACE}%, {kind}."


def _usable_scale(choice, state, scale):
    """A logarithmic axis needs losses above zero."""
    losses = array_data.results(state, choice.array, choice.loss, choice.methods).value
    if scale == LOG and (losses <= 0).any():
        st.info("Some of these losses are not above zero; the scale is linear.", icon=":material/info:")
        return LINEAR
    return scale


def show_curves(view: View, choice: ArrayChoice) -> None:
    """Show standardized losses by training-set size, a panel for each combination of levels."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = "How do losses fall with more training cases?"
        st.subheader(title, anchor=False, help=help_for("standardized loss"))
        scale = selection.local(
            st.segmented_control, "Scale", "scale", [LINEAR, LOG], required=True, label_visibility="collapsed"
        )
    scale = _usable_scale(choice, view.state, scale)
    grey = len(choice.methods) - MOST_COLOURED
    st.caption(
        "Bars reach one standard error to either side, where they are longer than the marks. Click a mark to "
        "compare the methods on that task."
        + (f" The {words.count(grey, 'method')} beyond the best eight chosen in grey." if grey > 0 else "")
    )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.reference)
    table, array = array_data.estimates(*key), array_data.array_of(view.state, choice.array)
    clicked = page.figure_block(
        opened.figure(curves_figure, array_tables.curve_table, *key, scale),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, "curves"),
        key="array-curves",
        alt=f"Standardized losses of {words.count(len(choice.methods), 'method')} by size of training sets",
        command=array_exports.array_command(choice, "estimates", reference=True, test=True),
        selectable=True,
        latex=array_exports.latex_maker(shown_estimates, table, array, level=choice.level),
    )
    compare(choice, clicked)


def show_winners(view: View, choice: ArrayChoice) -> None:
    """Show the best method of each task, and those not significantly worse."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Who is best, and who is as good?", anchor=False, help=help_for("p-value"))
        adjust = _adjusted()
    st.caption(
        "A cell names the chosen method with the lowest loss; the small marks below are methods that are not "
        f"significantly worse. {_tests(choice, adjust)} Click a cell to compare the methods on that task."
    )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.level, adjust)
    table, array = array_data.winners(*key), array_data.array_of(view.state, choice.array)
    clicked = page.figure_block(
        opened.figure(winners_figure, array_tables.winner_table, *key),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, "winners"),
        key="array-winners",
        alt="Map of the tasks: the best method of each, and the methods not significantly worse",
        command=array_exports.array_command(choice, "winners", test=True, adjust=adjust),
        selectable=True,
        latex=array_exports.latex_maker(shown_winners, table, array, level=choice.level, adjust=adjust),
    )
    compare(choice, clicked)


def show_differences(view: View, choice: ArrayChoice) -> None:
    """Show the differences to the reference on all tasks."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("Better or worse than the reference?", anchor=False, help=help_for("p-value"))
        adjust = _adjusted()
    st.caption(
        f"Each method less **{words.escape(choice.reference)}**: ▼ significantly better, ▲ significantly "
        f"worse, no mark: not settled, –: no results. {_tests(choice, adjust)} Click a cell to compare the "
        "methods on that task."
    )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.reference, choice.level, adjust)
    table, array = array_data.differences(*key), array_data.array_of(view.state, choice.array)
    clicked = page.figure_block(
        opened.figure(differences_map_figure, array_tables.difference_table, *key),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, "differences"),
        key="array-differences",
        alt=f"Differences of each method to {choice.reference} on every task, marked where significant",
        command=array_exports.array_command(choice, "differences", reference=True, test=True, adjust=adjust),
        selectable=True,
        latex=array_exports.latex_maker(shown_differences, table, array, level=choice.level, adjust=adjust),
    )
    compare(choice, clicked)
