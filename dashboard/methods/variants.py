"""The variants of a workflow: which settings mattered, and how each variant ranks among them."""

import itertools
from dataclasses import replace

import streamlit as st

from dashboard.methods.data import Request, value_column
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.blocks import show_answer, show_sentence
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.errors import DelveError
from delvecore.library.variants import (
    Variants,
    has_settings,
    mean_column,
    settings_answer,
    variants_answer,
    variants_of,
)
from delvecore.plots import theme
from delvecore.plots.figure import Figure
from delvecore.plots.rows import Interval, Intervals, intervals_figure
from delvecore.render.spans import markdown, plain
from delvecore.report import words

COLUMNS = {
    "setting": st.column_config.TextColumn("Setting", pinned=True),
    "value": st.column_config.TextColumn("Value"),
    "variant": st.column_config.TextColumn("Variant", pinned=True),
    "variants": st.column_config.NumberColumn("Variants"),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.2f", help=help_for("mean rank")),
    "lower": st.column_config.NumberColumn("from", format="%.2f"),
    "upper": st.column_config.NumberColumn("to", format="%.2f"),
    "p": st.column_config.NumberColumn("p", format="%.4f", help="Friedman's test, Holm's over the settings"),
}


tells_settings = cached(has_settings)


@cached
def variants(request: Request, level: float) -> Variants:
    return variants_of(request.archive, request.method, loss=request.loss, level=level)


def effect_intervals(request: Request, level: float) -> Intervals:
    """The values of each setting, by mean rank; a line at the middle of the ranks."""
    found = variants(request, level)
    table, count = settings_answer(found, request.measure).table, len(found.settings) - len(found.left_out)
    colours = dict(zip(dict.fromkeys(table["setting"]), itertools.cycle(theme.COLOURS), strict=False))
    values = table.select("setting", "value", "mean_rank", "lower", "upper").rows
    rows = [
        Interval(f"{setting} = {value or 'none'}", rank, lower, upper, colours[setting])
        for setting, value, rank, lower, upper in values
    ]
    return Intervals(tuple(rows), f"← better   mean rank among {count} variants", ((count + 1) / 2,))


def main_effects_figure(found: Intervals) -> Figure:
    """Draw a panel for each setting below the other, a row for each of its values, on one axis."""
    figure = intervals_figure(found)
    for place, (one, other) in enumerate(itertools.pairwise(found.rows)):
        if one.colour != other.colour:
            figure.add_hline(y=place + 0.5, line={"color": theme.LINE_GREY, "width": 1})
    return figure


def show_variants(view: View, row: Row, loss: str) -> None:
    """Show the family of a method: what mattered, a row a value, then a row a variant."""
    level = selection.wanted_setting(view.selection).level
    request = Request(view.archive, row["method"], loss)
    try:
        found = variants(request, level)
    except DelveError as error:
        st.markdown(words.escape(str(error)))
        return
    if found.effects is None:
        how = "A list of values in its file makes variants; at least two must have done the same tasks:"
        command = command_text("delve", "run", "--workflow", f"{found.family}.toml")
        page.empty_state("Nothing to compare.", how, command)
        return
    measure = request.measure
    columns = COLUMNS | {mean_column(measure): value_column(measure, "mean")}
    settings = settings_answer(found, measure)
    show_sentence(settings)
    if found.effects.settings:
        show_answer(
            replace(settings, command=command_text("minfo", f"/{row['method']}")),
            opened.figure(main_effects_figure, effect_intervals, request, level),
            name=f"{found.family}-{loss}-settings",
            alt=f"Mean ranks of the values of each setting. {plain(settings.headline)}",
            column_config=columns,
        )
    st.subheader("The variants", anchor=False)
    every = variants_answer(found, measure)
    name = f"{found.family}-{loss}-variants"
    blocks.table_block(every.table.frame(), name=name, alt=plain(every.headline), column_config=columns)
    st.caption(markdown(every.notes[0]))
