"""What stands on this machine for an address: a file, or a directory of files without content.

It is made of one listing. What is the same as in the one before stays as it is, so that all that was read
of it is still known; what is another gets a new file in its place."""

import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from delvecore import locations
from delvecore.atomic_io import lock_directory
from delvecore.names import hash_of
from delvecore.locations import PARTS, QUERY, STAND_INS, is_address
from delvecore.remote.contents import ALONE, Found, Listed, StoreFault, fetch_all, forget, queries, store_of

LONGEST_NAME = 255
known: dict[str, str] = {}
_lock = threading.Lock()


def local_paths(paths: Iterable[str], *, anew: bool = False) -> list[str]:
    """Return paths with what stands for those that are addresses. See `local`."""
    return [local(path, anew=anew) if is_address(path) else path for path in paths]


def local(address: str, *, anew: bool = True) -> str:
    """Return the path that stands for an address, as it is listed now. anew: also where this process has
    listed it before. Raises StoreFault."""
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
    """Return (scheme, host, path, query). Raises StoreFault for a password in it: others may see that."""
    scheme, _, rest = address.partition("://")
    scheme, (host, _, path), query = scheme.lower(), rest.partition("/"), ""
    is_web = scheme in ("http", "https")
    if "@" in host:
        remedy = "put it into ~/.netrc" if is_web else "use the credentials of the environment"
        raise StoreFault(address, "an address without a name and password", "one with them", remedy)
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
    folders = {name[:end] for name in names for end in _slashes(name)}
    return {
        name: state
        for name, state in found.items()
        if name not in folders and all(map(_is_usable, names[name]))
    }


def _slashes(name: str) -> Iterator[int]:
    return (place for place, letter in enumerate(name) if letter == "/")


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
    """Put a file without content at a path. Nobody may read it: what is not fetched must not be taken for
    zeros."""
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
