"""Specifications read from a hierarchy by name: datasets, prototasks, priors, tasks, methods.

This module alone decides which directories are datasets, prototasks, methods and tasks. Source: DELVE manual,
sections 1.2, 3, 4 and 7.
"""

from collections.abc import Iterable
from typing import overload

from delvecore.errors import Fault, Report, raise_error
from delvecore.model import Dataset, Prior, Prototask, Task
from delvecore.number_format.numbers import whole_number
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX, SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.prior import parse_prior
from delvecore.readers.prototask import parse_prototask

PRIOR_SUFFIX = ".prior"


def dataset_names(hierarchy: Hierarchy) -> list[str]:
    """Return the datasets: the sub-directories of `data` with a `Dataset.spec`, sorted."""
    names = hierarchy.subdirectories("data")
    return [name for name in names if hierarchy.find("data", name, "Dataset.spec")]


def prototask_names(hierarchy: Hierarchy, dataset: str) -> list[str]:
    """Return the prototasks of a dataset: its sub-directories with a `Prototask.spec`, sorted."""
    names = hierarchy.subdirectories("data", dataset)
    return [name for name in names if hierarchy.find("data", dataset, name, "Prototask.spec")]


def prior_names(hierarchy: Hierarchy, dataset: str, prototask: str) -> list[str]:
    """Return the priors of a prototask: the names of its `.prior` files, sorted."""
    return priors_among(hierarchy.files("data", dataset, prototask))


def priors_among(files: Iterable[str]) -> list[str]:
    """Return the names of the priors among the plain names of a prototask's files, sorted."""
    names = (name for name in files if name.endswith(PRIOR_SUFFIX) and name[0] != ".")
    return sorted(name.removesuffix(PRIOR_SUFFIX) for name in names)


def _path(hierarchy: Hierarchy, what: str, *names: str) -> str:
    path = hierarchy.find("data", *names)
    if path is None:
        raise Fault(f"/{'/'.join(names[:-1])}", what, f"no {names[-1]}", "check the name")
    return path


def read_dataset(hierarchy: Hierarchy, name: str) -> Dataset:
    """Return the Dataset of this name; DelveError if there is none."""
    path = _path(hierarchy, "a dataset", name, "Dataset.spec")
    return parse_dataset(read_text(path), name, path)


@overload
def read_prototask(hierarchy: Hierarchy, dataset: Dataset, name: str) -> Prototask: ...
@overload
def read_prototask(
    hierarchy: Hierarchy, dataset: Dataset, name: str, *, report: Report
) -> Prototask | None: ...
def read_prototask(
    hierarchy: Hierarchy, dataset: Dataset, name: str, *, report: Report = raise_error
) -> Prototask | None:
    """Return the Prototask of a Dataset by name; DelveError if there is none."""
    path = _path(hierarchy, "a prototask", dataset.name, name, "Prototask.spec")
    return parse_prototask(read_text(path), name, dataset, path, report=report)


def read_prior(
    hierarchy: Hierarchy, dataset: Dataset, prototask: Prototask, name: str, *, report: Report = raise_error
) -> Prior:
    """Return the Prior of a Prototask by name; DelveError if there is none."""
    path = _path(hierarchy, "a prior", dataset.name, prototask.name, name + PRIOR_SUFFIX)
    return parse_prior(read_text(path), name, dataset, prototask, path, report=report)


def parse_task_name(name: str) -> tuple[str, int] | None:
    """Return (prior, training size) of a task's name such as `std.128`, or None for any other name."""
    prior, _, text = name.rpartition(".")
    size = whole_number(text)
    return (prior, size) if prior and size and text == str(size) else None


def read_task(
    hierarchy: Hierarchy, dataset_name: str, prototask_name: str, task_name: str
) -> tuple[Dataset, Prototask, Prior, Task]:
    """Return (Dataset, Prototask, Prior, Task) for a task's path; DelveError if something is missing."""
    task = named_task(dataset_name, prototask_name, task_name)
    dataset, prototask, prior = read_place(hierarchy, dataset_name, prototask_name, task.prior)
    check_size(hierarchy, prototask, task)
    return dataset, prototask, prior, task


