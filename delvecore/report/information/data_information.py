"""What `dinfo` knows of the root, a dataset, a prototask and a task. Source: manual, appendix C, `dinfo`."""

from collections.abc import Callable, Mapping, Sequence
from typing import ParamSpec, TypeVar

from delvecore.encoding.codings import task_codings
from delvecore.encoding.task_types import TASK_TYPES, task_types
from delvecore.errors import DelveError, ParseError
from delvecore.model import Coding, Dataset, Factor, Prior, Prototask, Task
from delvecore.readers.array import SPECIFICATION as ARRAY
from delvecore.readers.array import read_array
from delvecore.readers.data_file import DATA, find_data_of, read_generator
from delvecore.readers.dataset import count_cases
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import (
    all_tasks,
    dataset_names,
    has_listed_instances,
    prior_names,
    prototask_names,
    read_dataset,
    read_prior,
    read_prototask,
    read_task,
)
from delvecore.report.information.attribute_tables import AttributeTable, CodingTable
from delvecore.report.information.information import Information, Statement, Values

__all__ = [
    "data_information",
    "dataset_keys",
    "dataset_values",
    "prototask_keys",
    "prototask_values",
    "task_information",
    "task_values",
]

Given = ParamSpec("Given")
Found = TypeVar("Found")
TaskFacts = tuple[Dataset, Prototask, Prior, Task]
"""A task and what it is of, as `read_task` returns them."""
DATASET_KEYS = ("dataset", "title", "origin", "usage", "order", "number-of-attributes")
PROTOTASK_KEYS = (
    "prototask",
    "origin",
    "cases",
    "order",
    "test-set-size",
    "training-set-sizes",
    "test-set-selection",
    "maximum-number-of-instances",
    "task-types",
    "tasks",
    "inputs",
    "targets",
)
TASK_KEYS = ("task", "training-set-size", "inputs", "targets")
DEPENDENCY_KEYS = ("dependency-strength", "dependency-range")


def data_information(hierarchy: Hierarchy, tolerant: Hierarchy, names: Sequence[str]) -> Information:
    """Return the Information on a place in `data`, given by the components of its path.

    hierarchy: stops at faults, for what was asked about; tolerant: the same one, which reports them, for
    lists. Raises DelveError where there is no such dataset, prototask or task.
    """
    builders = (_root, _dataset, _prototask, _task)
    if len(names) >= len(builders):
        path = "/".join(("", *names))
        raise DelveError(f"{path}: expected a dataset, prototask or task, found a longer path")
    return builders[len(names)](hierarchy, tolerant, *names)


def _root(hierarchy: Hierarchy, tolerant: Hierarchy) -> Information:
    values: Values = {
        "delve_path": lambda: list(hierarchy.roots),
        "datasets": lambda: dataset_names(tolerant),
    }
    return Information(("datasets",), ("delve_path", "datasets"), values)


def _dataset(hierarchy: Hierarchy, tolerant: Hierarchy, name: str) -> Information:
    if hierarchy.find("data", name, ARRAY) and not hierarchy.find("data", name, "Dataset.spec"):
        return _array(hierarchy, name)
    dataset = read_dataset(hierarchy, name)
    keys = dataset_keys(dataset)
    return Information(
        (*keys, "task-types", "number-of-cases", "prototasks"),
        (*keys, "attributes", "number-of-cases", "task-types", "prototasks"),
        dataset_values(hierarchy, tolerant, dataset),
    )


def _array(hierarchy: Hierarchy, name: str) -> Information:
    """A task-array: a directory of `data` without a dataset, which says which prototasks belong together."""
    array = read_array(hierarchy, name)
    values: Values = {
        "array": lambda: f"/{array.name}",
        "title": lambda: array.title,
        "factors": lambda: [_factor_text(factor) for factor in array.factors],
        "members": lambda: [f"{member.path} {' '.join(member.levels)}" for member in array.members],
    }
    return Information(tuple(values), tuple(values), values)


