"""Generate the cases of datasets without stored ones, once, into the user's cache.

Only generators that are part of this program or of an installed package are called: code in a delve directory
is never executed. Generated cases are stored under their checksum, so that archives can share them. Several
datasets are generated at once, in one new process for each core. Failures in these processes are ignored: the
process that needs the cases generates them itself and reports the error."""

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from importlib.metadata import entry_points

from delvecore.cache import say_damaged, write_whole
from delvecore.errors import ParseError
from delvecore.locations import cache_directory
from delvecore.model import Generator
from delvecore.parallel.processes import in_processes, usable_cores
from delvecore.readers.tar_archives import Identity, identity_of
from delvecore.simulators import SIMULATORS, simulated_text

GROUP = "delvecore.generators"
"""Entry points of other packages: a name, and a function without arguments that returns the text as bytes."""


def build_file(generator: Generator, source: str) -> str:
    """Return the path of the file with a Generator's cases, generated if it is not in the cache. source: path
    of the file that names the generator. Raises DelveError if there is no generator of this name, if its
    output differs from the record, or if the cache cannot be written."""
    path = _path(generator)
    if not is_built(generator):
        text = generate_text(generator, source)
        try:
            write_whole(path, text)
        except OSError as error:
            actual = getattr(error, "strerror", None) or str(error)
            remedy = "set XDG_CACHE_HOME to a writable directory"
            expected = f"to keep its cases in {os.path.dirname(path)}"
            raise ParseError(source, None, expected, actual, remedy, kind="file") from None
    return path


def is_kept(generator: Generator) -> bool:
    """Does the cache have a file for the cases, even a damaged one?"""
    return os.path.lexists(_path(generator))


def is_built(generator: Generator) -> bool:
    """Does the cache have the cases, byte for byte? Changed files are read again."""
    path = _path(generator)
    try:
        return _is_whole(path, identity_of(os.stat(path)))
    except OSError:
        return False


@functools.lru_cache(maxsize=1000)
def _is_whole(path: str, identity: Identity) -> bool:
    """Does the content of this file match the checksum in its name? identity: key of the cache."""
    with open(path, "rb") as file:
        whole = hashlib.file_digest(file, "sha256").hexdigest() == os.path.basename(path)
    if not whole:
        say_damaged(path)
    return whole


def generate_text(generator: Generator, source: str) -> bytes:
    """Return the verified text of `Dataset.data` from a Generator. Raises DelveError."""
    text = _generator(generator.name, source)()
    checksum = hashlib.sha256(text).hexdigest()
    lines = text.count(b"\n")
    if lines != generator.cases:
        raise _fault(source, f"{generator.cases} cases of generator {generator.name}", f"{lines}")
    if checksum != generator.checksum:
        remedy = (
            "this release makes different cases: use its version of the file, or install the older release"
        )
        expected = f"cases of generator {generator.name} with checksum {generator.checksum[:12]}..."
        raise _fault(source, expected, f"{checksum[:12]}...", remedy)
    return text


def _generator(name: str, source: str) -> Callable[[], bytes]:
    if name in SIMULATORS:
        return lambda: simulated_text(name)
    for entry_point in entry_points(group=GROUP, name=name):
        generate: Callable[[], bytes] = entry_point.load()
        return generate
    remedy = "install the package with this generator, or use a Dataset.data"
    raise _fault(source, f"a known generator, such as {next(iter(SIMULATORS))}", repr(name), remedy)


def _fault(source: str, expected: str, actual: str, remedy: str = "") -> ParseError:
    return ParseError(source, None, expected, actual, remedy, kind="data")


def _path(generator: Generator) -> str:
    return os.path.join(cache_directory(), "generated", generator.checksum)


FEWEST = 4
"""Minimum number of missing datasets for which starting other processes pays off."""


def build_ahead(generators: Mapping[str, Generator], *, cores: int | None = None) -> Iterator[str]:
    """Generate the missing cases. generators: by path of the file that names them. Yield each path whose
    cases exist now. The other cases cannot be generated, or are left to the caller because processes would
    not save time or cannot be started. cores: number of cores to use, None for all available ones."""
    missing = {source: generator for source, generator in generators.items() if not is_built(generator)}
    cores = min(cores or usable_cores(), len(missing))
    if len(missing) < FEWEST or cores < 2 or not sys.executable:
        return
    with closing(in_processes(_build, missing.items(), workers=cores)) as built:
        for (source, _), future in built:
            if future.exception() is None:
                yield source


def _build(named: tuple[str, Generator]) -> None:
    source, generator = named
    build_file(generator, source)
