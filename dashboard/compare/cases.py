"""The test cases of the Compare page: how the difference of a pair is spread, and which cases decide it."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.compare import alt_text, data, tables
from dashboard.compare.choice import Request
from dashboard.compare.exports import show_figure
from dashboard.server import archive as opened
from dashboard.ui import page, selection
from delvecore.archive import Archive
from delvecore.encoding.prototask_cases import held_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import DelveError
from delvecore.losses.method_task import plan_positions
from delvecore.plots import words
from delvecore.plots.compare.pairs import CaseBin, case_histogram_figure
from delvecore.readers.specifications import read_task
from delvecore.stats.losses.comparisons import CaseDifferences

__all__ = ["deciding_table", "show_cases"]

DECIDING = 20
NOT_KNOWN = np.empty((0, 0), dtype=np.int64)


def show_cases(request: Request) -> None:
    """Show how the difference of one pair is spread over test cases, and the cases that decide it."""
    st.subheader("Which cases decide it?", anchor=False)
    method = request.others[0]
    if len(request.others) > 1:
        label = f"Look closer at one method against {words.escape(request.reference)}"
        method = selection.local(st.selectbox, label, "closer", request.others, width=420)
    if data.is_scored(request):
        st.info(
            "There is one number a method and training set here: scores say nothing of single test cases."
        )
        return
    differences, _ = data.case_losses(request, method)
    if differences is None:
        st.info("These two methods have no test cases in common.")
        return
    st.markdown(_case_sentence(request, method, differences))
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption("Test cases by their difference; hatched bars hold those beyond, too.")
        said = alt_text.of_cases(tables.case_histogram(request, method))
        alt = f"Test cases by the difference between {method} and {request.reference}: {said}"
        shown = (case_histogram_figure, tables.case_histogram, CaseBin._fields)
        show_figure(shown, "cases", request, method, alt=alt)
    with right:
        _show_deciding(request, method)


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


def _show_deciding(request: Request, method: str) -> None:
    table = deciding_table(request, method, most=DECIDING)
    st.caption(f"The {len(table)} cases with the largest differences; raw losses, targets, inputs.")
    numbers = [name for name in table if name == "Difference" or name.startswith("Loss of ")]
    config = {name: st.column_config.NumberColumn(format="%.4g") for name in numbers}
    if "Case" in table:
        config["Case"] = st.column_config.NumberColumn(pinned=True, format="%d")
    alt = f"Test cases with the largest differences between {method} and {request.reference}"
    name = request.file_name("deciding-cases")
    page.table_block(table, name=name, alt=alt, column_config=config, height=300)


@opened.cached
def deciding_table(request: Request, method: str, *, most: int) -> pd.DataFrame:
    """Return the test cases with the largest differences between a method and the reference, largest first.

    Columns: Case (its number in the dataset; absent where not known), Training set (absent where the test set
    is common), the losses of both methods by their names, Difference, and the case's targets and inputs."""
    differences, instances = data.case_losses(request, method)
    if differences is None:
        return pd.DataFrame()
    chosen = differences.deciding_order[:most]
    rows = differences.instance[chosen]
    names = (f"Loss of {method}", f"Loss of {request.reference}", "Difference")
    columns = (differences.loss_a, differences.loss_b, differences.difference)
    table = pd.DataFrame({name: column[chosen] for name, column in zip(names, columns, strict=True)})
    if (rows >= 0).any():
        table.insert(0, "Training set", [instances[row] for row in rows])
    numbers = _case_numbers(request.of_pair(method))
    cases = _cases_of(numbers, rows, differences.position[chosen], instances)
    if cases is not None:
        table.insert(0, "Case", cases)
    if cases is None or not len(cases):
        return table
    values = _attributes_of(opened.archive_of(request.state), request, cases)
    taken = {name: f"{name} (attribute)" for name in values if name in table}
    return pd.concat([table, values.rename(columns=taken)], axis=1)


@opened.cached
def _case_numbers(request: Request) -> np.ndarray:
    """Return the dataset's case number (from 1) of each test case that counts in a loss, shape (instances,
    test cases).

    Shape (0, 0) where it is not known: the data cannot be read, or do not say which case is which, or test
    sets differ in size."""
    hierarchy = opened.archive_of(request.state).hierarchy
    try:
        facts, problem, _, found = read_task(hierarchy, *request.place)
        cases = held_cases(hierarchy, facts, problem)
        instances = task_instances(hierarchy, cases, found)
    except DelveError:
        return NOT_KNOWN
    counted = plan_positions(cases, instances, request.loss)
    if len({len(positions) for positions in counted}) != 1:
        return NOT_KNOWN
    pairs = zip(instances, counted, strict=True)
    numbers = np.array([cases.case_numbers[instance.test[positions]] for instance, positions in pairs])
    return numbers if numbers.all() else NOT_KNOWN


def _cases_of(
    numbers: np.ndarray, rows: np.ndarray, positions: np.ndarray, instances: tuple[int, ...]
) -> np.ndarray | None:
    """Return the case numbers, or None where the losses do not fit the standard instances."""
    if not len(numbers) or max(instances) >= len(numbers):
        return None
    if len(positions) and positions.max() >= numbers.shape[1]:
        return None
    which = np.array([instances[max(row, 0)] for row in rows], dtype=np.int64)
    found: np.ndarray = numbers[which, positions]
    return found


def _attributes_of(archive: Archive, request: Request, cases: np.ndarray) -> pd.DataFrame:
    """Return the values of the prototask's targets and inputs in cases; missing values as the file has them.

    Attribute 0, the number of the case, is no column of the data and stands in the table already."""
    dataset, prototask, _ = request.place
    try:
        table = archive.cases(dataset).take(cases - 1)
    except DelveError:
        return pd.DataFrame(index=range(len(cases)))
    rows = opened.rows(request.state, "prototasks")
    known = (row for row in rows if (row["dataset"], row["prototask"]) == (dataset, prototask))
    attributes = next(((*row["targets"], *row["inputs"]) for row in known), ())
    columns = {}
    for name in attributes:
        if name not in table.column_names:
            continue
        reasons, values = f"{name} missing", table[name].to_pylist()
        if reasons in table.column_names:
            pairs = zip(values, table[reasons].to_pylist(), strict=True)
            values = [why if value is None else value for value, why in pairs]
        columns[name] = [value if isinstance(value, float | int) else str(value or "") for value in values]
    frame = pd.DataFrame(columns)
    mixed = [name for name in frame if frame[name].map(type).nunique() > 1]
    return frame.astype(dict.fromkeys(mixed, "string"))
