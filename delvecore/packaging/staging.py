"""The delve directory for new files, which are staged inside it and then moved into place, all or none."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence

from delvecore.atomic_io import scratch_directory, sweep
from delvecore.errors import DelveError, Fault, words_of_system
from delvecore.locations import PARTS, default_directories, is_address
from delvecore.readers.hierarchy import MOVES, STAGED
from delvecore.readers.regular_files import enclosing_directory, is_delve_directory
from delvecore.remote.stores import lies_elsewhere
from delvecore.writers.files import make_directory, uninterrupted, write_mark

REMEDY = "make one (mkdir -p delve/data delve/methods) and go into it, or name one with --into"


def choose_target(
    asked: str | None, roots: Sequence[str], working_directory: str, *, part: str = "methods"
) -> str:
    """Return the delve directory to write into; DelveError if there is none.

    This is `asked` if a path was named. Otherwise, it is the delve directory around the working directory, or
    the first of `roots` with a writable part. The archive that ships with the program is used only if it is
    named."""
    if asked is not None and is_address(asked):
        raise Fault(asked, "a delve directory on this machine", "an address", "stores are only read")
    if asked is not None:
        path = os.path.abspath(os.path.expanduser(asked))
        if is_delve_directory(path):
            return path
        if os.path.exists(path) or not os.path.basename(path).startswith("delve"):
            expected = "a delve directory, or a new path whose name starts with delve"
            actual = "something else" if os.path.exists(path) else "neither"
            raise DelveError(f"{path}: expected {expected}, found {actual}")
        for directory in (path, *(os.path.join(path, part) for part in PARTS)):
            make_directory(directory)
        return path
    around = enclosing_directory(working_directory)
    target = first_writable([around, *roots] if around else roots, [part])
    if target is None:
        raise DelveError(f"expected a writable active delve directory, found none; {REMEDY}")
    return target


def first_writable(roots: Sequence[str], parts: Sequence[str], *, with_shipped: bool = False) -> str | None:
    """Return the first delve directory with writable parts, or None. Copies in the cache do not count, and
    the archive that ships with the program counts only if `with_shipped` is true."""
    shipped = set() if with_shipped else {os.path.realpath(path) for path in default_directories()}
    for root in roots:
        is_own = os.path.realpath(root) not in shipped and not lies_elsewhere(root)
        if is_own and all(os.access(os.path.join(root, part), os.W_OK) for part in parts):
            return root
    return None


@contextlib.contextmanager
def target_directory(
    asked: str | None, roots: Sequence[str], working_directory: str, *, part: str = "methods"
) -> Iterator[str]:
    """Provide the delve directory to write into; see `choose_target`. A new one is removed if an error ends
    the block while it is empty."""
    was_there = asked is None or is_address(asked) or os.path.exists(os.path.expanduser(asked))
    target, is_done = choose_target(asked, roots, working_directory, part=part), False
    try:
        yield target
        is_done = True
    finally:
        if not (is_done or was_there):
            for directory in (*(os.path.join(target, name) for name in PARTS), target):
                with contextlib.suppress(OSError):  # it is not empty
                    os.rmdir(directory)


@contextlib.contextmanager
def staging_directory(root: str) -> Iterator[str]:
    """Provide a directory inside a delve directory that readers ignore, and finish a killed installation.
    Raises DelveError."""
    sweep(STAGED, root, mend=lambda staged: _finish(staged, root))
    with contextlib.ExitStack() as stack:
        try:
            path = stack.enter_context(scratch_directory(STAGED, root))
        except OSError as error:
            raise DelveError(f"{root}: expected to write into it, found {words_of_system(error)}") from None
        yield path


def move_in(staged: str, root: str) -> None:
    """Move the files of a staged tree to the same paths below root; no existing file is replaced.

    An error moves everything back, and an interruption waits for the end. After a kill, the next installation
    continues with the list of moves in the staged tree. Raises DelveError if a place is taken, or is outside
    of root because of a link."""
    steps = list(_steps(staged, root, os.path.realpath(root)))
    with uninterrupted():
        os.sync()
        write_mark(os.path.join(staged, MOVES), [os.path.relpath(source, staged) for source, _ in steps])
        try:
            for source, target in steps:
                _move(source, target)
            os.sync()
        except OSError as error:
            for source, target in reversed(steps):
                _move_back(source, target)
            os.unlink(os.path.join(staged, MOVES))
            actual = words_of_system(error)
            raise DelveError(f"{target}: expected that it can be moved into place, found {actual}") from None


def _finish(staged: str, root: str) -> None:
    """Finish an installation that was killed between its moves; one without moves is dropped."""
    try:
        with open(os.path.join(staged, MOVES), "rb") as file:
            moves = json.load(file)
        for move in moves:
            if not _leads_inside(root, move):
                raise ValueError
        for move in moves:
            _move_on(os.path.join(staged, move), os.path.join(root, move))
        os.sync()
    except FileNotFoundError:
        return
    except (OSError, ValueError, TypeError, RecursionError) as error:
        actual = words_of_system(error) if isinstance(error, OSError) else "a damaged list of moves"
        remedy = "an installation was interrupted: move what is in its way, or remove this directory"
        raise Fault(staged, "to finish what was being installed", actual, remedy) from None


def _leads_inside(root: str, move: str) -> bool:
    home, parent = os.path.realpath(root), os.path.realpath(os.path.dirname(os.path.join(root, move)))
    names = move.split("/")
    return names[0] in PARTS and ".." not in names and f"{parent}/".startswith(f"{home}/")


def _move_on(source: str, target: str) -> None:
    if not os.path.lexists(source):
        return
    if os.path.lexists(target) and os.path.samefile(source, target):
        os.unlink(source)
    else:
        _move(source, target)


def _steps(source: str, target: str, home: str) -> Iterator[tuple[str, str]]:
    """Yield (from, to) of the fewest moves: of whole directories if possible."""
    real = os.path.realpath(target)
    if os.path.islink(target) and real != home and not real.startswith(home + os.sep):
        actual = f"a link to {real}"
        raise DelveError(f"{target}: expected a place inside {home}, found {actual}; unpack it yourself")
    if not os.path.lexists(target):
        yield source, target
    elif os.path.isdir(source) and os.path.isdir(target):
        for name in sorted(os.listdir(source)):
            yield from _steps(os.path.join(source, name), os.path.join(target, name), home)
    else:
        actual = "a directory" if os.path.isdir(target) else "a file"
        raise DelveError(f"{target}: expected nothing there yet, found {actual}; move it away")


def _move(source: str, target: str) -> None:
    """Rename. For a file, fail if another file has just appeared there."""
    if os.path.isdir(source):
        os.rename(source, target)
        return
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        os.rename(source, target)
    else:
        os.unlink(source)


def _move_back(source: str, target: str) -> None:
    if not os.path.lexists(source) and os.path.lexists(target):
        os.rename(target, source)
    elif os.path.isfile(source) and os.path.isfile(target) and os.path.samefile(source, target):
        os.unlink(target)
