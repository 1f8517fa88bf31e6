"""Attributes of a dataset, and the number of inputs of a network. Tables 1 and 2 of PROBEN1.

Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, section 3.1.11."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from delvecore.answers.answer import Answer, Column, Kind, Table
from delvecore.encoding.codings import column_names, task_codings
from delvecore.encoding.prototask_cases import held_cases
from delvecore.errors import DelveError, Fault
from delvecore.losses.published import PUBLISHED_SIGN
from delvecore.model import CATEGORICAL_TYPES, Attribute, Coding, Dataset, Prior, Prototask
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.proben1_report import DATASETS, problem_structure
from delvecore.readers.specifications import (
    dataset_names,
    prior_names,
    prototask_names,
    read_dataset,
    read_prior,
    read_prototask,
)
from delvecore.render.numbers import counted
from delvecore.render.provenance import command_line
from delvecore.render.spans import as_name, strong

STANDARD_PRIOR = "std"
BINARY, CONTINUOUS, NOMINAL = "binary", "continuous", "nominal"
OF_TYPES = {"binary": BINARY, "nominal": NOMINAL}
"""Types that are not continuous in table 1. All other types have more than two ordered values."""
COLUMNS: tuple[tuple[str, str, Kind], ...] = (
    ("prototask", "prototask", "name"),
    (BINARY, "b", "count"),
    (CONTINUOUS, "c", "count"),
    (NOMINAL, "n", "count"),
    ("attributes", "attributes", "count"),
    ("controlled", "controlled", "count"),
    ("uncontrolled", "uncontrolled", "count"),
    ("binary_inputs", "inputs b", "count"),
    ("continuous_inputs", "inputs c", "count"),
    ("missing_inputs", "inputs m", "count"),
    ("inputs", "inputs", "count"),
    ("outputs", "outputs", "count"),
    ("examples", "examples", "count"),
    ("entropy", "E", "number"),
)
NOTES = (
    "Attributes are the inputs by their types in the prior: b has two values, n more values without an "
    "order, c more values with an order. Inputs are the numbers of the default codings: b has two values, c "
    "has more. m counts inputs that mark missing values, one for each attribute with missing values.",
    "Outputs are the classes if the only target is categorical, and otherwise the targets. E is the entropy "
    "of the classes in bits per example.",
)
PUBLISHED_NOTE = (
    f"{PUBLISHED_SIGN}: tables 1 and 2 of the PROBEN1 report, for the attributes before coding. A "
    "data file does not show which of its inputs mark missing values; they are among its binary ones."
)


def structure_answer(hierarchy: Hierarchy, datasets: Sequence[str] = ()) -> Answer:
    """Composition of the attributes of datasets: a row per prototask, as in tables 1 and 2 of PROBEN1.

    datasets: names, none for all. The report's values for a problem are in a row below its dataset. The notes
    list unreadable prototasks, which have no numbers. Raises DelveError for an unknown dataset.
    """
    rows: list[dict[str, Any]] = []
    faults: list[str] = []
    has_published = False
    for name in datasets or dataset_names(hierarchy):
        rows += _rows(hierarchy, name, faults)
        problem = problem_structure().get(name.removeprefix(DATASETS))
        if problem is not None and name.startswith(DATASETS):
            has_published = True
            counts = (key for key, _, kind in COLUMNS if kind == "count" and key in problem)
            values = {key: int(problem[key]) for key in counts}
            entropy = float(problem["entropy"]) if problem["entropy"] else None
            rows.append({"prototask": f"/{name}{PUBLISHED_SIGN}", **values, "entropy": entropy})
    columns = tuple(
        Column(key, title, kind, [row.get(key) for row in rows], decimals=2 if kind == "number" else None)
        for key, title, kind in COLUMNS
    )
    notes = (*NOTES, *([PUBLISHED_NOTE] if has_published else []), *map(as_name, dict.fromkeys(faults)))
    command = command_line(("delve", "structure", *(f"/{name}" for name in datasets)))
    own = [row for row in rows if not row["prototask"].endswith(PUBLISHED_SIGN)]
    return Answer("structure", _headline(own), Table(columns), notes, command=command)


def _headline(rows: Sequence[dict[str, Any]]) -> str:
    if len(rows) != 1:
        return f"{strong(counted(len(rows), 'prototask'))}."
    (row,) = rows
    numbers, attributes = counted(row["inputs"], "number"), counted(row["attributes"], "attribute")
    return f"{strong(as_name(row['prototask']))}: a network gets {numbers} for {attributes}."


def _rows(hierarchy: Hierarchy, name: str, faults: list[str]) -> Iterator[dict[str, Any]]:
    """Yield a row for each prototask. faults: a list to which the reasons for unreadable ones are added."""
    dataset = read_dataset(hierarchy, name)
    for prototask_name in prototask_names(hierarchy, name):
        priors = prior_names(hierarchy, name, prototask_name)
        try:
            prototask = read_prototask(hierarchy, dataset, prototask_name)
            if not priors:
                raise Fault(prototask.path, "a prior, which states the types", "none", "add std.prior")
            chosen = STANDARD_PRIOR if STANDARD_PRIOR in priors else priors[0]
            prior = read_prior(hierarchy, dataset, prototask, chosen)
        except DelveError as error:
            faults.append(str(error))
            continue
        codings = task_codings(dataset, prototask, prior)
        inputs = [dataset.attribute(number) for number in prototask.inputs]
        kinds = Counter(OF_TYPES.get(prior.line(one.number).type, CONTINUOUS) for one in inputs)
        numbers = Counter[str]()
        for one in inputs:
            kind, count = _numbers(one, prior.line(one.number).type, codings[one.number])
            numbers[kind] += count
        yield {
            "prototask": prototask.path,
            **{kind: kinds[kind] for kind in (BINARY, CONTINUOUS, NOMINAL)},
            "attributes": len(inputs),
            "controlled": sum(one.control == "c" for one in inputs),
            "uncontrolled": sum(one.control == "u" for one in inputs),
            "binary_inputs": numbers[BINARY],
            "continuous_inputs": numbers[CONTINUOUS],
            "outputs": _outputs(prototask, prior, [dataset.attribute(one) for one in prototask.targets]),
            **_of_cases(hierarchy, dataset, prototask, prior, inputs=numbers.total(), faults=faults),
        }


def _numbers(attribute: Attribute, kind: str, coding: Coding) -> tuple[str, int]:
    """Return the kind of numbers that encode an attribute, and their count."""
    count = len(column_names(attribute, coding))
    values = attribute.range.category_count or 0
    is_code = kind in CATEGORICAL_TYPES and (count > 1 or values <= 2)
    return (BINARY if is_code else CONTINUOUS), count


def _outputs(prototask: Prototask, prior: Prior, targets: Sequence[Attribute]) -> int:
    if len(targets) == 1 and prior.line(targets[0].number).type in CATEGORICAL_TYPES:
        return targets[0].range.category_count or 1
    return len(prototask.targets)


def _of_cases(
    hierarchy: Hierarchy,
    dataset: Dataset,
    prototask: Prototask,
    prior: Prior,
    *,
    inputs: int,
    faults: list[str],
) -> dict[str, Any]:
    """Return facts that need the cases; None if the cases are unreadable. inputs: numbers without marks."""
    try:
        cases = held_cases(hierarchy, dataset, prototask)
    except DelveError as error:
        faults.append(str(error))
        return {"missing_inputs": None, "inputs": inputs, "examples": None, "entropy": None}
    missing = sum(bool(cases.columns[number].missing.any()) for number in prototask.inputs if number)
    entropy = None
    if len(prototask.targets) == 1 and prior.line(prototask.targets[0]).type in CATEGORICAL_TYPES:
        counts = Counter(cases.columns[prototask.targets[0]].words).values()
        shares = np.array(list(counts)) / max(cases.count, 1)
        entropy = math.fsum(-shares * np.log2(shares))
    return {
        "missing_inputs": missing,
        "inputs": inputs + missing,
        "examples": cases.count,
        "entropy": entropy,
    }
