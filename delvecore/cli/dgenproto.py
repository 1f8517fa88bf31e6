"""`dgenproto`: make the data files of prototasks. Source: DELVE manual, section 4.4, appendix C."""

import os
import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import ORDER, PROTOTASK_DATA, SOURCES, ClassicParser, made
from delvecore.cli.support.places import TruePlace, data_place, prototask_places
from delvecore.errors import DelveError
from delvecore.model import Prototask
from delvecore.progress import Steps
from delvecore.readers.dataset import find_data_of, has_data
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import read_dataset, read_prototask
from delvecore.writers.files import finish_writing, write_atomically

FILE = "Prototask.data"


def command() -> ClassicParser:
    return ClassicParser(
        "dgenproto",
        "generate the data files of prototasks",
        "[-i] [-q] [PATH]",
        description="Make the file Prototask.data of a prototask. For each of its cases, in its "
        "order, the file has the values of the inputs as listed, then those of the targets. If PATH is "
        "a dataset, do so for all its prototasks; if it is the data directory itself, for all "
        "datasets. PATH is a true path; the default is the current directory. Other commands do not "
        "need this file, unless an archive lacks Dataset.data.",
        files=(*SOURCES, ORDER, made(PROTOTASK_DATA)),
        examples=(
            ("dgenproto -i ~/delve/data/demo", "Make the files of all prototasks of a dataset."),
            ("dgenproto", "Make the file of the prototask in the current directory."),
        ),
        flags={
            "i": "Continue if a file cannot be made, and report it; the exit status is then 1.",
            "q": "Do not print progress.",
        },
    )


def _generate(session: Session, options: Namespace) -> int:
    place = data_place(session, *(options.paths or ["."]))
    places = prototask_places(session, place)
    if not places:
        raise DelveError(f"{place.shown}: expected prototasks, found none; dls / lists the datasets")
    failed = False
    with Steps(sys.stderr, parts=len(places), quiet=options.q) as progress:
        for one in places:
            try:
                _make(session, one, progress)
            except DelveError as error:
                if not options.i:
                    raise
                failed = True
                progress.bar.clear()
                session.warn(error)
    return 1 if failed else 0


def _make(session: Session, place: TruePlace, progress: Steps) -> None:
    from delvecore.encoding.prototask_cases import prototask_cases
    from delvecore.writers.task_files import prototask_data_pieces

    path = os.path.join(place.shown, FILE) if place.shown != "." else FILE
    progress.part(path, steps=2, line=f"generating: {path}")
    finish_writing(place.directory)
    dataset = read_dataset(session.hierarchy, place.names[0])
    prototask = read_prototask(session.hierarchy, dataset, place.names[1])
    _check_sources(session.hierarchy, prototask)
    progress.step("extracting cases...")
    cases = prototask_cases(session.hierarchy, dataset, prototask)
    progress.step("creating file...")
    write_atomically(os.path.join(place.directory, FILE), prototask_data_pieces(cases))


def _check_sources(hierarchy: Hierarchy, prototask: Prototask) -> None:
    """Raise DelveError unless all files that contain the data exist."""
    if not has_data(find_data_of(hierarchy, prototask.dataset)):
        raise DelveError(f"/{prototask.dataset}: expected Dataset.data with cases, found none")
    chosen = "" if prototask.cases.lower() in ("all", "no missing") else prototask.cases
    ordered = prototask.order_file
    for name in filter(None, (chosen, ordered)):
        if hierarchy.find("data", prototask.dataset, prototask.name, name) is None:
            remedy = "make it with dgenorder first" if name == ordered else "write it first"
            raise DelveError(f"{prototask.path}: expected the file {name}, found none; {remedy}")


main = partial(run, command, _generate)

if __name__ == "__main__":
    sys.exit(main())
