"""Datasets: the list of all datasets, with filters, or one dataset in full."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.datasets.choice import FIRST_FACETS, TERMS, facets_of, shown_facets
from dashboard.datasets.listing import (
    NOISE,
    NON_LINEARITY,
    dataset_table,
    factor_options,
    hardest,
    listed,
    unexplained,
    with_words,
    within,
)
from dashboard.datasets.tabs import show_dataset
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.ui import blocks, controls, page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.controls import Facet
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.model import SCORED
from delvecore.render.numbers import rounded
from delvecore.report import words

COLUMNS = {
    "dataset": st.column_config.TextColumn("Dataset", width=110, pinned=True),
    "cases": st.column_config.NumberColumn("Cases", width=70, format="localized", help=help_for("case")),
    "inputs": st.column_config.TextColumn("Inputs", width=190, help=help_for("input")),
    "type": st.column_config.TextColumn("Type", width=165, help=help_for("task")),
    "best": st.column_config.TextColumn(
        "Best",
        width=220,
        help="Methods with the best mean on most tasks of the dataset, or on the number shown; not tested",
    ),
    "title": st.column_config.TextColumn("Title", width=610),
    "attributes": st.column_config.NumberColumn("Attributes", help=help_for("attribute")),
    "methods": st.column_config.NumberColumn("Methods", help="Methods with results on this dataset"),
    "instances": st.column_config.NumberColumn(
        "Instances", help="Number of scores per method on this dataset: folds or seeds"
    ),
    "metric": st.column_config.TextColumn("Metric", help="What the scores measure"),
    "missing": st.column_config.NumberColumn("Missing", format="percent", help=help_for("missing value")),
    "prototasks": st.column_config.NumberColumn("Prototasks", help=help_for("prototask")),
    "origin": st.column_config.TextColumn("Origin", help=help_for("origin")),
    "usage": st.column_config.TextColumn("Usage", help=help_for("usage")),
}
ALWAYS = ("dataset", "methods")
"""Columns that are shown even if they are empty."""
MOST_ROWS, HEIGHT = 40, 1200
"""Largest number of rows up to which all are shown; a longer table scrolls in a frame of this height."""


def show_filters(view: View, rows: Sequence[Row]) -> list[Row]:
    """Show the filters with their counts, less common ones in an expander. Return the matching datasets."""
    facets = facets_of(factor_options(view.archive))
    chosen = {facet.name: selection.asked_of(facet.name, facet.options)[0] for facet in facets}
    shown = shown_facets(facets, rows, chosen)
    first = [facet for facet in shown if facet.name in FIRST_FACETS]
    with st.container(horizontal=True, vertical_alignment="bottom", key="filters"):
        text = st.text_input(
            "Search", key="search", bind="query-params", placeholder="name, title or summary", width=220
        )
        matches = with_words(rows, text)

        def show(some: Sequence[Facet[Row]]) -> None:
            for facet in some:
                counts = controls.counts_of(facet, matches, facets, chosen)
                chosen[facet.name] = controls.facet_control(facet, facet.options_of(rows), counts)

        show(first)
        if len(shown) > len(first) or any(row["measures"] for row in rows):
            number = sum(bool(chosen[facet.name]) for facet in shown if facet not in first)
            label = f"More filters{f' · {number} set' if number else ''}"
            with st.popover(label, icon=":material/filter_alt:", key="more-filters"):
                show([facet for facet in shown if facet not in first])
                matches = show_shares(rows, matches)
    return controls.matching(matches, facets, chosen)


def show_shares(rows: Sequence[Row], matches: list[Row]) -> list[Row]:
    """Show a slider for each measured factor; return the matching datasets."""
    for factor in dict.fromkeys(factor for row in rows for factor in row["measures"]):
        known = [row["measures"][factor][0] for row in rows if factor in row["measures"]]
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
            matches = within(matches, factor, low, high)
    return matches


def share_help(factor: str) -> str:
    return f"{help_for(TERMS[factor]) if factor in TERMS else ''} The measured value.".strip()


def columns_of(table: pd.DataFrame) -> tuple[dict[str, Any], list[str]]:
    """Return the column formats, and the columns that are not empty."""
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


def show_table(view: View, matches: list[Row]) -> None:
    """Show the matching datasets; a click on a row opens one."""
    names = {row["dataset"] for row in matches}
    table = dataset_table(view.archive)
    table = table[table["dataset"].isin(names)].reset_index(drop=True)
    if table.empty:
        page.empty_state("No dataset matches all of these filters.", "Remove one of them.")
        return
    looks, known = columns_of(table)
    clicked = blocks.pick_row(
        table,
        name="datasets",
        alt="Datasets that match the filters, one per row",
        column_config=looks,
        column_order=known,
        height="content" if len(table) <= MOST_ROWS else HEIGHT,
    )
    blocks.csv_button(table, "datasets")
    if clicked is not None:
        selection.choose(dataset=str(table.at[clicked, "dataset"]))
        st.rerun()


def list_heading(rows: Sequence[Row], matches: Sequence[Row]) -> str:
    """`33 datasets: 26 regression, 4 classification, 3 both`, `2 of 33 datasets for classification`."""
    lead = f"{len(matches)} of " * (len(matches) < len(rows)) + words.count(len(rows), "dataset")
    kinds = Counter(tuple(row["task_types"] or ()) for row in matches)
    if len(kinds) < 2:
        kind = next(iter(kinds), ())
        return f"{lead} {'of' if kind == (SCORED,) else 'for'} {words.and_list(kind)}" if kind else lead
    parts = [f"{count} {'both' if len(kind) > 1 else kind[0]}" for kind, count in kinds.most_common() if kind]
    return f"{lead}: {', '.join(parts)}"


def list_basis(matches: Sequence[Row]) -> str:
    """Explain how to open a dataset, and name the hardest one for a linear model."""
    how = "Click one to open it." if matches else ""
    if (most := hardest(matches)) is None:
        return how
    name, count = most
    (measures,) = (row["measures"] for row in matches if row["dataset"] == name)
    noise, rest = (rounded(measures[factor][0], 1) for factor in (NOISE, NON_LINEARITY))
    return (
        f"{how} **{words.escape(name)}** is the most non-linear and noisy of {count} measured datasets. "
        f"Noise is {noise} % of its target's variance, and a linear model does not explain {rest} % of the "
        f"remaining variance. Together this is {words.with_error(*unexplained(measures))} %."
    )


def show_list(view: View) -> None:
    rows = listed(view.archive)
    head = st.container()
    matches = show_filters(view, rows)
    with head:
        page.answer(list_heading(rows, matches), view, basis=list_basis(matches))
    show_table(view, matches)


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "datasets")
    if not opened.rows(view.archive, "datasets"):
        page.answer("No data yet", view)
        how = "A dataset is a directory in `data` that contains a `Dataset.spec`. To make one from a table:"
        page.empty_state("No datasets here.", how, command_text("delve", "import", "FILE.csv"))
    elif view.selection.dataset:
        show_dataset(view)
    else:
        show_list(view)