def _factor_text(factor: Factor) -> str:
    return f"{factor.name}: {', '.join(f'{level.name} ({level.label})' for level in factor.levels)}"


def dataset_keys(dataset: Dataset) -> tuple[str, ...]:
    """Return the keys that come first; whether cases share commonality indexes is said only where they do."""
    return (*DATASET_KEYS[:-1], *["commonality-indexes"] * dataset.commonality, DATASET_KEYS[-1])


def dataset_values(hierarchy: Hierarchy, tolerant: Hierarchy, dataset: Dataset) -> Values:
    """Return {key: function} of everything that is known of a dataset."""
    values: Values = {
        "dataset": lambda: f"/{dataset.name}",
        "title": lambda: dataset.title,
        "origin": lambda: dataset.origin,
        "usage": lambda: dataset.usage,
        "order": lambda: dataset.order,
        "number-of-attributes": lambda: str(len(dataset.attributes)),
        "attributes": lambda: AttributeTable(dataset.attributes),
        "number-of-cases": lambda: _number_of_cases(hierarchy, tolerant, dataset.name),
        "task-types": lambda: _dataset_task_types(tolerant, dataset),
        "prototasks": lambda: prototask_names(tolerant, dataset.name),
    }
    if dataset.commonality:
        statement = Statement("Commonality indexes are present", "present")
        values["commonality-indexes"] = lambda: statement
    return values


def _number_of_cases(hierarchy: Hierarchy, tolerant: Hierarchy, name: str) -> str:
    files = find_data_of(hierarchy, name)
    if DATA in files:
        text = _attempt(tolerant, read_text, files[DATA])
        return "unknown" if text is None else str(count_cases(text))
    generator = _attempt(tolerant, read_generator, files) if files else None
    return "unknown" if generator is None else str(generator.cases)


def _attempt(
    tolerant: Hierarchy, read: Callable[Given, Found], *arguments: Given.args, **options: Given.kwargs
) -> Found | None:
    """Return what read gives, or None after reporting why it cannot."""
    try:
        return read(*arguments, **options)
    except ParseError as error:
        tolerant.report(error)
        return None


def _dataset_task_types(tolerant: Hierarchy, dataset: Dataset) -> tuple[str, ...]:
    found: set[str] = set()
    for name in prototask_names(tolerant, dataset.name):
        prototask = _attempt(tolerant, read_prototask, tolerant, dataset, name, report=tolerant.report)
        if prototask:
            found.update(_task_types(tolerant, dataset, prototask))
    return tuple(name for name in TASK_TYPES if name in found)


def _task_types(tolerant: Hierarchy, dataset: Dataset, prototask: Prototask) -> tuple[str, ...]:
    """Return `task_types` of a prototask, by its standard prior, else the first one that there is."""
    names = prior_names(tolerant, dataset.name, prototask.name)
    prior = None
    if names:
        name = "std" if "std" in names else names[0]
        prior = _attempt(tolerant, read_prior, tolerant, dataset, prototask, name, report=tolerant.report)
    return task_types(dataset, prototask, prior)


def _prototask(hierarchy: Hierarchy, tolerant: Hierarchy, dataset_name: str, name: str) -> Information:
    dataset = read_dataset(hierarchy, dataset_name)
    prototask = read_prototask(hierarchy, dataset, name)
    keys = prototask_keys(PROTOTASK_KEYS, prototask, dataset)
    return Information(keys, keys, prototask_values(tolerant, dataset, prototask))


def prototask_keys(keys: Sequence[str], prototask: Prototask, dataset: Dataset) -> tuple[str, ...]:
    """Return the usual keys of a prototask, with those of the features that it has behind `order`."""
    place = keys.index("order") + 1
    return (*keys[:place], *_feature_values(dataset, prototask), *keys[place:])


