"""What was fetched: the content of the files that stand for objects, fetched when it is first read.

What stands for an object has its size and time and nothing else, so that all that lists and compares files
finds what it looks for. The content lies elsewhere in the cache, under the same name and with the same time,
written beside and renamed: it is there whole or not at all. The file cache of fsspec has no entry for what is
not fetched, and gives its files other names."""

import errno
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, Protocol

from delvecore import locations
from delvecore.atomic_io import scratch_directory, sync
from delvecore.errors import Fault
from delvecore.locations import QUERY, STAND_INS, with_addresses

ALONE = ""
"""The name of an object that is asked for by its own address."""
AT_ONCE = 16
"""So many requests are under way at once, at most."""
BILLION = 10**9
YOUNG = 5
"""Until it has this many seconds an object is young."""
Write = Callable[[bytes], object]


class StoreFault(Fault):
    """A store does not give what is asked for."""

    def __init__(self, address: str, expected: str, found: str, remedy: str = "") -> None:
        super().__init__(with_addresses(address), expected, with_addresses(found), remedy)


class ChangedError(Exception):
    """An object is not any more what was listed."""


class Listed(NamedTuple):
    """size: in bytes; modified: when it was last changed, in nanoseconds of the epoch, of which those below a
    second tell contents apart that were written within it."""

    size: int
    modified: int


Found = Mapping[str, Listed]
"""All objects below an address by their names, with `/` between folders; ALONE for the address itself."""


class Store(Protocol):
    """A bucket, or a web server. path: of what is meant in it, without a slash in front."""

    def look(self, path: str) -> Found:
        """Return what lies at a path. Raises StoreFault, also where nothing does."""

    def fetch(self, path: str, known: Listed, write: Write) -> None:
        """Call write with the pieces of an object. Raises StoreFault, ChangedError where it is another."""


def listed(size: int, seconds: int, mark: str, *, now: float) -> Listed:
    """Return what identifies an object. seconds: when it was last changed; mark: changes with its content,
    as far as the store tells; now: by the store's clock. One that is young is another whenever it is asked
    for: it may be replaced by one of the same size and, to the second, time."""
    mark += f" {time.time_ns()}" if now - seconds < YOUNG else ""
    digest = hashlib.blake2b(mark.encode(errors="surrogateescape"), digest_size=8).digest()
    return Listed(size, seconds * BILLION + int.from_bytes(digest) % BILLION)


CONTENTS, ARRIVING = "contents", "arriving-"
TOGETHER = 512
"""So many files are put on the disk by one call."""
GIVEN_UP = 5.0
"""Seconds during which a store that failed is not asked for further files."""
failed: dict[tuple[str, str], tuple[float, StoreFault]] = {}
queries: dict[str, str] = {}
"""The queries of addresses that were given to this process, by what stands for them: they may be signatures,
and are written nowhere."""


def is_stand_in(path: str) -> bool:
    """Does this path stand for an object, or a folder, of a store?"""
    if f"{os.sep}{STAND_INS}{os.sep}" not in path:  # asked of each file that is opened
        return False
    return path.startswith(os.path.join(locations.stores_directory(), STAND_INS, ""))


def lies_elsewhere(path: str) -> bool:
    """Is this what the cache has of a store, or of an archive file, so that nothing may be written there?"""
    return path.startswith(os.path.join(locations.stores_directory(), ""))


def address_of(place: str) -> tuple[str, str, str]:
    """Return (scheme, host, path) of the address that a place stands for."""
    inside = os.path.relpath(place, os.path.join(locations.stores_directory(), STAND_INS))
    scheme, host, *names = inside.split(os.sep)
    return scheme, host, "/".join(name for name in names if not name.startswith(QUERY))


@lru_cache(maxsize=64)
def store_of(scheme: str, host: str, query: str = "") -> Store:
    """Return the store of an address, one for the whole process."""
    if scheme in ("http", "https"):
        from delvecore.remote.web import WebServer

        return WebServer(scheme, host, query)
    from delvecore.remote.buckets import Bucket

    return Bucket(scheme, host)


