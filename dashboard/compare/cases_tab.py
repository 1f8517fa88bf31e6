"""The test cases of the Compare page: how the difference of a pair is spread, and which cases decide it."""

import pandas as pd
import streamlit as st

from dashboard.compare import data, tables
from dashboard.compare.choice import Request
from dashboard.compare.deciding_cases import deciding_table
from dashboard.compare.figures.case_histogram import CaseBin, case_histogram_figure
from dashboard.frame import page, selection, words
from dashboard.server import archive as opened
from delvecore.statistics.losses.case_differences import CaseDifferences

__all__ = ["show_cases"]

DECIDING = 20


def show_cases(request: Request) -> None:
    """Show how the difference of one pair is spread over test cases, and the cases that decide it."""
    st.subheader("Which cases decide it?", anchor=False)
    method = request.others[0]
    if len(request.others) > 1:
        label = f"Look closer at one method against {words.escape(request.reference)}"
        method = selection.local(st.selectbox, label, "closer", request.others, width=420)
    differences, _ = data.case_losses(request, method)
    if differences is None:
        st.info("These two methods have no test cases in common.")
        return
    st.markdown(_case_sentence(request, method, differences))
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("Test cases by their difference; hatched bars hold those beyond, too.")
        page.figure_block(
            opened.figure(case_histogram_figure, tables.case_histogram, request, method),
            pd.DataFrame(tables.case_histogram(request, method).bins, columns=CaseBin._fields),
            name=request.file_name("cases"),
            key="cases",
            alt=f"Test cases by the difference between {method} and {request.reference}",
        )
    with right:
        _deciding(request, method)


def _case_sentence(request: Request, method: str, differences: CaseDifferences) -> str:
    values = differences.difference
    total = len(values)
    less, more = int((values < 0).sum()), int((values > 0).sum())
    kind = "test case" if data.task_of(request).design == "common" else "tested case"
    less_on, more_on = (words.share(count, total) for count in (less, more))
    sides = f"{words.escape(method)} loses less on {less_on} of {words.count(total, kind)}, more on {more_on}"
    few = max(total // 100, 1)
    share = differences.share_of_largest(few)
    if not differences.different:
        return f"{sides}: they do not differ anywhere."
    if share is None:
        differ = words.count(differences.different, kind)
        return f"{sides}; they differ on {differ}, none of which stands out."
    carry = "case with the largest difference carries"
    carry = carry if few == 1 else f"{few} cases with the largest differences carry"
    return f"{sides}; the {carry} {words.share(round(1000 * share), 1000)} of all differences in size."


def _deciding(request: Request, method: str) -> None:
    table = deciding_table(request, method, most=DECIDING)
    st.caption(f"The {len(table)} cases with the largest differences; raw losses, targets, inputs.")
    numbers = [name for name in table if name == "Difference" or name.startswith("Loss of ")]
    config = {name: st.column_config.NumberColumn(format="%.4g") for name in numbers}
    if "Case" in table:
        config["Case"] = st.column_config.NumberColumn(pinned=True, format="%d")
    page.table_block(
        table,
        name=request.file_name("deciding-cases"),
        alt=f"Test cases with the largest differences between {method} and {request.reference}",
        column_config=config,
        height=300,
    )
