"""Files that commands write anew, or print where their name is `-`."""

import os
import sys
from collections.abc import Iterable

from delvecore.cli.support.context import print_lines
from delvecore.errors import DelveError
from delvecore.writers.files import write_atomically

STANDARD_OUTPUT = "-"


def print_bytes(pieces: Iterable[bytes]) -> None:
    """Print bytes as they are, behind what was printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.writelines(pieces)
    sys.stdout.buffer.flush()


def check_new(path: str) -> None:
    """Raise DelveError where a file is in the way of one that is to be written."""
    if path != STANDARD_OUTPUT and os.path.lexists(path):
        raise DelveError(f"{path}: expected no file yet, found one; name another with --output")


def write_new(pieces: Iterable[bytes], path: str, *, said: str) -> None:
    """Write a file and say what is in it, or print its content."""
    if path == STANDARD_OUTPUT:
        print_bytes(pieces)
        return
    write_atomically(path, pieces, alone=False)
    print_lines(f"{path}: {said}")
