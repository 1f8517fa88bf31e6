"""Datasets: which data could my method be tried on?"""

import streamlit as st

from dashboard.datasets import data as dataset_data
from dashboard.datasets import tabs as dataset_parts
from dashboard.datasets.choice import FACETS, facets_of, with_words
from dashboard.frame import controls, page, selection
from dashboard.frame.glossary import help_for
from dashboard.frame.page import View
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from delvecore.figures import words

COLUMNS = {
    "dataset": st.column_config.TextColumn("Dataset", pinned=True),
    "task types": st.column_config.TextColumn("Task types"),
    "cases": st.column_config.NumberColumn("Cases", format="localized", help=help_for("case")),
    "attributes": st.column_config.NumberColumn("Attributes", help=help_for("attribute")),
    "missing": st.column_config.NumberColumn("Missing", format="percent", help=help_for("missing value")),
    "prototasks": st.column_config.NumberColumn("Prototasks", help=help_for("prototask")),
    "methods": st.column_config.NumberColumn("Methods", help="Methods with results on this dataset"),
    "origin": st.column_config.TextColumn("Origin", help=help_for("origin")),
    "usage": st.column_config.TextColumn("Usage", help=help_for("usage")),
    "title": st.column_config.TextColumn("Title", width="medium"),
}


ALWAYS = ("dataset", "methods")
"""Columns that are shown even where nothing is known."""


def show_filters(rows: tuple[Row, ...]) -> list[Row]:
    """Show the filters with their counts and return the datasets that fit."""
    text = st.text_input("Search", key="search", bind="query-params", placeholder="name, title or summary")
    found = with_words(rows, text)
    chosen = {facet.name: st.query_params.get_all(facet.name) for facet in FACETS}
    for facet in facets_of(rows):
        counts = controls.counts_of(facet, found, FACETS, chosen)
        chosen[facet.name] = controls.facet_control(facet, facet.options_of(rows), counts)
    return controls.matching(found, FACETS, chosen)


def show_table(view: View, found: list[Row]) -> None:
    """Show the datasets that fit; a click on a row opens one."""
    names = {row["dataset"] for row in found}
    table = dataset_data.dataset_table(view.state)
    table = table[table["dataset"].isin(names)].reset_index(drop=True)
    if table.empty:
        page.empty_state("No dataset fits all of these filters.", "Take one of them away.")
        return
    alt = "Datasets that fit the filters, one a row"
    known = [name for name in table.columns if name in ALWAYS or table[name].notna().any()]
    clicked = page.pick_row(table, name="datasets", alt=alt, column_config=COLUMNS, column_order=known)
    page.csv_button(table, "datasets")
    if clicked is not None:
        selection.choose(dataset=str(table.at[clicked, "dataset"]))
        st.rerun()


def show_list(view: View) -> None:
    rows = opened.rows(view.state, "datasets")
    head = st.container()
    left, right = st.columns([1, 3], gap="medium")
    with left:
        found = show_filters(rows)
    with head:
        total = words.count(len(rows), "dataset")
        page.answer(f"**{len(found)} of {total}** fit. Click one to open it.", view)
    with right:
        show_table(view, found)


view = page.begin("Which data could my method be tried on?")
if not opened.rows(view.state, "datasets"):
    page.answer("No data yet.", view)
    page.empty_state("No datasets here.", "A dataset is a directory in `data` with a `Dataset.spec` in it.")
elif view.selection.dataset:
    dataset_parts.show_dataset(view)
else:
    show_list(view)
