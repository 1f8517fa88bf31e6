"""The Task-arrays page's tabs of causes and costs: effects of the factors, learning, seconds."""

import streamlit as st

from dashboard.frame import page, selection, words
from dashboard.frame.glossary import help_for
from dashboard.frame.page import View
from dashboard.server import archive as opened
from dashboard.task_arrays import (
    data as array_data,
)
from dashboard.task_arrays import (
    driver_tables as array_driver_tables,
)
from dashboard.task_arrays import (
    exports as array_exports,
)
from dashboard.task_arrays.choice import MOST_COLOURED, ArrayChoice
from dashboard.task_arrays.figures.costs import costs_figure
from dashboard.task_arrays.figures.effects import effects_figure, effects_map_figure
from dashboard.task_arrays.figures.slopes import slopes_figure
from delvecore.report.arrays.tables import shown_costs, shown_effects, shown_method_costs, shown_slopes

__all__ = ["show_costs", "show_drivers"]

COST_COLUMNS = {
    "method": st.column_config.TextColumn("Method", pinned=True, help=help_for("method")),
    "tasks": st.column_config.NumberColumn("Tasks", help="Tasks with recorded costs"),
    "instances": st.column_config.NumberColumn("Instances", help=help_for("task instance")),
    "median_seconds": st.column_config.NumberColumn("Median seconds", format="%.3g"),
    "total_seconds": st.column_config.NumberColumn("Seconds in all", format="%.0f"),
    "most_megabytes": st.column_config.NumberColumn("Most memory, MB", format="%.0f"),
    "mean_loss": st.column_config.NumberColumn(
        "Mean loss", format="%.3f", help=help_for("standardized loss")
    ),
    "compared_tasks": st.column_config.NumberColumn(
        "Over tasks", help="Tasks on which all methods have results"
    ),
    "note": st.column_config.TextColumn("Note"),
}


def show_drivers(view: View, choice: ArrayChoice) -> None:
    """Show what drives one method's loss, the same for several, and how fast all learn."""
    array = array_data.array_of(view.state, choice.array)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.subheader("What drives the loss?", anchor=False, help=help_for("factor effect"))
        method = selection.local(
            st.selectbox, "Effects on", "effects-of", choice.methods, label_visibility="collapsed", width=220
        )
    percent = f"{100 * choice.level:g}"
    st.caption(
        f"Effects on **{words.escape(method)}**, the largest first, with {percent} % intervals; open marks "
        "are not significant. At the right: the share of the variation between tasks."
    )
    _effects(view, choice, array, method)
    if len(choice.methods) > 1:
        _effects_of_all(view, choice, array)
    _slopes(view, choice, array)


def _effects(view, choice, array, method):
    key = (view.state, choice.array, choice.loss, method, choice.level)
    table = array_data.effects(view.state, choice.array, choice.loss, (method,), choice.level)
    page.figure_block(
        opened.figure(effects_figure, array_driver_tables.effect_table, *key),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, f"{method}-effects"),
        key="array-effects",
        alt=f"Effects of the factors and their interactions on the loss of {method}, the largest first",
        command=array_exports.array_command(choice, "effects", methods=(method,), test=True),
        latex=array_exports.latex_maker(shown_effects, table, array, level=choice.level),
    )
    if notes := array_driver_tables.effect_notes(table.to_pylist()):
        st.caption(" ".join(notes))


def _effects_of_all(view, choice, array):
    st.subheader("Is it the same for others?", anchor=False)
    more = len(choice.methods) - MOST_COLOURED
    st.caption(
        "▲ raises the loss, ▼ lowers it, significantly; an interaction says by how much the effect of one "
        "factor depends on the other."
        + (f" The best {MOST_COLOURED} of those chosen; all are in the numbers." if more > 0 else "")
    )
    table = array_data.effects(view.state, choice.array, choice.loss, choice.methods, choice.level)
    key = (view.state, choice.array, choice.loss, choice.coloured, choice.level)
    page.figure_block(
        opened.figure(effects_map_figure, array_driver_tables.effect_map_table, *key),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, "effects"),
        key="array-all-effects",
        alt="Effects on the losses of several methods, a row an effect, a column a method",
        command=array_exports.array_command(choice, "effects", test=True),
        latex=array_exports.latex_maker(shown_effects, table, array, level=choice.level),
    )


def _slopes(view, choice, array):
    st.subheader("Who learns fastest?", anchor=False, help=help_for("learning slope"))
    st.caption(
        "How much the loss changes with each doubling of the training cases, with intervals; open marks are "
        "not significantly different from no change."
    )
    key = (view.state, choice.array, choice.loss, choice.methods, choice.level)
    table = array_data.slopes(*key)
    page.figure_block(
        opened.figure(slopes_figure, array_driver_tables.slope_table, *key),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, "slopes"),
        key="array-slopes",
        alt="Slopes of the learning curves of each method in each panel of the array",
        command=array_exports.array_command(choice, "slopes", test=True),
        latex=array_exports.latex_maker(shown_slopes, table, array, level=choice.level),
    )


def show_costs(view: View, choice: ArrayChoice) -> None:
    """Show seconds against losses, and what the whole array costs."""
    key = (view.state, choice.array, choice.loss, choice.methods)
    table, array = array_data.costs(*key), array_data.array_of(view.state, choice.array)
    drawn = array_driver_tables.cost_table(*key)
    st.subheader("What does a lower loss cost?", anchor=False, help=help_for("computing cost"))
    if drawn.empty:
        page.empty_state(
            "No costs recorded.",
            "Seconds and memory are kept when a method is run on the array:",
            "delve run METHOD /DATASET",
        )
        return
    st.caption(_about_costs(drawn))
    page.figure_block(
        opened.figure(costs_figure, array_driver_tables.cost_table, *key),
        array_exports.numbers_of(table, array),
        name=array_exports.name_of(choice, "costs"),
        key="array-costs",
        alt="Mean loss against seconds of an instance, a path a method from small to large training sets",
        command=array_exports.array_command(choice, "costs"),
        latex=array_exports.latex_maker(shown_costs, table, array),
    )
    totals = array_data.costs_of_methods(*key)
    whole = array_exports.numbers_of(totals, array).drop(columns="loss")
    if not whole["note"].fillna("").any():
        whole = whole.drop(columns="note")
    page.table_block(
        whole,
        name=array_exports.name_of(choice, "total-costs"),
        alt="Seconds and memory of each method over the whole array",
        latex=array_exports.latex_maker(shown_method_costs, totals, array),
        column_config=COST_COLUMNS,
    )


def _about_costs(drawn):
    tasks = words.count(drawn.attrs["compared"], "task")
    without, apart = (
        words.and_list([words.escape(name) for name in drawn.attrs[kind]]) for kind in ("without", "apart")
    )
    return (
        "A path a method, from the smallest training sets (small marks) to the largest; means over the "
        f"{tasks} that all methods drawn have."
        + (f" No costs of {without}." if without else "")
        + (f" Not drawn, for too few tasks are done: {apart}." if apart else "")
    )