def content_of(path: str) -> str:
    """Return where the content of a file is: at its path, or in the cache, where it is fetched to if it is
    not there. Raises OSError."""
    if not is_stand_in(path):
        return path
    content, status = _content_path(path), os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        return path
    try:
        if _is_there(content, status):
            return content
        fetch_all([path])
    except StoreFault as fault:
        raise OSError(errno.EIO, f"{fault.found} at its store", path) from None
    if not _is_there(content, status):
        raise OSError(errno.EIO, "another file in its store than was listed", path)
    return content


def contents_of(paths: Sequence[str]) -> list[str]:
    """Return where the contents of files are, fetched together. Raises OSError."""
    try:
        fetch_all(paths)
    except StoreFault as fault:
        raise OSError(errno.EIO, f"{fault.found} at its store", paths[0]) from None
    return [content_of(path) for path in paths]


def fetch_all(paths: Iterable[str]) -> None:
    """Have the content of files here that are about to be read, many at a time. Those that were changed or
    removed since they were listed stay away. Raises StoreFault where a store fails."""
    places = [path for path in paths if is_stand_in(path)]
    missing = iter([place for place in dict.fromkeys(places) if not _is_here(place)])
    while batch := list(islice(missing, TOGETHER)):
        base = locations.stores_directory()
        with scratch_directory(ARRIVING, base) as beside:
            arrived = dict(_arriving(batch, beside))
            sync([*arrived.values()])
            for place, path in arrived.items():
                os.makedirs(os.path.dirname(_content_path(place)), exist_ok=True)
                os.replace(path, _content_path(place))


def _arriving(places: Sequence[str], beside: str) -> Iterator[tuple[str, str]]:
    """Yield (place, path) of each whose content was written below a directory."""
    targets = [os.path.join(beside, str(number)) for number in range(len(places))]
    if len(places) == 1:
        came = [_fetched(places[0], targets[0])]
    else:
        with ThreadPoolExecutor(min(AT_ONCE, len(places))) as pool:
            came = list(pool.map(_fetched, places, targets))
    return ((place, path) for place, path, is_here in zip(places, targets, came, strict=True) if is_here)


def _fetched(place: str, target: str) -> bool:
    """Write the content of one object to a new file; say whether it is what was listed."""
    scheme, host, path = address_of(place)
    when, fault = failed.get((scheme, host), (-GIVEN_UP, None))
    if fault is not None and time.monotonic() - when < GIVEN_UP:
        raise fault
    try:
        status = os.stat(place)
        known = Listed(status.st_size, status.st_mtime_ns)
        with open(target, "wb") as file:
            store_of(scheme, host, queries.get(place, "")).fetch(path, known, file.write)
        os.utime(target, ns=(known.modified, known.modified))
    except (ChangedError, FileNotFoundError):
        return False
    except StoreFault as error:
        failed[scheme, host] = time.monotonic(), error
        raise
    return True


def forget(place: str) -> None:
    """Remove the content of what stands for an object that is gone, or another."""
    try:
        os.unlink(_content_path(place))
    except OSError:
        return


def _content_path(place: str) -> str:
    base = locations.stores_directory()
    return os.path.join(base, CONTENTS, os.path.relpath(place, os.path.join(base, STAND_INS)))


def _is_here(place: str) -> bool:
    try:
        return _is_there(_content_path(place), os.stat(place))
    except OSError:
        return True  # it is gone: whoever reads it is told


def _is_there(content: str, wanted: os.stat_result) -> bool:
    try:
        found = os.stat(content)
    except OSError:
        return False
    is_whole = wanted.st_size in (0, found.st_size)  # a web server need not say the size
    return is_whole and found.st_mtime_ns == wanted.st_mtime_ns
