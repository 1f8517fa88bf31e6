"""`mgendir`: make the directories in which a method is assessed. Source: manual, section 7.2, appendix C."""

import os
import sys

from delvecore.commands.frame.context import run
from delvecore.commands.frame.options import Command, Option
from delvecore.commands.frame.true_paths import TruePlace, dataset_place, true_place
from delvecore.errors import DelveError
from delvecore.readers.specifications import (
    all_tasks,
    dataset_names,
    prior_names,
    prototask_names,
    read_dataset,
    read_prototask,
    read_task,
)
from delvecore.writers.files import make_directory

__all__ = ["main"]

COMMAND = Command(
    "mgendir",
    "[-l] [-q] [path]",
    "Makes the directories of a method for the datasets, prototasks and tasks at and below a path: the true "
    "path of a directory in a methods directory, or /DATASET/... for the current method. The default is the "
    "working directory.",
    (
        Option("l", "", "Make only the directory that is named, none below it."),
        Option("q", "", "Do not print the names of the directories made."),
    ),
    0,
    1,
)


def main(arguments=None):
    """Run the command; return its exit code."""
    return run(COMMAND, _generate, arguments)


def _generate(session, options, rest):
    argument = rest[0] if rest else "."
    place = _place(session, argument)
    names = _check_names(session.hierarchy, place)
    below = [] if "l" in options else names
    for step in (*_path_to(place), *(_step_below(place, more) for more in below)):
        if make_directory(step.directory) and "q" not in options:
            print(step.shown, file=sys.stderr)


def _place(session, argument):
    """Take a true path for what it is, and any other that starts with a slash for one in the data."""
    try:
        return true_place(session, argument)
    except DelveError:
        place = dataset_place(session, argument)
        if place is None:
            raise
        return place


def _check_names(hierarchy, place):
    """Return what belongs below a place, as tuples of names; DelveError where the place itself is unknown."""
    _, *data = place.names
    if len(data) > 3:
        raise DelveError(f"{place.shown}: expected a method, dataset, prototask or task, found a path below")
    if len(data) == 3:
        read_task(hierarchy, *data)
        return []
    if len(data) == 2:
        return _task_names(hierarchy, *data)
    if len(data) == 1:
        return _prototask_tree(hierarchy, *data)
    datasets = dataset_names(hierarchy)
    return [
        names for name in datasets for names in ((name,), *_inside(name, _prototask_tree(hierarchy, name)))
    ]


def _prototask_tree(hierarchy, dataset):
    read_dataset(hierarchy, dataset)
    names = prototask_names(hierarchy, dataset)
    return [
        tree for name in names for tree in ((name,), *_inside(name, _task_names(hierarchy, dataset, name)))
    ]


def _task_names(hierarchy, dataset, prototask):
    specified = read_prototask(hierarchy, read_dataset(hierarchy, dataset), prototask)
    tasks = all_tasks(hierarchy, specified, prior_names(hierarchy, dataset, prototask))
    return [(task.name,) for task in tasks]


def _inside(name, trees):
    return [(name, *tree) for tree in trees]


def _path_to(place):
    """Return the directories from the method's own down to the place, each with the name that is shown."""
    steps = [place]
    for _ in place.names[1:]:
        last = steps[-1]
        shown = os.path.dirname(last.shown) or os.path.dirname(last.directory)
        steps.append(TruePlace(os.path.dirname(last.directory), last.names[:-1], shown))
    return reversed(steps)


def _step_below(place, names):
    for name in names:
        place = place.below(name) if place.shown != "." else place.below(name)._replace(shown=name)
    return place


if __name__ == "__main__":
    sys.exit(main())
