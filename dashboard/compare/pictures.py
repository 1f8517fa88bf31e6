"""The figures of the Compare page: estimates, differences, all pairs, training sets, sources of error."""

import streamlit as st

from dashboard.compare import exports as compare_exports
from dashboard.compare import tables as compare_tables
from dashboard.compare.choice import Choice
from dashboard.compare.figures.differences import differences_figure
from dashboard.compare.figures.error_bars import error_bars_figure
from dashboard.compare.figures.estimates import estimates_figure
from dashboard.compare.figures.instances import instances_figure
from dashboard.compare.figures.pair_matrix import pair_matrix_figure
from dashboard.frame import page, words
from dashboard.frame.glossary import help_for
from dashboard.frame.page import View
from dashboard.server import archive as opened

__all__ = ["name_of", "show_estimates", "show_matrix", "show_training_sets"]

LOOKS = ["colour", "symbol"]


def name_of(choice: Choice, what: str) -> str:
    """Return the name of a part of the page: of its files, different for each task and loss."""
    return f"{choice.loss}-{'-'.join(choice.task.place)}-{what}"


def _without_looks(table):
    return table.drop(columns=LOOKS)


def show_estimates(view: View, choice: Choice, unit: str) -> None:
    """Show the expected losses, and beside them the differences to the reference."""
    key = (view.state, choice.task.path, choice.loss, choice.methods)
    left, right = st.columns(2, gap="medium")
    command = compare_exports.mstats_command(choice)
    with left:
        st.subheader("How large are the losses?", anchor=False, help=help_for("expected loss"))
        table = compare_tables.estimate_table(*key, unit)
        st.caption("Mean loss; bars reach one standard error to either side.")
        page.figure_block(
            opened.figure(estimates_figure, compare_tables.estimate_table, *key, unit),
            _without_looks(table),
            name=name_of(choice, "estimates"),
            key="estimates",
            alt=f"{unit} loss with standard errors: "
            + "; ".join(f"{line.method} {line.text}" for line in table.itertuples()),
            command=command,
        )
    with right:
        st.subheader("Is the difference sure?", anchor=False, help=help_for("p-value"))
        if len(choice.methods) < 2:
            page.empty_state("One method only.", "Choose a second one above to compare it with.")
            return
        _differences(key, choice, unit, command)


def _differences(key, choice, unit, command):
    arguments = (*key, choice.reference, choice.level, unit)
    table = compare_tables.difference_table(*arguments)
    percent = f"{100 * choice.level:g}"
    st.caption(
        f"Each method less **{words.escape(choice.reference)}**, with {percent} % intervals; "
        "open marks are not settled."
    )
    page.figure_block(
        opened.figure(differences_figure, compare_tables.difference_table, *arguments),
        _without_looks(table),
        name=name_of(choice, "differences"),
        key="differences",
        alt=f"Differences to {choice.reference}: "
        + "; ".join(f"{line.method} {line.text}" for line in table.itertuples()),
        command=command,
    )


def show_matrix(view: View, choice: Choice, unit: str) -> None:
    """Show all pairs as a matrix; with two methods the sentence says it all."""
    if len(choice.methods) < 3:
        return
    st.subheader("Who is better than whom?", anchor=False)
    st.caption(
        "The row's method less the column's. Shaded cells are settled; p-values are those of single tests, "
        "not adjusted for their number."
    )
    arguments = (view.state, choice.task.path, choice.loss, choice.methods, choice.level, unit)
    page.figure_block(
        opened.figure(pair_matrix_figure, compare_tables.pair_matrix_table, *arguments),
        compare_tables.pair_matrix_table(*arguments),
        name=name_of(choice, "matrix"),
        key="matrix",
        alt="Matrix of all pairs of methods: difference, p-value and whether it is settled",
        command=compare_exports.mstats_command(choice),
    )


def show_training_sets(view: View, choice: Choice, unit: str) -> None:
    """Show the losses by training set, and what makes the differences unsure."""
    left, right = st.columns(2, gap="medium")
    key = (view.state, choice.task.path, choice.loss, choice.methods)
    with left:
        st.subheader("Is it so on every training set?", anchor=False, help=help_for("task instance"))
        st.caption("A mark a training set; a line joins the same training set.")
        page.figure_block(
            opened.figure(instances_figure, compare_tables.instance_table, *key, unit),
            _without_looks(compare_tables.instance_table(*key, unit)),
            name=name_of(choice, "training-sets"),
            key="training-sets",
            alt="Mean loss of each method on each training set, joined by training set",
        )
    with right:
        st.subheader("Where does the doubt come from?", anchor=False, help=help_for("standard error"))
        reference = words.escape(choice.reference)
        st.caption(f"Shares in the squared standard error of the difference to **{reference}**.")
        arguments = (*key, choice.reference, choice.level)
        page.figure_block(
            opened.figure(error_bars_figure, compare_tables.error_source_table, *arguments),
            compare_tables.error_source_table(*arguments),
            name=name_of(choice, "error-sources"),
            key="error-sources",
            alt=f"Shares of the squared standard error of each difference to {choice.reference}",
        )
