"""What `minfo` knows of methods and of what they were run on. Source: manual, appendix C, `minfo`.

Lists hold only what a method has directories for, and a task shows the codings that the method used.
"""

from collections.abc import Mapping, Sequence

from delvecore.encoding.codings import task_codings
from delvecore.errors import DelveError, ParseError
from delvecore.model import Coding
from delvecore.readers.coding import parse_codings
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import (
    method_datasets,
    method_names,
    method_prototasks,
    method_tasks,
    read_dataset,
    read_prototask,
    read_task,
)
from delvecore.report.information.data_information import (
    TaskFacts,
    dataset_keys,
    dataset_values,
    prototask_keys,
    prototask_values,
    task_information,
    task_values,
)
from delvecore.report.information.information import Information, Values

__all__ = ["CODING_FILE", "method_information"]

CODING_FILE = "Coding-used"
PROTOTASK_KEYS = (
    "prototask",
    "origin",
    "cases",
    "order",
    "test-set-size",
    "training-set-sizes",
    "maximum-number-of-instances",
    "inputs",
    "targets",
    "tasks",
)


def method_information(hierarchy: Hierarchy, tolerant: Hierarchy, names: Sequence[str]) -> Information:
    """Return the Information on a place in `methods`, given by the components of its path.

    hierarchy, tolerant: as for `data_information`. Raises DelveError where there is no such place.
    """
    builders = (_root, _method, _dataset, _prototask, _task)
    path = "/".join(("", *names))
    if len(names) >= len(builders):
        raise DelveError(f"{path}: expected a method and its dataset, prototask or task, found a longer path")
    if not hierarchy.directories("methods", *names):
        raise DelveError(f"{path}: expected a directory of a method, found none; check the name")
    return builders[len(names)](hierarchy, tolerant, *names)


def _root(hierarchy: Hierarchy, tolerant: Hierarchy) -> Information:
    values: Values = {"delve_path": lambda: list(hierarchy.roots), "methods": lambda: method_names(tolerant)}
    return Information(("methods",), ("delve_path", "methods"), values)


def _method(_hierarchy: Hierarchy, tolerant: Hierarchy, method: str) -> Information:
    return Information(("datasets",), ("datasets",), {"datasets": lambda: method_datasets(tolerant, method)})


def _dataset(hierarchy: Hierarchy, tolerant: Hierarchy, method: str, name: str) -> Information:
    dataset = read_dataset(hierarchy, name)
    keys = dataset_keys(dataset)
    values = dataset_values(hierarchy, tolerant, dataset)
    values["prototasks"] = lambda: method_prototasks(tolerant, method, name)
    return Information((*keys, "prototasks"), (*keys, "attributes", "prototasks"), values)


def _prototask(
    hierarchy: Hierarchy, tolerant: Hierarchy, method: str, dataset_name: str, name: str
) -> Information:
    dataset = read_dataset(hierarchy, dataset_name)
    prototask = read_prototask(hierarchy, dataset, name)
    values = prototask_values(tolerant, dataset, prototask)
    values["tasks"] = lambda: method_tasks(tolerant, method, dataset_name, name)
    keys = prototask_keys(PROTOTASK_KEYS, prototask, dataset)
    return Information(keys, keys, values)


def _task(hierarchy: Hierarchy, _tolerant: Hierarchy, method: str, *names: str) -> Information:
    facts = read_task(hierarchy, *names)
    values = task_values(facts, _codings_used(hierarchy, method, facts), is_default=False)
    return task_information(hierarchy, facts[-1], values)


def _codings_used(hierarchy: Hierarchy, method: str, facts: TaskFacts) -> Mapping[int, Coding]:
    """Return {attribute number: Coding}: those recorded for a method's task, defaults where none are."""
    dataset, prototask, prior, task = facts
    place = (method, task.dataset, task.prototask, task.name, CODING_FILE)
    path = hierarchy.find("methods", *place)
    if path is None:
        return task_codings(dataset, prototask, prior)
    try:
        return task_codings(dataset, prototask, prior, parse_codings(read_text(path), dataset, path))
    except ParseError:
        raise
    except ValueError as error:
        raise ParseError(path, None, *error.args, kind="results") from None
