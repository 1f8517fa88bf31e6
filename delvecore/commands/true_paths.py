"""True paths in a methods directory, for the commands that write. Source: manual, appendix C."""

import os
from collections import namedtuple

from delvecore.errors import DelveError
from delvecore.readers.specifications import (
    dataset_names,
    parse_task_name,
    prototask_names,
)

__all__ = ["TruePlace", "dataset_place", "task_places", "true_place"]


class TruePlace(namedtuple("TruePlace", "directory names shown")):
    """A true directory, the names below `methods` that lead to it, and how messages show it."""

    __slots__ = ()

    def below(self, name):
        shown = name if self.shown == "" else os.path.join(self.shown, name)
        return TruePlace(os.path.join(self.directory, name), (*self.names, name), shown)


def true_place(session, argument):
    """Return the TruePlace that a command's argument means; DelveError outside of methods directories."""
    directory = os.path.normpath(os.path.join(session.working_directory, argument))
    names = _method_names(session.hierarchy.roots, directory)
    if not names:
        expected = "the true path of a directory below the methods directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    return TruePlace(directory, names, argument)


def _method_names(roots, directory):
    """Return the names that lead from some `methods` directory to a directory, or an empty tuple."""
    for root in roots:
        for base in (root, os.path.realpath(root)):
            inside = os.path.join(base, "methods") + os.sep
            if directory.startswith(inside):
                return tuple(directory[len(inside) :].split(os.sep))
    return ()


def dataset_place(session, argument):
    """Return the TruePlace in the current method's directory for a dpath such as `/demo/income`, or None
    where it is none or the working directory is in no method's directory."""
    names = tuple(name for name in argument.split("/") if name not in ("", "."))
    here = _method_names(session.hierarchy.roots, session.working_directory)
    if (
        not argument.startswith("/")
        or not here
        or not names
        or names[0] not in dataset_names(session.hierarchy)
    ):
        return None
    directory = session.working_directory
    for _ in here[1:]:
        directory = os.path.dirname(directory)
    return TruePlace(os.path.join(directory, *names), (here[0], *names), os.path.join(*names))


def task_places(session, place):
    """Return the TruePlaces of all existing task directories at or below a place, in lexical order.

    Raises DelveError for a place that does not exist or whose names mean nothing in the data.
    """
    if not os.path.isdir(place.directory):
        raise DelveError(f"{place.shown}: expected a directory, found none; make it with mgendir")
    if len(place.names) > 4:
        raise DelveError(f"{place.shown}: expected a method, dataset, prototask or task, found a path below")
    if len(place.names) == 4:
        return [place]
    known = _known_below(session.hierarchy, place.names)
    found = sorted(name for name in os.listdir(place.directory) if known(name))
    below = [place.below(name) for name in found]
    return [task for one in below if os.path.isdir(one.directory) for task in task_places(session, one)]


def _known_below(hierarchy, names):
    """Return the function that says whether a name may stand below a method, dataset or prototask."""
    if len(names) == 1:
        return set(dataset_names(hierarchy)).__contains__
    if len(names) == 2:
        return set(prototask_names(hierarchy, names[1])).__contains__
    return lambda name: parse_task_name(name) is not None
