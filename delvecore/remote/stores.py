"""Copies of the objects of a store in the cache, updated when an address is opened.

A copy is a file with the size and time of an object. It is written under a temporary name and renamed, so it
is complete or absent. Objects that the store lists with the same size and time keep their copies, so cached
tables of them stay valid. The file cache of fsspec is not used because it changes names and times of
files."""

import contextlib
import hashlib
import os
import shutil
import stat
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from delvecore import locations
from delvecore.atomic_io import lock_directory, scratch_directory, sync
from delvecore.errors import Fault, shortened
from delvecore.locations import COPIES, PARTS, QUERY, with_addresses
from delvecore.names import LONGEST_NAME, hash_of

ALONE = ""
"""Name of an object whose own address is opened."""
AT_ONCE = 16
"""Maximum number of simultaneous requests."""
BILLION = 10**9
TRIES = 3
SLOWEST, PATIENCE = 50_000, 900.0
"""Minimum total rate for the files of an address in bytes per second, and seconds until it is enforced."""
YOUNG = 5
"""Age in seconds up to which an object is young."""
Write = Callable[[bytes], object]


class StoreFault(Fault):
    """A store does not provide the requested objects."""

    def __init__(self, address: str, expected: str, found: str, remedy: str = "") -> None:
        place, found = with_addresses(address), with_addresses(found)
        super().__init__(shortened(place), expected, shortened(found), remedy)


class ChangedError(Exception):
    """An object has changed since it was listed."""


class Listed(NamedTuple):
    """Entry of a listing of a store.

    Attributes
    ----------
    modified : int
        Modification time in nanoseconds since the epoch. Fractions of a second distinguish contents.
    """

    size: int
    modified: int


Found = Mapping[str, Listed]
"""All objects below an address by name, with `/` between folders; ALONE is the object of the address."""


class Store(Protocol):
    """A bucket, or a web server. Paths in it have no leading slash."""

    def look(self, path: str) -> Found:
        """Return the objects at a path. Raises StoreFault, for example if there are none."""

    def fetch(self, path: str, known: Listed, write: Write) -> None:
        """Call write with the pieces of an object. Raises StoreFault, and ChangedError for a changed
        object."""


def listed(size: int, seconds: int, mark: str, *, now: float) -> Listed:
    """Return the entry of an object.

    `seconds` is the time of its last change, `now` the time by the store's clock. `mark` identifies the
    version, as far as the store shows it. A young object gets a new mark each time, because another object of
    the same size could replace it within the same second."""
    mark += f" {time.time_ns()}" if now - seconds < YOUNG else ""
    digest = hashlib.blake2b(mark.encode(errors="surrogateescape"), digest_size=8).digest()
    return Listed(size, seconds * BILLION + int.from_bytes(digest) % BILLION)


ARRIVING = "arriving-"
TOGETHER = 512
"""Number of files that are synced to the disk by one call."""


def lies_elsewhere(path: str) -> bool:
    """Is this a copy of a store or an unpacked archive file in the cache, where nothing may be written?"""
    return path.startswith(os.path.join(locations.stores_directory(), ""))


@lru_cache(maxsize=64)
def store_of(scheme: str, host: str, query: str = "") -> Store:
    """Return the store of an address, the same for the whole process."""
    if scheme in ("http", "https"):
        from delvecore.remote.web import WebServer

        return WebServer(scheme, host, query)
    from delvecore.remote.buckets import Bucket

    return Bucket(scheme, host)


known: dict[str, str] = {}
_lock = threading.Lock()


def local(address: str, *, anew: bool = True) -> str:
    """Return the path of the copy of an address, compared with the store if `anew`. Raises StoreFault."""
    with _lock:
        if anew or address not in known:
            known[address] = _fetched(address)
        return known[address]


def _fetched(address: str) -> str:
    """Update the copy of an address; repeat if objects change meanwhile."""
    scheme, host, path, query = _taken_apart(address)
    place = os.path.join(locations.stores_directory(), COPIES, scheme, host, *filter(None, path.split("/")))
    if query:  # it may be a signature, which must not be written to the disk
        mark = hash_of([query], size=8)
        place = os.path.join(os.path.dirname(place), QUERY + mark, os.path.basename(place))
    store = store_of(scheme, host, query)
    try:
        for _ in range(TRIES):
            with contextlib.suppress(ChangedError):
                return _copied(store, path, place, address)
    except OSError as error:
        where = error.filename or place
        actual = f"{error.strerror or error}".lower()
        raise StoreFault(where, "a writable cache for copies", actual) from None
    raise StoreFault(address, "the files that its store lists", "others, again and again", "try again")


def _copied(store: Store, path: str, place: str, address: str) -> str:
    """Copy the objects at a path of a store to a place. Raises StoreFault, ChangedError, OSError."""
    listing = store.look(path)
    is_alone = ALONE in listing
    above = os.path.dirname(place) if is_alone else place
    prefix = path[: path.rstrip("/").rfind("/") + 1] if is_alone else f"{path.rstrip('/')}/".lstrip("/")
    wanted = {os.path.basename(place): listing[ALONE]} if is_alone else _usable(listing)
    os.makedirs(locations.stores_directory(), exist_ok=True)
    _make_directory(above)
    with lock_directory(above, wait=True):
        if not is_alone:
            _remove_others(above, wanted)
        missing = [name for name, state in wanted.items() if not _is_there(os.path.join(above, name), state)]
        pace = Pace(address, SLOWEST, PATIENCE, "copy the files yourself")
        for first in range(0, len(missing), TOGETHER):
            part = {name: wanted[name] for name in missing[first : first + TOGETHER]}
            _bring(store, prefix, above, part, pace)
        if not is_alone:
            add_empty_parts(place)
    return place


