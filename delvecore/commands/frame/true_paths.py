"""True paths in a data or methods directory, for the commands that write. Source: manual, appendix C."""

import os
from collections import namedtuple

from delvecore.errors import DelveError
from delvecore.readers.specifications import (
    dataset_names,
    parse_task_name,
    prototask_names,
)

__all__ = ["TruePlace", "data_place", "dataset_place", "prototask_places", "task_places", "true_place"]


class TruePlace(namedtuple("TruePlace", "directory names shown")):
    """A true directory, the names below `methods` or `data` that lead to it, and how messages show it."""

    __slots__ = ()

    def below(self, name):
        shown = name if self.shown == "" else os.path.join(self.shown, name)
        return TruePlace(os.path.join(self.directory, name), (*self.names, name), shown)


def true_place(session, argument):
    """Return the TruePlace that a command's argument means; DelveError outside of methods directories."""
    directory = os.path.normpath(os.path.join(session.working_directory, argument))
    names = _names_below(session.hierarchy.roots, directory, "methods")
    if not names:
        expected = "the true path of a directory below the methods directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    return TruePlace(directory, names, argument)


def _names_below(roots, directory, part):
    """Return the names that lead from some part (`data` or `methods`) to a directory: none for the part
    itself, None outside of it."""
    for root in roots:
        for base in (root, os.path.realpath(root)):
            inside = os.path.join(base, part)
            if directory == inside:
                return ()
            if directory.startswith(inside + os.sep):
                return tuple(directory[len(inside) + 1 :].split(os.sep))
    return None


def data_place(session, argument):
    """Return the TruePlace in a data directory that a command's argument means; DelveError outside.

    The place is that directory itself (no names), or one of a dataset or prototask that is there.
    """
    directory = os.path.normpath(os.path.join(session.working_directory, argument))
    names = _names_below(session.hierarchy.roots, directory, "data")
    if names is None:
        expected = "the true path of a directory at or below the data directory of an active delve directory"
        raise DelveError(f"{argument}: expected {expected}, found {directory}")
    if not os.path.isdir(directory) or len(names) > 2:
        found = "a path below" if len(names) > 2 else "none"
        raise DelveError(f"{argument}: expected the directory of a dataset or prototask, found {found}")
    return TruePlace(directory, names, argument)


def prototask_places(session, place):
    """Return the TruePlaces of all prototasks at or below a place in the data, in lexical order."""
    if len(place.names) == 2:
        return [place]
    if place.names:
        known = set(prototask_names(session.hierarchy, *place.names)).__contains__
    else:
        known = set(dataset_names(session.hierarchy)).__contains__
    found = sorted(name for name in os.listdir(place.directory) if known(name))
    below = [place.below(name) for name in found]
    return [one for each in below if os.path.isdir(each.directory) for one in prototask_places(session, each)]


def dataset_place(session, argument):
    """Return the TruePlace in the current method's directory for a dpath such as `/demo/income`, or None
    where it is none or the working directory is in no method's directory."""
    names = tuple(name for name in argument.split("/") if name not in ("", "."))
    here = _names_below(session.hierarchy.roots, session.working_directory, "methods")
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
