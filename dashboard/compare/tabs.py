"""What the Compare page shows below its answer: losses and differences, and the rest in tabs.

The address knows the open tab; only that is drawn."""

from collections.abc import Callable

import streamlit as st

from dashboard.compare import alt_text, data, tables
from dashboard.compare.best import show_best
from dashboard.compare.cases import show_cases
from dashboard.compare.choice import Request
from dashboard.compare.classes import is_classification, show_classes
from dashboard.compare.exports import Shown, mstats_command, quantity, show_figure
from dashboard.compare.numbers import show_losses, show_pairs
from dashboard.ui import controls, page
from dashboard.ui.glossary import help_for
from dashboard.ui.notes import published_note
from delvecore.plots import words
from delvecore.plots.compare.method_rows import (
    Difference,
    ErrorShare,
    Estimate,
    InstanceLoss,
    differences_figure,
    error_bars_figure,
    estimates_figure,
    instances_figure,
)
from delvecore.report.verdict_words import NO_DIFFERENCE

__all__ = ["show_overview", "show_tabs"]


def show_overview(request: Request) -> None:
    """Show the expected losses, and beside them, row by row, the differences to the reference."""
    left, right = st.columns(2, gap="medium")
    with left:
        title, _ = quantity(request)
        is_loss, kind = title == "Loss", words.escape(title)
        asked = "How large are the losses?" if is_loss else f"How large is {kind}?"
        st.subheader(asked, anchor=False, help=help_for("expected loss"))
        what = f"{request.unit} loss" if is_loss else title
        alt = f"{what} with standard errors: {alt_text.of_lines(tables.estimates(request))}"
        shown: Shown = (estimates_figure, tables.estimates, Estimate._fields)
        command = mstats_command(request)
        note = f"Mean {'loss' if is_loss else kind}; bars reach one standard error to either side."
        note += published_note(data.published(request))
        show_figure(shown, "estimates", request, alt=alt, command=command, note=note)
    with right:
        st.subheader("Is the difference sure?", anchor=False, help=help_for("p-value"))
        if len(request.methods) < 2:
            page.empty_state("One method only.", "Choose a second one above to compare it with.")
            return
        reference, level = words.escape(request.reference), words.level(request.setting.level)
        note = f"Each method less **{reference}**, with {level} intervals; open marks: {NO_DIFFERENCE}."
        alt = f"Differences to {request.reference}: {alt_text.of_lines(tables.differences(request))}"
        shown = (differences_figure, tables.differences, Difference._fields)
        show_figure(shown, "differences", request, alt=alt, command=command, note=note)


def show_tabs(request: Request) -> None:
    """Show the tabs that there is something to show in, of which the address knows the open one."""
    tabs: dict[str, Callable[[Request], None]] = {"Losses in numbers": show_losses}
    if len(request.methods) > 1:
        tabs |= {"All pairs": show_pairs, "Training sets": _show_training_sets, "Test cases": show_cases}
        tabs["The best"] = show_best
    if is_classification(request):
        tabs["Classes"] = show_classes
    places = controls.tabs(list(tabs), "compare-part")
    for place, show in zip(places, tabs.values(), strict=True):
        if place.open:
            with place:
                show(request)


def _show_training_sets(request: Request) -> None:
    """Show the losses by training set, and what makes the differences unsure."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Is it so on every training set?", anchor=False, help=help_for("task instance"))
        st.caption("A mark a training set; a line joins the same training set.")
        alt = f"Mean loss on each training set: {alt_text.of_instances(tables.instance_losses(request))}"
        shown: Shown = (instances_figure, tables.instance_losses, InstanceLoss._fields)
        show_figure(shown, "training-sets", request, alt=alt)
    with right:
        st.subheader("Where does the doubt come from?", anchor=False, help=help_for("standard error"))
        reference = words.escape(request.reference)
        st.caption(f"Shares in the squared standard error of the difference to **{reference}**.")
        said = alt_text.of_sources(tables.sources_of_error(request))
        alt = f"Shares of the squared standard error of each difference to {request.reference}: {said}"
        shown = (error_bars_figure, tables.sources_of_error, ErrorShare._fields)
        show_figure(shown, "error-sources", request, alt=alt)
