"""`mgendir`: make the directories in which a method is assessed. Source: manual, section 7.2, appendix C."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import PRIORS, SPECIFICATIONS, ClassicParser
from delvecore.cli.support.places import Names, TruePlace, dataset_place, true_place
from delvecore.errors import DelveError
from delvecore.readers import specifications
from delvecore.readers.hierarchy import Hierarchy
from delvecore.writers.files import make_directory


def command() -> ClassicParser:
    return ClassicParser(
        "mgendir",
        "generate the directories of tasks",
        "[-l] [-q] [path]",
        description="Make the directories of a method for the datasets, prototasks and tasks at "
        "and below a path. It is the true path of a directory in a methods directory, or /DATASET/... "
        "for the current method. The default is the current directory.",
        files=(*SPECIFICATIONS, PRIORS),
        examples=(
            ("mgendir ./demo", "Make directories for all tasks of a dataset."),
            ("mgendir ~/delve/methods/mine/demo/age", "Make those of one prototask for the method `mine`."),
        ),
        flags={
            "l": "Make only the named directory, none below it.",
            "q": "Do not print the names of new directories.",
        },
    )


def _generate(session: Session, options: Namespace) -> None:
    (argument,) = options.paths or ["."]
    try:
        place = true_place(session, argument)
    except DelveError:  # another path that starts with a slash is in the data
        if (in_data := dataset_place(session, argument)) is None:
            raise
        place = in_data
    _, *data = place.names
    if len(data) > 3:
        raise DelveError(f"{place.shown}: expected a method, dataset, prototask or task, found a path below")
    below = list(_below(session.hierarchy, *data))
    steps = [place]
    for _ in data:
        last = steps[0]
        shown = os.path.dirname(last.shown) or os.path.dirname(last.directory)
        steps.insert(0, TruePlace(os.path.dirname(last.directory), last.names[:-1], shown))
    for names in [] if options.l else below:
        step = place
        for name in names:
            step = step.below(name) if step.shown != "." else step.below(name)._replace(shown=name)
        steps.append(step)
    for step in steps:
        if make_directory(step.directory) and not options.q:
            print(step.shown, file=sys.stderr)


def _below(hierarchy: Hierarchy, *data: str) -> Iterator[Names]:
    """Yield the names of all directories below a place in the data. Each starts with the names of the
    place."""
    if len(data) == 3:
        specifications.read_task(hierarchy, *data)
        return
    if len(data) == 2:
        dataset = specifications.read_dataset(hierarchy, data[0])
        prototask = specifications.read_prototask(hierarchy, dataset, data[1])
        priors = specifications.prior_names(hierarchy, *data)
        names = [task.name for task in specifications.all_tasks(hierarchy, prototask, priors)]
    elif data:
        specifications.read_dataset(hierarchy, *data)
        names = specifications.prototask_names(hierarchy, *data)
    else:
        names = specifications.dataset_names(hierarchy)
    for name in names:
        yield (name,)
        if len(data) < 2:
            yield from ((name, *more) for more in _below(hierarchy, *data, name))


main = partial(run, command, _generate)

if __name__ == "__main__":
    sys.exit(main())
