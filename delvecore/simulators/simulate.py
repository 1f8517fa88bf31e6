"""Build the cases of datasets that keep none, once, into the user's cache.

Only generators that are part of this program or of an installed package are called: nothing in a delve
directory is ever executed. What is built is kept under its checksum, so that it can be shared by archives.
Several datasets are built at once by as many new processes as there are cores. What fails there is left out:
whoever needs the cases builds them himself and then says why they cannot be had."""

import functools
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import entry_points

from delvecore.checked_files import say_damaged, write_whole
from delvecore.errors import DelveError, ParseError
from delvecore.locations import cache_directory, package_root
from delvecore.model import Generator
from delvecore.readers.archives.packed import Identity, identity_of
from delvecore.simulators import SIMULATORS, simulated_text

__all__ = ["build_ahead", "built_file", "generated_text", "is_built", "is_kept", "package_environment"]
__all__ += ["usable_cores"]

GROUP = "delvecore.generators"
"""Entry points of other packages: a name, and a function without arguments that returns the text as bytes."""


def built_file(generator: Generator, source: str) -> str:
    """Return the path of the file with a Generator's cases, building it where it is not in the cache. source:
    path of the file that names the generator. Raises DelveError where there is no generator of this name,
    where it makes something else than was recorded, or where the cache cannot be written."""
    path = _path(generator)
    if not is_built(generator):
        text = generated_text(generator, source)
        try:
            write_whole(path, text)
        except OSError as error:
            found = getattr(error, "strerror", None) or str(error)
            remedy = "set XDG_CACHE_HOME to a directory that can be written"
            expected = f"to keep its cases in {os.path.dirname(path)}"
            raise ParseError(source, None, expected, found, remedy, kind="file") from None
    return path


def is_kept(generator: Generator) -> bool:
    """Is there a file for the cases in the cache, damaged or not?"""
    return os.path.lexists(_path(generator))


def is_built(generator: Generator) -> bool:
    """Are the cases in the cache, byte for byte? They are read once in a process, and when they change."""
    path = _path(generator)
    try:
        return _is_whole(path, identity_of(os.stat(path)))
    except OSError:
        return False


@functools.lru_cache(maxsize=1000)
def _is_whole(path: str, identity: Identity) -> bool:
    """Has this file the content that its name says? identity: of the file, so that another one is read."""
    with open(path, "rb") as file:
        whole = hashlib.file_digest(file, "sha256").hexdigest() == os.path.basename(path)
    if not whole:
        say_damaged(path)
    return whole


def generated_text(generator: Generator, source: str) -> bytes:
    """Return the text of `Dataset.data` that a Generator makes, verified; raises DelveError."""
    text = _generator(generator.name, source)()
    found = hashlib.sha256(text).hexdigest()
    lines = text.count(b"\n")
    if lines != generator.cases:
        raise _fault(source, f"{generator.cases} cases of generator {generator.name}", f"{lines}")
    if found != generator.checksum:
        remedy = "this release makes other cases: take the file of this release, or install the older one"
        expected = f"cases of generator {generator.name} with checksum {generator.checksum[:12]}..."
        raise _fault(source, expected, f"{found[:12]}...", remedy)
    return text


def _generator(name: str, source: str) -> Callable[[], bytes]:
    if name in SIMULATORS:
        return lambda: simulated_text(name)
    for found in entry_points(group=GROUP, name=name):
        return found.load()
    remedy = "install the package that brings it, or take a Dataset.data"
    raise _fault(source, f"a generator known here, such as {next(iter(SIMULATORS))}", repr(name), remedy)


def _fault(source: str, expected: str, found: str, remedy: str = "") -> ParseError:
    return ParseError(source, None, expected, found, remedy, kind="data")


def _path(generator: Generator) -> str:
    return os.path.join(cache_directory(), "generated", generator.checksum)


PAUSE = 0.05
"""Seconds between two looks at what is built."""
FEWEST = 4
"""So many datasets have to be missing for the start of other processes to pay."""


def build_ahead(wanted: Mapping[str, Generator], *, cores: int | None = None) -> Iterator[str]:
    """Build the cases of generators where they are missing. wanted: by path of the file that names them.
    Yield each path whose cases are there now; the rest cannot be built, or is left to the caller: starting
    processes does not pay, or Python cannot be started. cores: those to use, None for all that are usable."""
    missing = {source: generator for source, generator in wanted.items() if not is_built(generator)}
    cores = cores or usable_cores()
    if len(missing) < FEWEST or cores < 2 or not sys.executable:
        return
    pairs = list(missing.items())
    workers = [_started(pairs[first::cores]) for first in range(cores)]
    try:
        while missing:
            at_work = any(worker.poll() is None for worker in workers)
            done = [source for source, generator in missing.items() if is_built(generator)]
            for source in done:
                del missing[source]
                yield source
            if not at_work:
                return
            time.sleep(PAUSE)
    finally:
        for worker in workers:
            worker.terminate()
            worker.wait()


def _started(pairs: Iterable[tuple[str, Generator]]) -> subprocess.Popen[bytes]:
    """Start a process that builds. `-P`: it must not import what lies in the working directory."""
    words = [str(word) for source, generator in pairs for word in (source, *generator)]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "delvecore.simulators.simulate", *words],
        env=package_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def package_environment() -> dict[str, str]:
    """Return the environment for other processes that run modules of this package."""
    above = os.path.dirname(package_root())
    paths = os.pathsep.join(filter(None, [above, os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": paths}


def usable_cores() -> int:
    """How many processes can work at once?"""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _build(words: Sequence[str]) -> None:
    """Build what groups of four words describe: a path, and a generator's name, cases and checksum."""
    for source, name, cases, checksum in zip(*[iter(words)] * 4, strict=True):
        try:
            built_file(Generator(name, int(cases), checksum), source)
        except DelveError:
            continue


if __name__ == "__main__":
    _build(sys.argv[1:])
