"""`dmore`: page through files of data directories. Source: DELVE manual, appendix C."""

import os
import subprocess
import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import ClassicParser
from delvecore.errors import DelveError
from delvecore.names import lines_shown
from delvecore.readers.dataset import DATA
from delvecore.readers.files import read_bytes, read_document

DEFAULT_PAGER = "more"


def command() -> ClassicParser:
    return ClassicParser(
        "dmore",
        "page through files of data directories",
        "DPATH | MPATH ...",
        description="Show text files of data directories, including compressed ones. A method's "
        "path means the data that the method was run on. On a terminal, the files are shown by the "
        "program in PAGER, or by more if PAGER is not set.",
        paths="+",
        files=(("/DATASET/Summary", "is an example of a file to read."),),
        examples=(
            ("dmore /demo/age/std.prior", "Show the prior of the prototask."),
            ("dmore /demo/Summary /demo/Dataset.spec", "Show two files."),
        ),
    )


def show_files(session: Session, options: Namespace, *, part: str) -> int:
    """Print files, decompressed, on standard output, or in $PAGER on a terminal; return the exit code.

    Control characters in files do not reach the terminal."""
    paths = [_path(session, argument, part) for argument in options.paths]
    if sys.stdout.isatty():
        pager = os.environ.get("PAGER") or DEFAULT_PAGER
        text = lines_shown("".join(map(read_document, paths)))
        return subprocess.run(pager, shell=True, input=text.encode(), check=False).returncode
    for path in paths:
        sys.stdout.buffer.write(read_bytes(path))
    return 0


def _path(session: Session, argument: str, part: str) -> str:
    from delvecore.encoding.prototask_cases import find_case_file

    place = session.locate(argument, part=part)
    if session.hierarchy.directories(part, *place):
        lister = "dls" if part == "data" else "mls"
        raise DelveError(f"{argument}: expected a file, found a directory; {lister} lists it")
    path = session.hierarchy.find(part, *place)
    if path is None and part == "data" and place[1:] == (DATA,):
        path = find_case_file(session.hierarchy, place[0])
    if path is None:
        raise DelveError(f"{argument}: expected a file of the hierarchy, found nothing")
    return path


main = partial(run, command, partial(show_files, part="data"))

if __name__ == "__main__":
    sys.exit(main())