def _feature_values(dataset: Dataset, prototask: Prototask) -> Values:
    """Return {key: function} of what only some prototasks have."""
    values: Values = {}
    if prototask.is_sequential:
        values["maximum-dependency-range"] = lambda: str(prototask.maximum_dependency_range)
    if prototask.stratified:
        values["stratified"] = lambda: "yes"
    if prototask.transformations:
        values["transformations"] = lambda: _transformations(dataset, prototask)
    return values


def prototask_values(tolerant: Hierarchy, dataset: Dataset, prototask: Prototask) -> Values:
    """Return {key: function} of everything that is known of a prototask."""
    return {
        "prototask": lambda: prototask.path,
        "origin": lambda: prototask.origin,
        "cases": lambda: prototask.cases,
        "order": lambda: prototask.order,
        "test-set-size": lambda: str(prototask.test_set_size),
        "training-set-sizes": lambda: tuple(map(str, prototask.training_set_sizes)),
        "test-set-selection": lambda: prototask.test_set_selection,
        "maximum-number-of-instances": lambda: str(prototask.maximum_instances),
        "task-types": lambda: _task_types(tolerant, dataset, prototask),
        "tasks": lambda: _task_names(tolerant, prototask),
        "inputs": lambda: _table(dataset, prototask.inputs),
        "targets": lambda: _table(dataset, prototask.targets),
        **_feature_values(dataset, prototask),
    }


def _transformations(dataset: Dataset, prototask: Prototask) -> tuple[str, ...]:
    """Return the words of the specification's line: `INCOME log AGE squeeze`."""
    pairs = prototask.transformations
    return tuple(word for number, function in pairs for word in (dataset.attribute(number).name, function))


def _task_names(tolerant: Hierarchy, prototask: Prototask) -> list[str]:
    priors = prior_names(tolerant, prototask.dataset, prototask.name)
    return [task.name for task in all_tasks(tolerant, prototask, priors)]


def _table(dataset: Dataset, numbers: Sequence[int]) -> AttributeTable | tuple[str, ...]:
    return AttributeTable([dataset.attribute(number) for number in numbers]) if numbers else ()


def _task(hierarchy: Hierarchy, _tolerant: Hierarchy, *names: str) -> Information:
    facts = read_task(hierarchy, *names)
    dataset, prototask, prior, task = facts
    values = task_values(facts, task_codings(dataset, prototask, prior), is_default=True)
    return task_information(hierarchy, task, values)


def task_information(hierarchy: Hierarchy, task: Task, values: Values) -> Information:
    """Return the Information on a task: the usual keys, and those of the features that it has."""
    more = [key for key in DEPENDENCY_KEYS if key in values]
    if has_listed_instances(hierarchy, task.dataset, task.prototask, task.name):
        statement = Statement("Task instances are not the standard ones", "non-standard")
        values["task-instances"] = lambda: statement
        more.append("task-instances")
    keys = (*TASK_KEYS[:2], *more, *TASK_KEYS[2:])
    return Information(keys, keys, values)


def task_values(facts: TaskFacts, codings: Mapping[int, Coding], *, is_default: bool) -> Values:
    """Return {key: function} of everything that is known of a task. codings: {attribute number: Coding}."""
    dataset, prototask, prior, task = facts

    def table(role: str) -> CodingTable | tuple[str, ...]:
        rows = [
            (dataset.attribute(number), prior.line(number), codings[number])
            for number in getattr(prototask, role)
        ]
        return CodingTable(rows, role, is_default) if rows else ()

    values: Values = {
        "task": lambda: task.path,
        "training-set-size": lambda: str(task.training_size),
        "inputs": lambda: table("inputs"),
        "targets": lambda: table("targets"),
    }
    if strength := prior.dependency_strength:
        values["dependency-strength"] = strength.lower
    if prior.dependency_range:
        values["dependency-range"] = lambda: str(prior.dependency_range)
    return values
