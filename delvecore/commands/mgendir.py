"""`mgendir`: make the directories in which a method is assessed. Source: manual, section 7.2, appendix C."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence

from delvecore.commands.frame.completers import any_of, data_paths, directories
from delvecore.commands.frame.context import Session, run
from delvecore.commands.frame.manual import ClassicParser
from delvecore.commands.frame.manual_files import PRIORS, SPECIFICATIONS
from delvecore.commands.frame.places import Names, TruePlace, dataset_place, true_place
from delvecore.errors import DelveError
from delvecore.readers.hierarchy import Hierarchy
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

__all__ = ["command", "main"]


def command() -> ClassicParser:
    """Return what the command takes and tells of itself."""
    parser = ClassicParser(
        "mgendir",
        "generate the directories of tasks",
        "[-l] [-q] [path]",
        description="Makes the directories of a method for the datasets, prototasks and tasks at and below a "
        "path: the true path of a directory in a methods directory, or /DATASET/... for the current method. "
        "The default is the working directory.",
        complete=any_of(directories, data_paths(tasks=True)),
        files=(*SPECIFICATIONS, PRIORS),
        examples=(
            ("mgendir ./demo", "Make directories for all tasks of a dataset."),
            ("mgendir ~/delve/methods/mine/demo/age", "Make those of one prototask for the method `mine`."),
        ),
    )
    parser.flag("l", "Make only the directory that is named, none below it.")
    parser.flag("q", "Do not print the names of the directories made.")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return run(command(), _generate, arguments)


def _generate(session: Session, options: Namespace) -> None:
    place = _place(session, *(options.paths or ["."]))
    names = _check_names(session.hierarchy, place)
    below = [] if options.l else names
    for step in (*_path_to(place), *(_step_below(place, more) for more in below)):
        if make_directory(step.directory) and not options.q:
            print(step.shown, file=sys.stderr)


def _place(session: Session, argument: str) -> TruePlace:
    """Take a true path for what it is, and any other that starts with a slash for one in the data."""
    try:
        return true_place(session, argument)
    except DelveError:
        place = dataset_place(session, argument)
        if place is None:
            raise
        return place


def _check_names(hierarchy: Hierarchy, place: TruePlace) -> list[Names]:
    """Return what belongs below a place; DelveError where the place itself is unknown."""
    _, *data = place.names
    if len(data) > 3:
        raise DelveError(f"{place.shown}: expected a method, dataset, prototask or task, found a path below")
    return list(_below(hierarchy, *data))


def _below(hierarchy: Hierarchy, *data: str) -> Iterator[Names]:
    """Yield the names of all directories below a place in the data, from its names."""
    if len(data) == 3:
        read_task(hierarchy, *data)
        return
    if len(data) == 2:
        specified = read_prototask(hierarchy, read_dataset(hierarchy, data[0]), data[1])
        names = [task.name for task in all_tasks(hierarchy, specified, prior_names(hierarchy, *data))]
    elif data:
        read_dataset(hierarchy, *data)
        names = prototask_names(hierarchy, *data)
    else:
        names = dataset_names(hierarchy)
    for name in names:
        yield (name,)
        if len(data) < 2:
            yield from ((name, *more) for more in _below(hierarchy, *data, name))


def _path_to(place: TruePlace) -> Iterator[TruePlace]:
    """Return the directories from the method's own down to the place, each with the name that is shown."""
    steps = [place]
    for _ in place.names[1:]:
        last = steps[-1]
        shown = os.path.dirname(last.shown) or os.path.dirname(last.directory)
        steps.append(TruePlace(os.path.dirname(last.directory), last.names[:-1], shown))
    return reversed(steps)


def _step_below(place: TruePlace, names: Names) -> TruePlace:
    for name in names:
        place = place.below(name) if place.shown != "." else place.below(name)._replace(shown=name)
    return place


if __name__ == "__main__":
    sys.exit(main())
