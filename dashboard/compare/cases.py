"""The test cases of the Compare page: how the difference of a pair is spread, and which cases decide it."""

import streamlit as st

from dashboard.compare import data as compare_data
from dashboard.compare import tables as compare_tables
from dashboard.compare.choice import Choice
from dashboard.compare.deciding_cases import case_numbers, deciding_table
from dashboard.compare.figures.case_histogram import case_histogram_figure
from dashboard.compare.pictures import name_of
from dashboard.frame import page, selection, words
from dashboard.frame.page import View
from dashboard.server import archive as opened

__all__ = ["show_cases"]

DECIDING = 20


def show_cases(view: View, choice: Choice, unit: str) -> None:
    """Show how the difference of one pair is spread over test cases, and the cases that decide it."""
    st.subheader("Which cases decide it?", anchor=False)
    others = [name for name in choice.methods if name != choice.reference]
    method = others[0]
    if len(others) > 1:
        label = f"Look closer at one method against {words.escape(choice.reference)}"
        method = selection.local(st.selectbox, label, "closer", others, width=420)
    differences, instances = compare_data.pair_differences(
        view.state, choice.task.path, choice.loss, method, choice.reference
    )
    if differences is None:
        st.info("These two methods have no test cases in common.")
        return
    st.markdown(_case_sentence(differences, method, choice))
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("Test cases by their difference; hatched bars hold those beyond, too.")
        arguments = (view.state, choice.task.path, choice.loss, method, choice.reference, unit)
        page.figure_block(
            opened.figure(case_histogram_figure, compare_tables.case_histogram, *arguments),
            compare_tables.case_histogram(*arguments),
            name=name_of(choice, "cases"),
            key="cases",
            alt=f"Test cases by the difference between {method} and {choice.reference}",
        )
    with right:
        _deciding(view, choice, method, differences, instances)


def _case_sentence(differences, method, choice):
    values = differences.difference
    total = len(values)
    less, more = int((values < 0).sum()), int((values > 0).sum())
    kind = "test case" if choice.task.design == "common" else "tested case"
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


def _deciding(view, choice, method, differences, instances):
    task = choice.task
    table = deciding_table(
        view.archive,
        differences,
        names=(method, choice.reference),
        instances=instances,
        numbers=case_numbers(view.state, *task.place, choice.loss),
        dataset=task.dataset,
        attributes=_attributes(view, task),
        count=DECIDING,
    )
    st.caption(f"The {len(table)} cases with the largest differences; raw losses, targets, inputs.")
    numbers = [name for name in table if name == "Difference" or name.startswith("Loss of ")]
    config = {name: st.column_config.NumberColumn(format="%.4g") for name in numbers}
    if "Case" in table:
        config["Case"] = st.column_config.NumberColumn(pinned=True, format="%d")
    page.table_block(
        table,
        name=name_of(choice, "deciding-cases"),
        alt=f"Test cases with the largest differences between {method} and {choice.reference}",
        column_config=config,
        height=300,
    )


def _attributes(view, task):
    """Return the names of the prototask's targets and inputs."""
    for row in opened.rows(view.state, "prototasks"):
        if (row["dataset"], row["prototask"]) == (task.dataset, task.prototask):
            return (*row["targets"], *row["inputs"])
    return ()
