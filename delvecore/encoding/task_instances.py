"""The instances of a task, standard or listed in a file. Source: manual, section 6."""

from collections.abc import Mapping

import numpy as np

from delvecore.encoding.instances import Instance, standard_instances, with_unused
from delvecore.encoding.prototask_cases import PrototaskCases
from delvecore.encoding.schemes import check_window_order, planned_instances
from delvecore.errors import DelveError, ParseError, located
from delvecore.model import Task
from delvecore.plan import Plan, plan_text
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, Hierarchy
from delvecore.readers.instances import (
    VALIDATION,
    ListedInstance,
    parse_instances,
    parse_listing,
    runs_of,
)

SETS = ("training", "test", VALIDATION)


def listed_instances(
    listed: tuple[ListedInstance, ...], cases: PrototaskCases, source: str
) -> list[Instance]:
    """Return the instances of a file of case numbers, as positions in the prototask's order.

    All cases must be in the prototask. In a sequential prototask, training cases must be in its order. Their
    distance from all test cases must exceed the maximum range of dependencies. Raises ParseError."""
    places = _places(cases, source)
    instances = []
    for one in listed:
        training, test, validation = (_positions(one, key, places, cases, source) for key in SETS)
        instance = Instance(one.number, training, test, validation=validation)
        if cases.prototask.is_sequential:
            _check_sequence(instance, one.lines, cases, source)
        instances.append(instance)
    return with_unused(instances, np.empty(0, dtype=np.int64), cases.count)


def _places(cases: PrototaskCases, source: str) -> np.ndarray:
    """Return the position of each case number, -1 for cases that the prototask does not use."""
    if not cases.case_numbers.all():
        expected = "Dataset.data, because the numbers refer to its cases"
        raise ParseError(source, None, expected, "Prototask.data alone", "fetch the dataset again")
    places = np.full(int(cases.case_numbers.max(initial=0)) + 1, -1, dtype=np.int64)
    places[cases.case_numbers] = np.arange(cases.count)
    return places


def _positions(
    one: ListedInstance, key: str, places: np.ndarray, cases: PrototaskCases, source: str
) -> np.ndarray:
    parts = [np.empty(0, dtype=np.int64)]
    for first, last in getattr(one, key):
        known = places[first : last + 1]
        stray = np.flatnonzero(known < 0)
        if len(stray) or len(known) < last - first + 1:
            number = first + int(stray[0]) if len(stray) else max(first, len(places))
            expected = f"{key}: cases of {cases.prototask.path}"
            remedy = "remove it"
            actual = f"case {number}, which it does not use"
            raise ParseError(source, one.lines[key], expected, actual, remedy, kind="specification")
        parts.append(known)
    return np.concatenate(parts)


def _check_sequence(instance: Instance, lines: Mapping[str, int], cases: PrototaskCases, source: str) -> None:
    """Raise ParseError unless an instance suits a sequential prototask: manual, section 6.3."""
    training, reach = instance.training, cases.prototask.maximum_dependency_range
    backward = np.flatnonzero(np.diff(training) < 0)
    numbers = cases.case_numbers
    if len(backward):
        before, after = numbers[training[backward[0]]], numbers[training[backward[0] + 1]]
        expected = "training: cases in the order of the sequential prototask"
        actual = f"case {after} after case {before}"
        raise ParseError(source, lines["training"], expected, actual, "sort them", kind="specification")
    above = np.searchsorted(training, instance.test)
    for side in (np.maximum(above - 1, 0), np.minimum(above, len(training) - 1)):
        near = np.flatnonzero(np.abs(training[side] - instance.test) <= reach)
        if len(near):
            test, neighbor = numbers[instance.test[near[0]]], numbers[training[side[near[0]]]]
            expected = f"test cases more than {reach} cases from every training case"
            actual = f"case {test} near training case {neighbor}"
            remedy = "leave cases between them unused"
            raise ParseError(source, lines["test"], expected, actual, remedy, kind="specification")


def planned_listing(cases: PrototaskCases, plan: Plan) -> tuple[list[Instance], str]:
    """Return the instances of a plan, and the text of their file, which is checked by parsing it.

    Raises Fault, see `planned_instances`."""
    instances = planned_instances(cases, plan)
    listed = instances_text(instances, cases.case_numbers, plan=plan, runs=plan.runs)
    text = f"# {plan.words}\n{listed}"
    listed_instances(parse_instances(text, plan.words), cases, plan.words)
    return instances, text


def instances_text(
    instances: list[Instance], case_numbers: np.ndarray, *, plan: Plan | None = None, runs: int = 1
) -> str:
    """Return the text of a file that lists these instances.

    case_numbers: number of the case at each position, from 1; plan: plan of the instances; runs: number of
    repetitions of all sets, which are listed once."""
    head = f"Scheme: {plan_text(plan)}\n" if plan else ""
    if runs > 1:
        head, instances = f"{head}Runs: {runs}\n", instances[: len(instances) // runs]
    return head + "".join(
        f"Instance: {one.number}\n"
        f"Training: {runs_of(case_numbers[one.training].tolist())}\n"
        + (f"Validation: {runs_of(case_numbers[one.validation].tolist())}\n" if len(one.validation) else "")
        + f"Test: {runs_of(case_numbers[one.test].tolist())}\n"
        for one in instances
    )


def task_instances(hierarchy: Hierarchy, cases: PrototaskCases, task: Task) -> list[Instance]:
    """Return the instances of a task, from the file `TASK.instances` next to the prototask's specification,
    otherwise the standard instances.

    cases: those of the task's prototask. Raises DelveError for too few cases, ParseError (with file and line)
    for a faulty file."""
    path = hierarchy.find("data", task.dataset, task.prototask, task.name + INSTANCE_SUFFIX)
    return instances_of_task(path, cases, task)


def instances_of_task(path: str | None, cases: PrototaskCases, task: Task) -> list[Instance]:
    """Return the instances of a task from a file, or, without a path, the standard instances.

    A file is parsed once for the same cases, since all methods have the same instances. Raises ParseError for
    a file of windows over cases in a random order."""
    if path is not None:
        text, (parsed, instances) = read_text(path), cases.listed.get(path, ("", []))
        if instances and text == parsed:
            return list(instances)
        listed, plan = parse_listing(text, path)
        if plan is not None:
            try:
                check_window_order(cases, plan)
            except DelveError as error:
                raise located(error, path, listed[0].lines["scheme"], kind="specification") from None
        instances = listed_instances(listed, cases, path)
        cases.listed[path] = text, instances
        return list(instances)
    size = task.training_size
    return standard_instances(cases.prototask, cases.count, size, groups=cases.groups, strata=cases.strata)
