"""Paths that begin with what was typed: in the merged hierarchy, and true ones. For completion in shells."""

import os

from delvecore.commands.frame.context import active_hierarchy, current_directory
from delvecore.errors import DelveError
from delvecore.readers.array import array_names
from delvecore.readers.files import plain_name
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import (
    dataset_names,
    list_tasks,
    method_names,
    prior_names,
    read_dataset,
    read_prototask,
)

__all__ = [
    "array_names_of",
    "data_paths",
    "dataset_names_of",
    "method_names_of",
    "method_paths",
    "true_paths",
]


def true_paths(current, *, files=False):
    """Return the directories, each with a slash behind it, and if asked for the files, that begin so."""
    directory, slash, start = current.rpartition("/")
    place = os.path.expanduser(directory + slash) or "."
    with os.scandir(place) as entries:
        found = [entry for entry in entries if _may_show(entry.name, start)]
    names = [entry.name + "/" * entry.is_dir() for entry in found if files or entry.is_dir()]
    return [f"{directory}{slash}{name}" for name in names]


def method_names_of():
    """Return the names of all methods in the active delve directories."""
    return method_names(_hierarchy())


def array_names_of():
    """Return the names of all task-arrays in the active delve directories."""
    return array_names(_hierarchy())


def dataset_names_of():
    """Return the names of all datasets in the active delve directories."""
    return dataset_names(_hierarchy())


def method_paths(current, *, files=False):
    """Return the mpaths that begin so: directories with a slash behind them, files if asked for."""
    hierarchy, (directory, slash, start) = _hierarchy(), current.rpartition("/")
    names = _names(hierarchy, directory + slash, "methods")
    if names is None:
        return []
    return [f"{directory}{slash}{name}" for name in _entries(hierarchy, "methods", names, start, files=files)]


def data_paths(current, *, files=False, priors=False, tasks=False):
    """Return the dpaths that begin so, and mpaths where only a method has such a name.

    Directories have a slash behind them; files, prior files and the names of tasks only if asked for.
    """
    hierarchy, (directory, slash, start) = _hierarchy(), current.rpartition("/")
    names = _names(hierarchy, directory + slash, "data")
    if names is None:
        return []
    if names and (directory + slash).startswith("/") and not hierarchy.directories("data", names[0]):
        return method_paths(current, files=files)
    found = _entries(hierarchy, "data", names, start, files=files)
    if priors:
        found += [name for name in hierarchy.files("data", *names) if name.endswith(".prior")]
    if tasks and len(names) == 2:
        found += _tasks(hierarchy, *names)
    paths = [f"{directory}{slash}{name}" for name in found if _may_show(name, start)]
    is_method = not paths and current.startswith("/") and not names
    return method_paths(current, files=files) if is_method else paths


def _hierarchy():
    """Return the active Hierarchy; what is wrong in it is left out without a word."""
    found = active_hierarchy(current_directory())
    return Hierarchy(found.roots, report=lambda error: None)


def _names(hierarchy, directory, part):
    """Return the names that lead to the place of a directory's text, None outside of the hierarchy."""
    try:
        return hierarchy.locate(directory or ".", current_directory(), part=part).names
    except DelveError:
        return None


def _may_show(name, start):
    return name.startswith(start) and (name[0] != "." or start.startswith("."))


def _entries(hierarchy, part, names, start, *, files):
    found = [f"{name}/" for name in hierarchy.subdirectories(part, *names)]
    if files:
        found += [plain_name(name) for name in hierarchy.files(part, *names)]
    return [name for name in found if _may_show(name, start)]


def _tasks(hierarchy, dataset, prototask):
    try:
        specified = read_prototask(hierarchy, read_dataset(hierarchy, dataset), prototask)
    except DelveError:
        return []
    return [task.name for task in list_tasks(specified, prior_names(hierarchy, dataset, prototask))]
