"""What `dmore` and `mmore` have in common: showing text files of the hierarchy, a screenful at a time."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from delvecore.commands.frame.context import Session, run
from delvecore.commands.frame.manual import ClassicParser
from delvecore.encoding.case_file import find_case_file
from delvecore.errors import DelveError
from delvecore.readers.data_file import DATA
from delvecore.readers.files import read_bytes

__all__ = ["show_files"]

DEFAULT_PAGER = "more"


def show_files(parser: ClassicParser, arguments: Sequence[str] | None, *, part: str) -> int:
    """Copy files, decompressed, to standard output; through $PAGER where that is a terminal."""

    def show(session: Session, options: Namespace) -> int:
        paths = [_path(session, argument, part) for argument in options.paths]
        contents = map(read_bytes, paths)
        if sys.stdout.isatty():
            return _page(b"".join(contents))
        for content in contents:
            sys.stdout.buffer.write(content)
        return 0

    return run(parser, show, arguments)


def _path(session: Session, argument: str, part: str) -> str:
    location = session.locate(argument, part=part)
    if session.hierarchy.directories(part, *location.names):
        lister = "dls" if part == "data" else "mls"
        raise DelveError(f"{argument}: expected a file, found a directory; {lister} lists it")
    path = session.hierarchy.find(part, *location.names)
    if path is None and part == "data" and location.names[1:] == (DATA,):
        path = find_case_file(session.hierarchy, location.names[0])
    if path is None:
        raise DelveError(f"{argument}: expected a file of the hierarchy, found nothing")
    return path


def _page(content: bytes) -> int:
    """Hand content to the pager and return its exit code; leaving the pager early is no fault."""
    import subprocess

    command = os.environ.get("PAGER") or DEFAULT_PAGER
    return subprocess.run(command, shell=True, input=content, check=False).returncode
