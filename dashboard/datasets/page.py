"""Datasets: which data could my method be tried on?"""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.datasets import tabs as dataset_parts
from dashboard.datasets.choice import TERMS, facets_of, shown_facets
from dashboard.datasets.listing import dataset_table, factor_options, hardest, listed, within
from dashboard.datasets.search import with_words
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.ui import controls, page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.plots import words

COLUMNS = {
    "dataset": st.column_config.TextColumn("Dataset", width=120, pinned=True),
    "title": st.column_config.TextColumn("Title", width=250),
    "cases": st.column_config.NumberColumn("Cases", format="localized", help=help_for("case")),
    "attributes": st.column_config.NumberColumn("Attributes", help=help_for("attribute")),
    "task types": st.column_config.TextColumn("Task types", help=help_for("task")),
    "methods": st.column_config.NumberColumn("Methods", help="Methods with results on this dataset"),
    "instances": st.column_config.NumberColumn("Instances", help="Scores of a method on it: folds or seeds"),
    "metric": st.column_config.TextColumn("Metric", help="What the scores measure"),
    "missing": st.column_config.NumberColumn("Missing", format="percent", help=help_for("missing value")),
    "prototasks": st.column_config.NumberColumn("Prototasks", help=help_for("prototask")),
    "origin": st.column_config.TextColumn("Origin", help=help_for("origin")),
    "usage": st.column_config.TextColumn("Usage", help=help_for("usage")),
}
ALWAYS = ("dataset", "methods")
"""Columns that are shown even where nothing is known."""
MOST_ROWS, HEIGHT = 40, 1200
"""So many rows are all shown; more of them in a frame of this height."""


def show_filters(view: View, rows: Sequence[Row]) -> list[Row]:
    """Show the filters with their counts and return the datasets that fit. On a narrow page all but the
    search are folded behind a button, which page.css shows there only."""
    text = st.text_input("Search", key="search", bind="query-params", placeholder="name, title or summary")
    found = with_words(rows, text)
    facets = facets_of(factor_options(view.state))
    chosen = {facet.name: st.query_params.get_all(facet.name) for facet in facets}
    shown = shown_facets(facets, rows, chosen)
    button, is_open = st.container(key="filters-fold"), st.session_state.get("filters-are-open", False)
    with st.container(key="filters-open-now" if is_open else "filters-folded"):
        for facet in shown:
            counts = controls.counts_of(facet, found, facets, chosen)
            chosen[facet.name] = controls.facet_control(facet, facet.options_of(rows), counts)
        found, shares = show_shares(rows, controls.matching(found, facets, chosen))
    if shown or any(row["measures"] for row in rows):
        show_fold(button, is_open, sum(map(bool, chosen.values())) + shares)
    return found


def show_fold(place: DeltaGenerator, is_open: bool, number: int) -> None:
    """Show the button that folds filters on a narrow page, and how many of them are set."""

    def turn() -> None:
        st.session_state["filters-are-open"] = not is_open

    said = f"{'Hide' if is_open else 'Show'} filters{f' · {number} set' if number else ''}"
    icon = f":material/{'expand_less' if is_open else 'filter_alt'}:"
    place.button(said, key="fold-filters", icon=icon, on_click=turn, width="stretch")


def show_shares(rows: Sequence[Row], found: list[Row]) -> tuple[list[Row], int]:
    """Show a slider for each factor that was measured; return those of the datasets found that fit, and how
    many sliders are set."""
    number = 0
    for factor in dict.fromkeys(factor for row in rows for factor in row["measures"]):
        known = [row["measures"][factor].percent for row in rows if factor in row["measures"]]
        limits = float(math.floor(min(known))), float(math.ceil(max(known)))
        low, high = st.slider(
            f"{words.escape(factor.capitalize())} (%)",
            *limits,
            limits,
            1.0,
            key=f"share-{factor}",
            bind="query-params",
            format="%.0f",
            help=share_help(factor),
        )
        if (low, high) != limits:
            found, number = within(found, factor, low, high), number + 1
    return found, number


def share_help(factor: str) -> str:
    return f"{help_for(TERMS[factor]) if factor in TERMS else ''} As it was measured.".strip()


def columns_of(table: pd.DataFrame) -> tuple[dict[str, Any], list[str]]:
    """Return how columns look, and those that say something of some dataset."""
    looks = dict(COLUMNS)
    for name in table.columns:
        factor = name.removesuffix(" (%)")
        if name != factor:
            looks[name] = st.column_config.NumberColumn(
                name.capitalize(), format="%.1f", help=share_help(factor)
            )
        elif name not in looks:
            term = TERMS.get(name)
            looks[name] = st.column_config.TextColumn(name.capitalize(), help=term and help_for(term))
    known = [name for name in table.columns if name in ALWAYS or table[name].notna().any()]
    return looks, known


def show_table(view: View, found: list[Row]) -> None:
    """Show the datasets that fit; a click on a row opens one."""
    names = {row["dataset"] for row in found}
    table = dataset_table(view.state)
    table = table[table["dataset"].isin(names)].reset_index(drop=True)
    if table.empty:
        page.empty_state("No dataset fits all of these filters.", "Take one of them away.")
        return
    looks, known = columns_of(table)
    clicked = page.pick_row(
        table,
        name="datasets",
        alt="Datasets that fit the filters, one a row",
        column_config=looks,
        column_order=known,
        height="content" if len(table) <= MOST_ROWS else HEIGHT,
    )
    page.csv_button(table, "datasets")
    if clicked is not None:
        selection.choose(dataset=str(table.at[clicked, "dataset"]))
        st.rerun()


def list_sentence(rows: Sequence[Row], found: Sequence[Row]) -> str:
    """How many fit, and which of them is the hardest for a linear model?"""
    said = f"**{len(found)} of {words.count(len(rows), 'dataset')}** fit. Click one to open it."
    if (most := hardest(found)) is None:
        return said
    return (
        f"{said} The most non-linear and noisy of {most.among} that were measured is "
        f"**{words.escape(most.dataset)}**: noise is {most.noise:.1f} % of its target's variance, and a "
        f"linear model leaves {most.rest:.1f} % of the rest, together "
        f"{words.with_error(most.together, most.error)} %."
    )


def show_list(view: View) -> None:
    rows = listed(view.state)
    head = st.container()
    left, right = st.columns([1, 3], gap="medium")
    with left:
        found = show_filters(view, rows)
    with head:
        page.answer(list_sentence(rows, found), view)
    with right:
        show_table(view, found)


view = page.begin("Which data could my method be tried on?")
if not opened.rows(view.state, "datasets"):
    page.answer("No data yet.", view)
    how = "A dataset is a directory in `data` with a `Dataset.spec` in it; to make one of a table:"
    page.empty_state("No datasets here.", how, command_text("delve", "import", "FILE.csv"))
elif view.selection.dataset:
    dataset_parts.show_dataset(view)
else:
    show_list(view)
