"""Build the cases of datasets that keep none, once, into the user's cache.

Only generators that are part of this program or of an installed package are called: nothing in a delve
directory is ever executed. What is built is kept under its checksum, so that it can be shared by archives.
"""

import hashlib
import os
from collections.abc import Callable
from importlib.metadata import entry_points

from delvecore.cache import write_whole
from delvecore.errors import ParseError
from delvecore.locations import cache_directory
from delvecore.model import Generator
from delvecore.simulators import SIMULATORS, simulated_text

__all__ = ["GROUP", "built_file", "generated_text", "is_built"]

GROUP = "delvecore.generators"
"""Entry points of other packages: a name, and a function without arguments that returns the text as bytes."""


def built_file(generator: Generator, source: str) -> str:
    """Return the path of the file with a Generator's cases, building it where it is not in the cache.

    source: path of the file that names the generator. Raises DelveError where there is no generator of this
    name, where it makes something else than was recorded, or where the cache cannot be written.
    """
    path = _path(generator)
    if not os.path.isfile(path):
        text = generated_text(generator, source)
        try:
            write_whole(path, text)
        except OSError as error:
            raise _not_kept(source, path, error) from None
    return path


def is_built(generator: Generator) -> bool:
    """Are the cases in the cache already?"""
    return os.path.isfile(_path(generator))


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


def _not_kept(source: str, path: str, error: OSError) -> ParseError:
    found = getattr(error, "strerror", None) or str(error)
    remedy = "set XDG_CACHE_HOME to a directory that can be written"
    return ParseError(
        source, None, f"to keep its cases in {os.path.dirname(path)}", found, remedy, kind="file"
    )
