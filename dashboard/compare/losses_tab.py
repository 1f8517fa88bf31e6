"""The tab of the page Compare for losses: what `mstats` prints of each method."""

import streamlit as st

from dashboard.compare import data, exports, verdict
from dashboard.compare.choice import Request
from dashboard.compare.number_columns import GROUPS, SPREADS, NumberColumns, error_column, show_numbers

__all__ = ["show_losses"]


def show_losses(request: Request) -> None:
    """Show what `mstats` prints of each method, raw and standardized."""
    st.subheader("What makes the losses vary?", anchor=False)
    st.caption(
        "Lowest loss first; the standardized columns are in units of the baseline. Hover over a heading."
    )
    show_numbers(
        _columns(request),
        request,
        "estimates-table",
        alt="Estimated expected losses, raw and standardized, with standard errors and standard deviations",
        files={"CSV": exports.estimates_csv, "LaTeX": exports.estimates_latex},
    )


def _columns(request: Request) -> NumberColumns:
    rows = data.chosen_estimates(request)
    found = NumberColumns(rows, pinned={"Method": [row["method"] for row in rows]})
    found.columns["Against the lowest"] = _against_lowest(request)
    for prefix, group in GROUPS:
        titles = {f"{prefix}mean": f"Loss, {group}", error_column(prefix): f"SE, {group}"}
        titles |= {f"{prefix}{name}": f"{title}, {group}" for name, title in SPREADS.items()}
        found.add(titles, prefix)
    found.columns["Training sets"] = [row["instances"] for row in rows]
    found.columns["Test cases"] = [row["test_cases"] for row in rows]
    return found


def _against_lowest(request: Request) -> list[str]:
    """Return a few words on each method against the one with the lowest loss."""
    pairs = {row["method_a"]: row for row in data.pairs_against(request, request.methods[0])}
    said = {name: verdict.verdict_with_p(pair, request.level) for name, pair in pairs.items()}
    return [
        said.get(row["method"], "lowest" if row["mean"] is not None else "no mean")
        for row in data.chosen_estimates(request)
    ]
