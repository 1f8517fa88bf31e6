"""Ends without warning: of the whole process at some moment, or before the n-th change that it makes on the disk."""

import contextlib
import importlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.reliability.fuzzing import LONGEST

CHANGES = ("link", "mkdir", "rename", "replace", "rmdir", "unlink", "write")
GONE = 1 << 22
"""The number of no process: the largest one is smaller."""


class Killed(BaseException):
    """The process is no more: it does nothing from here on."""


@contextlib.contextmanager
def killed_before(number: int) -> Iterator[list[str]]:
    """Let nothing change on the disk from the number-th change on; provide the list of changes."""
    made: list[str] = []

    def mortal(name: str, change: Callable[..., object]) -> Callable[..., object]:
        def make(*given: object, **named: object) -> object:
            made.append(name)
            if len(made) >= number:
                raise Killed
            return change(*given, **named)

        return make

    with pytest.MonkeyPatch.context() as patch:
        for name in CHANGES:
            patch.setattr(os, name, mortal(name, getattr(os, name)))
        patch.setattr(os, "getpid", lambda: GONE)
        with contextlib.suppress(Killed):
            yield made


def run_apart(work: Callable[[], object]) -> int:
    """Start a work in a process of its own; return its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    with contextlib.suppress(BaseException):
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        work()
        code = 0
    os._exit(code)


def ended(child: int) -> int:
    """Return the exit code of a process that ends by itself. Raises AssertionError for one that hangs."""
    end = time.monotonic() + LONGEST
    while not (status := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            raise AssertionError(f"hangs: process {child}")
        time.sleep(0.005)
    return os.waitstatus_to_exitcode(status[1])


def import_what_it_needs(work: Callable[[], object], notes: Path) -> None:
    """Do a work in a process of its own, and import here what it imported: so the next ones take less time, and
    are killed at its work rather than at its imports. notes: a file to be made."""

    def note() -> None:
        work()
        notes.write_text("\n".join(sys.modules))

    ended(run_apart(note))
    for name in notes.read_text().split():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def killed_at(work: Callable[[], object], seconds: float, chance: random.Random) -> None:
    """Kill a process that does a work, at some moment within so many seconds."""
    child = run_apart(work)
    time.sleep(chance.uniform(0, seconds))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a directory, hidden or not."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
