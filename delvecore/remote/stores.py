"""What stands on this machine for what lies in a store, and its content, fetched when it is first read.

For an address stands a file, or a directory of files that have the size and time of an object and nothing
else, so that all that lists and compares files finds what it looks for. They are made of one listing. What
is the same as in the one before stays as it is, so that all that was read of it is still known; what is
another gets a new file in its place.

The content lies elsewhere in the cache, under the same name and with the same time, written beside and
renamed: it is there whole or not at all. The file cache of fsspec has no entry for what is not fetched, and
gives its files other names."""

import errno
import hashlib
import os
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from delvecore import locations
from delvecore.atomic_io import lock_directory, scratch_directory, sync
from delvecore.errors import Fault, shortened
from delvecore.locations import PARTS, QUERY, STAND_INS, is_address, with_addresses
from delvecore.names import LONGEST_NAME, hash_of

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
        place, found = with_addresses(address), with_addresses(found)
        super().__init__(shortened(place), expected, shortened(found), remedy)


class ChangedError(Exception):
    """An object is not any more what was listed."""


class Listed(NamedTuple):
    """modified: in nanoseconds of the epoch; those below a second tell contents apart."""

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
    """Return where a file's content is, fetched into the cache if need be. Raises OSError."""
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
    """Have the content of files here. Those changed since they were listed stay away. Raises StoreFault."""
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


known: dict[str, str] = {}
_lock = threading.Lock()


def local_paths(paths: Iterable[str], *, anew: bool = False) -> list[str]:
    """Return paths with what stands for those that are addresses. See `local`."""
    return [local(path, anew=anew) if is_address(path) else path for path in paths]


def local(address: str, *, anew: bool = True) -> str:
    """Return the path that stands for an address. anew: listed again, too. Raises StoreFault."""
    with _lock:
        if anew or address not in known:
            known[address] = _listed(address)
        return known[address]


def _listed(address: str) -> str:
    scheme, host, path, query = _taken_apart(address)
    place = os.path.join(locations.stores_directory(), STAND_INS, scheme, host, *_names(path, address))
    if query:
        mark = hash_of([query], size=8)
        place = os.path.join(os.path.dirname(place), QUERY + mark, os.path.basename(place))
        queries[place] = query
    found = store_of(scheme, host, query).look(path)
    try:
        if ALONE in found:
            _stand_for(os.path.dirname(place), {os.path.basename(place): found[ALONE]}, is_whole=False)
            fetch_all([place])
        else:
            _stand_for(place, _usable(found), is_whole=True)
            _add_empty_parts(place)
    except OSError as error:
        where = error.filename or place
        said = f"{error.strerror or error}".lower()
        raise StoreFault(where, "a cache that can be written, for what is elsewhere", said) from None
    return place


def _taken_apart(address: str) -> tuple[str, str, str, str]:
    """Return (scheme, host, path, query). Raises StoreFault for what is no address, and for a password in it:
    others may see that."""
    scheme, _, rest = address.partition("://")
    scheme, (host, _, path), query = scheme.lower(), rest.partition("/"), ""
    is_web = scheme in ("http", "https")
    if "@" in host:
        remedy = "put it into ~/.netrc" if is_web else "use the credentials of the environment"
        raise StoreFault(address, "an address without a name and password", "one with them", remedy)
    try:
        os.fsencode(address)
        _ = urlsplit(address).port  # which it checks when it is asked for
    except ValueError as error:
        reason = "half a character" if isinstance(error, UnicodeError) else str(error)
        raise StoreFault(address, "an address", reason, "correct it") from None
    if is_web:
        host, (path, _, query) = host.lower(), path.partition("#")[0].partition("?")
        path = unquote(path, errors="surrogateescape")
    return scheme, host, path.lstrip("/"), query


def _names(path: str, address: str) -> list[str]:
    names = [name for name in path.split("/") if name]
    if not all(map(_is_usable, names)):
        raise StoreFault(address, "an address", "'..' or a name that is too long in it", "give it without")
    return names


def _usable(found: Found) -> Found:
    """Return the objects whose names files can have; of `a` and `a/b` the second."""
    names = {name: name.split("/") for name in found}
    folders = {name[:end] for name in names for end, letter in enumerate(name) if letter == "/"}
    return {
        name: state
        for name, state in found.items()
        if name not in folders and all(map(_is_usable, names[name]))
    }


def _is_usable(name: str) -> bool:
    return name not in ("", ".", "..") and "\0" not in name and len(os.fsencode(name)) <= LONGEST_NAME


def _stand_for(place: str, found: Found, *, is_whole: bool) -> None:
    """Have a file for each object in a directory. is_whole: and no others."""
    for directory in {os.path.dirname(os.path.join(place, name)) for name in found} | {place}:
        _make_directory(directory)
    with lock_directory(place, wait=True):
        for name in _others(place, found) if is_whole else ():
            forget(name)
            os.unlink(name)
        for name, state in found.items():
            path = os.path.join(place, name)
            if _state(path) != state:
                forget(path)
                _stand_in(path, state)
        if is_whole:
            _remove_empty(place)


def _make_directory(path: str) -> None:
    """Make a directory, also where a file was when it was last listed."""
    above = path
    while above != locations.stores_directory() and not os.path.isdir(above):
        if os.path.lexists(above):
            os.unlink(above)
        above = os.path.dirname(above)
    os.makedirs(path, exist_ok=True)


def _others(place: str, found: Found) -> list[str]:
    below = (os.path.join(at, name) for at, _, names in os.walk(place) for name in names)
    return [path for path in below if os.path.relpath(path, place).replace(os.sep, "/") not in found]


def _state(path: str) -> Listed | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return Listed(status.st_size, status.st_mtime_ns)


def _stand_in(path: str, state: Listed) -> None:
    """Put a file without content at a path, which nobody may read: it must not be taken for zeros."""
    beside = f"{os.path.dirname(path)}/.{os.getpid()}-{threading.get_ident()}"
    if os.path.isdir(path):
        shutil.rmtree(path)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o200)
    try:
        os.ftruncate(descriptor, state.size)
    finally:
        os.close(descriptor)
    os.utime(beside, ns=(state.modified, state.modified))
    os.replace(beside, path)


def _remove_empty(place: str) -> None:
    for directory, below, names in os.walk(place, topdown=False):
        is_empty = not names and not any(os.path.isdir(os.path.join(directory, name)) for name in below)
        if is_empty and directory != place and os.path.basename(directory) not in PARTS:
            os.rmdir(directory)


def _add_empty_parts(place: str) -> None:
    """Have both parts of delve directories: a store has no empty directories."""
    for root in (place, *(entry.path for entry in os.scandir(place) if entry.is_dir())):
        parts = [os.path.join(root, part) for part in PARTS]
        if os.path.basename(root).startswith("delve") and any(map(os.path.isdir, parts)):
            for part in parts:
                os.makedirs(part, exist_ok=True)
