"""The variants of a workflow: which settings mattered, and the rank of each variant."""

import itertools
from dataclasses import replace

import streamlit as st

from dashboard.methods.data import value_column
from dashboard.server.archive import Row
from dashboard.server.cache import cached
from dashboard.ui import blocks, page, selection
from dashboard.ui.blocks import show_answer, show_sentence
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from dashboard.ui.request import Request
from delvecore.answers.answer import Answer
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
from delvecore.plots.draw import draw
from delvecore.plots.figure import Figure
from delvecore.plots.theme import MethodStyle
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
    "p": st.column_config.NumberColumn(
        "p", format="%.4f", help="p of Friedman's test, adjusted over the settings by Holm's method"
    ),
}


tells_settings = cached(has_settings)


@cached
def variants(request: Request, level: float) -> Variants:
    return variants_of(request.archive, request.method, loss=request.loss, level=level)


@cached
def settings(request: Request, level: float) -> tuple[Answer, Figure]:
    """Return which settings mattered, with one panel per setting and one row per value."""
    answer = settings_answer(variants(request, level), request.measure)
    names, colors = list(answer.table["setting"]), itertools.cycle(theme.COLORS)
    styles = {name: MethodStyle(next(colors), "circle") for name in dict.fromkeys(names)}
    figure = draw(answer, styles)
    for place, (one, other) in enumerate(itertools.pairwise(names)):
        if one != other:
            figure.add_hline(y=place + 0.5, line={"color": theme.LINE_GRAY, "width": 1})
    return answer, figure


def show_variants(view: View, row: Row, loss: str) -> None:
    """Show the variants of a method's workflow: effects of settings, then one row per variant."""
    level = selection.wanted_setting(view.selection).level
    request = Request(view.archive, loss, method=row["method"])
    try:
        family = variants(request, level)
    except DelveError as error:
        st.markdown(words.escape(str(error)))
        return
    if family.effects is None:
        how = (
            "Lists of values in the workflow's file define variants. At least two must have "
            "results on the same tasks:"
        )
        command = command_text("delve", "run", "--workflow", f"{family.family}.toml")
        page.empty_state("Nothing to compare.", how, command)
        return
    measure = request.measure
    columns = COLUMNS | {mean_column(measure): value_column(measure, "mean")}
    answer, figure = settings(request, level)
    show_sentence(answer)
    if family.effects.settings:
        show_answer(
            replace(answer, command=command_text("minfo", f"/{row['method']}")),
            figure,
            name=f"{family.family}-{loss}-settings",
            column_config=columns,
        )
    st.subheader("The variants", anchor=False)
    every = variants_answer(family, measure)
    name = f"{family.family}-{loss}-variants"
    blocks.table_block(every.table.frame(), name=name, alt=plain(every.headline), column_config=columns)
    st.caption(markdown(every.notes[0]))
