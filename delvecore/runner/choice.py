"""Which tasks do paths such as `/demo/age/std.128`, `/demo` or `/` stand for?"""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from delvecore.errors import DelveError
from delvecore.model import Dataset, Prior, Prototask, Task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import (
    all_tasks,
    dataset_names,
    prior_names,
    prototask_names,
    read_dataset,
    read_prior,
    read_prototask,
    read_task,
)

__all__ = ["Chosen", "choose_tasks", "without_results_elsewhere"]


@dataclass(frozen=True)
class Chosen:
    """Tasks with their specifications, each task once; faults: why others could not be read."""

    tasks: tuple[tuple[Dataset, Prototask, Prior, Task], ...]
    faults: tuple[str, ...]


def choose_tasks(hierarchy: Hierarchy, places: Iterable[tuple[str, ...]]) -> Chosen:
    """Return the tasks at and below places, each given by the names below `data`.

    A fault in what was named raises DelveError; one below it is listed, and the rest is chosen.
    """
    found, faults = {}, []
    for names in places:
        if len(names) > 3:
            raise DelveError(f"/{'/'.join(names)}: expected a dataset, prototask or task, found a path below")
        for specified in _tasks(hierarchy, names, faults):
            found[specified[3]] = specified
    return Chosen(tuple(found.values()), tuple(faults))


def _tasks(hierarchy, names, faults):
    if len(names) == 3:
        return [read_task(hierarchy, *names)]
    if len(names) == 2:
        return _below_prototask(hierarchy, read_dataset(hierarchy, names[0]), names[1])
    below = prototask_names(hierarchy, names[0]) if names else dataset_names(hierarchy)
    if names:
        read_dataset(hierarchy, names[0])
    tasks = []
    for name in below:
        try:
            tasks += _tasks(hierarchy, (*names, name), faults)
        except DelveError as error:
            faults.append(str(error))
    return tasks


def _below_prototask(hierarchy, dataset, name):
    prototask = read_prototask(hierarchy, dataset, name)
    priors = prior_names(hierarchy, dataset.name, name)
    read = {prior: read_prior(hierarchy, dataset, prototask, prior) for prior in priors}
    tasks = all_tasks(hierarchy, prototask, priors)
    return [(dataset, prototask, read[task.prior], task) for task in tasks]


def without_results_elsewhere(chosen: Chosen, hierarchy: Hierarchy, method: str, into: str) -> Chosen:
    """Leave out tasks for which another delve directory than `into` holds results of the method already.

    A second copy would be an error in every merged archive; each task left out is among the faults.
    """
    kept, faults = [], list(chosen.faults)
    for specified in chosen.tasks:
        names = (method, specified[3].dataset, specified[3].prototask, specified[3].name)
        found = _results_elsewhere(hierarchy, names, into)
        if found is None:
            kept.append(specified)
        else:
            faults.append(
                f"/{'/'.join(names)}: expected no results yet, found some in {found}; take that delve "
                "directory out of DELVE_PATH to run the method again"
            )
    return Chosen(tuple(kept), tuple(faults))


def _results_elsewhere(hierarchy, names, into):
    own = os.path.realpath(os.path.join(into, "methods", *names))
    for directory in hierarchy.directories("methods", *names):
        if os.path.realpath(directory) != own and os.listdir(directory):
            return directory
    return None