class Pace:
    """Counts bytes since its start.

    Attributes
    ----------
    grace : float
        Seconds after which the rate must be at least `slowest` bytes per second.
    """

    def __init__(self, address: str, slowest: int, grace: float, remedy: str) -> None:
        self.address, self.slowest, self.grace, self.remedy = address, slowest, grace, remedy
        self.start, self.taken = time.monotonic(), 0

    def add(self, size: int) -> float:
        """Count bytes, and return the seconds since the start. Raises StoreFault for too few bytes."""
        self.taken, seconds = self.taken + size, time.monotonic() - self.start
        if seconds > self.grace and self.taken < self.slowest * seconds:
            actual = f"{self.taken:,} in {seconds:.0f} seconds"
            raise StoreFault(self.address, f"{self.slowest:,} bytes a second", actual, self.remedy)
        return seconds


def _bring(store: Store, prefix: str, above: str, wanted: Found, pace: Pace) -> None:
    """Put objects into a directory, each whole or not at all. prefix: prefix of their names in the store."""
    with scratch_directory(ARRIVING, locations.stores_directory()) as beside:
        targets = {name: os.path.join(beside, str(number)) for number, name in enumerate(wanted)}

        def fetch(name: str) -> int:
            with open(targets[name], "wb") as file:
                store.fetch(prefix + name, wanted[name], file.write)
                size = file.tell()
            os.utime(targets[name], ns=(wanted[name].modified, wanted[name].modified))
            return size

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for size in pool.map(fetch, wanted):  # after the first failure nothing else is begun
                pace.add(size)
        sync([*targets.values()])
        for name, target in targets.items():
            path = os.path.join(above, name)
            _make_directory(os.path.dirname(path))
            if os.path.isdir(path):
                shutil.rmtree(path)
            os.replace(target, path)


def _is_there(path: str, wanted: Listed) -> bool:
    """Does a copy of an object exist? Earlier versions made files without permission to read."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    is_whole = wanted.size in (0, status.st_size)  # a web server need not report the size
    is_copy = stat.S_ISREG(status.st_mode) and bool(status.st_mode & stat.S_IRUSR)
    return is_copy and is_whole and status.st_mtime_ns == wanted.modified


def _taken_apart(address: str) -> tuple[str, str, str, str]:
    """Return (scheme, host, path, query). Raises StoreFault for a text that is not an address, and for a
    password in it, because others might see it."""
    scheme, _, rest = address.partition("://")
    scheme, (host, _, path), query = scheme.lower(), rest.partition("/"), ""
    is_web = scheme in ("http", "https")
    if "@" in host:
        remedy = "put it into ~/.netrc" if is_web else "use the credentials of the environment"
        raise StoreFault(address, "an address without a name and password", "one with them", remedy)
    try:
        os.fsencode(address)
        _ = urlsplit(address).port  # checked only here
    except ValueError as error:
        reason = "half a character" if isinstance(error, UnicodeError) else str(error)
        raise StoreFault(address, "an address", reason, "correct it") from None
    if is_web:
        host, (path, _, query) = host.lower(), path.partition("#")[0].partition("?")
        path = unquote(path, errors="surrogateescape")
    if not all(map(_is_usable, filter(None, path.split("/")))):
        raise StoreFault(address, "an address", "one with '..' or too long a name", "leave that out")
    return scheme, host, path.lstrip("/"), query


def _usable(listing: Found) -> Found:
    """Return the objects with names that files can have. If `a` and `a/b` exist, `a` is left out."""
    names = {name: name.split("/") for name in listing}
    folders = {name[:end] for name in names for end, letter in enumerate(name) if letter == "/"}
    return {
        name: state
        for name, state in listing.items()
        if name not in folders and all(map(_is_usable, names[name]))
    }


def _is_usable(name: str) -> bool:
    return name not in ("", ".", "..") and "\0" not in name and len(os.fsencode(name)) <= LONGEST_NAME


def _make_directory(path: str) -> None:
    """Make a directory, and remove files of an earlier listing in its place."""
    above = path
    while above != locations.stores_directory() and not os.path.isdir(above):
        if os.path.lexists(above):
            os.unlink(above)
        above = os.path.dirname(above)
    os.makedirs(path, exist_ok=True)


def _remove_others(place: str, wanted: Found) -> None:
    """Remove files that a store does not have, and directories that this leaves empty."""
    for directory, below, names in os.walk(place, topdown=False):
        paths = [os.path.join(directory, name) for name in names]
        gone = [path for path in paths if os.path.relpath(path, place).replace(os.sep, "/") not in wanted]
        for path in gone:
            os.unlink(path)
        is_empty = len(gone) == len(names) and not any(
            os.path.isdir(os.path.join(directory, name)) for name in below
        )
        if is_empty and directory != place and os.path.basename(directory) not in PARTS:
            os.rmdir(directory)


def add_empty_parts(place: str) -> None:
    """Make both parts of delve directories, because stores and archive files may lack an empty one."""
    for root in (place, *(entry.path for entry in os.scandir(place) if entry.is_dir())):
        parts = [os.path.join(root, part) for part in PARTS]
        if os.path.basename(root).startswith("delve") and any(map(os.path.isdir, parts)):
            for part in parts:
                os.makedirs(part, exist_ok=True)