def named_task(dataset: str, prototask: str, name: str) -> Task:
    """Return the Task of a name such as `std.128`. Raises DelveError for any other name."""
    parsed = parse_task_name(name)
    if parsed is None:
        raise Fault(f"/{dataset}/{prototask}/{name}", "a task such as std.128", repr(name))
    return Task(dataset, prototask, *parsed)


def read_place(
    hierarchy: Hierarchy, dataset_name: str, prototask_name: str, prior_name: str
) -> tuple[Dataset, Prototask, Prior]:
    """Return the data that all tasks of one prior share. Raises DelveError if something is missing."""
    dataset = read_dataset(hierarchy, dataset_name)
    prototask = read_prototask(hierarchy, dataset, prototask_name)
    return dataset, prototask, read_prior(hierarchy, dataset, prototask, prior_name)


def check_size(hierarchy: Hierarchy, prototask: Prototask, task: Task) -> None:
    """Raise DelveError if a task is not in its prototask, by size or listed instances."""
    is_standard = task.training_size in prototask.training_set_sizes
    if not is_standard and not has_listed_instances(hierarchy, task.dataset, task.prototask, task.name):
        sizes = " ".join(map(str, prototask.training_set_sizes))
        raise Fault(task.path, f"a training set size among {sizes}", task.training_size)


def has_listed_instances(hierarchy: Hierarchy, dataset: str, prototask: str, task: str) -> bool:
    """Does a file list the instances of a task, instead of the standard ones? Manual, section 6.3."""
    return hierarchy.find("data", dataset, prototask, task + INSTANCE_SUFFIX) is not None


def all_tasks(hierarchy: Hierarchy, prototask: Prototask, priors: Iterable[str]) -> list[Task]:
    """Return the Tasks of a Prototask as `tasks_among` does."""
    return tasks_among(prototask, priors, hierarchy.files("data", prototask.dataset, prototask.name))


def tasks_among(prototask: Prototask, priors: Iterable[str], files: Iterable[str]) -> list[Task]:
    """Return the Tasks of a Prototask, prior by prior.

    The standard tasks have the specification's order of sizes. Tasks of other sizes with listed instances
    follow. `files` are the plain names in the directory of the prototask.
    """
    names = (name.removesuffix(INSTANCE_SUFFIX) for name in files if name.endswith(INSTANCE_SUFFIX))
    listed = sorted(filter(None, map(parse_task_name, names)))
    tasks: list[Task] = []
    for prior in priors:
        sizes = [*prototask.training_set_sizes]
        sizes += [size for other, size in listed if other == prior and size not in sizes]
        tasks += [Task(prototask.dataset, prototask.name, prior, size) for size in sizes]
    return tasks


def method_names(hierarchy: Hierarchy) -> list[str]:
    """Return the methods: the sub-directories of `methods`, sorted."""
    return hierarchy.subdirectories("methods")


def method_datasets(hierarchy: Hierarchy, method: str) -> list[str]:
    """Return the sorted names of existing datasets for which a method has a directory."""
    known = set(dataset_names(hierarchy))
    names = hierarchy.subdirectories("methods", method)
    return [name for name in names if name in known and name != SOURCE_DIRECTORY]


def method_prototasks(hierarchy: Hierarchy, method: str, dataset: str) -> list[str]:
    """Return the sorted names of existing prototasks of a dataset for which a method has a directory."""
    known = set(prototask_names(hierarchy, dataset))
    return [name for name in hierarchy.subdirectories("methods", method, dataset) if name in known]


def method_tasks(hierarchy: Hierarchy, method: str, dataset: str, prototask: str) -> list[str]:
    """Return the names of tasks of a prototask for which a method has a directory, in lexical order."""
    names = hierarchy.subdirectories("methods", method, dataset, prototask)
    return [name for name in names if parse_task_name(name)]
