"""Places on this machine: the archive that ships with the project, and the user's cache.

Files in stores have an address, and a copy in the cache."""

import atexit
import functools
import logging
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence

WHOLE_ARCHIVE = "delve_browser_archive"
PARTS = ("data", "methods")
"""The directories of a delve directory."""
COPIES, QUERY, UNPACKED = "names", ".query-", "unpacked"
"""The folder for copies of addresses, the prefix for the query of an address, and the folder for unpacked
archive files."""
_ADDRESS = re.compile(r"(s3|gs|https?)://(?=[^/])", re.IGNORECASE)
_HOST = r"(?:[^/:@]*(?::[^/@]*)?@)?[^/:]+(?::\d+)?"
_LISTED = re.compile(rf"(?:s3|gs|https?)://{_HOST}(?:/[^:]*)?|[^:]+", re.IGNORECASE)
_SECRETS = re.compile(r"((?:s3|gs|https?)://)(?:[^/\s@]*@)?([^\s?#'\";]*)(?:[?#][^\s'\";]*)?", re.IGNORECASE)


def package_root() -> str:
    """Return the directory of the `delvecore` package."""
    return os.path.dirname(os.path.abspath(__file__))


def shipped(*names: str) -> str | None:
    """Return a file or directory that ships with the project, None if it is absent.

    It is inside the package in an installed wheel and in `data/` of a source tree."""
    root = package_root()
    places = (os.path.join(root, "archive_data"), os.path.join(os.path.dirname(root), "data"))
    paths = (os.path.join(place, *names) for place in places)
    return next(filter(os.path.exists, paths), None)


EXAMPLES = (
    *("cars.csv", "sales.csv", "scores.csv", "cases.csv", "my-method"),
    *("notebook.ipynb", "experiment.ipynb", "cases.ipynb"),
)
"""The example files of the tutorials, and the notebooks."""


def example_files() -> dict[str, str]:
    """Return the paths of the example files of the tutorials, by name.

    They are inside the package in an installed wheel and in `docs/` of a source tree."""
    root = package_root()
    docs = os.path.join(os.path.dirname(root), "docs")
    places = (os.path.join(root, "examples"), os.path.join(docs, "examples"), docs)
    return {
        name: next(filter(os.path.isfile, (os.path.join(place, name) for place in places)))
        for name in EXAMPLES
    }


def default_directories() -> list[str]:
    """Return the delve directories for an unset DELVE_PATH: the whole archive if it is installed, otherwise
    the one that ships with the project. A wheel contains all datasets, with results on the small ones."""
    places = (os.path.join(place, WHOLE_ARCHIVE, "delve") for place in sys.path)
    whole = next(filter(os.path.isdir, places), None)
    return list(filter(None, [whole or shipped("delve")]))


def is_part_of_whole(directories: Sequence[str]) -> bool:
    """Is this the archive in an installed wheel? The package `delve-browser-archive` has the rest of it."""
    return list(directories) == [os.path.join(package_root(), "archive_data", "delve")]


def cache_directory() -> str:
    """Return the directory for this program's caches, following XDG_CACHE_HOME (not created here). A
    directory that another user owns or can write to is not trusted. A private one replaces it, with a
    notice."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return _own_directory(os.path.join(base, "delve"))


@functools.cache
def _own_directory(path: str) -> str:
    """Return a directory, or a new one if other users can access it."""
    try:
        status = os.stat(path)
    except OSError:
        return path  # only this user may make it
    if not hasattr(os, "geteuid"):
        return path
    if {status.st_uid, os.lstat(path).st_uid} != {os.geteuid()}:  # of the directory, and of a link to it
        why = "it is another user's"
    elif status.st_mode & stat.S_IWOTH:
        why = "others can write to it"
    else:
        return path
    private = tempfile.mkdtemp(prefix="delve-cache-")
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    remedy = "set XDG_CACHE_HOME to a private directory, which is faster"
    message = "%s: expected a cache that only this user can access, found that %s; not used, %s"
    logging.getLogger("delvecore").warning(message, path, why, remedy)
    return private


def stores_directory() -> str:
    """Return the directory, in the cache, of copies of addresses and of unpacked archive files."""
    return _true_directory(cache_directory(), "stores")


@functools.cache
def _true_directory(path: str, below: str) -> str:
    return os.path.join(os.path.realpath(path), below)


def is_address(text: str) -> bool:
    """Is this an address of an object store or of the web, rather than a path on this machine?"""
    return _ADDRESS.match(text) is not None


def split_paths(text: str) -> list[str]:
    """Return the paths in a list such as DELVE_PATH's; some may be addresses."""
    return _LISTED.findall(text) if "://" in text else list(filter(None, text.split(os.pathsep)))


def with_addresses(text: str) -> str:
    """Return a text in which addresses replace the paths of their copies, without passwords and queries."""
    if COPIES in text:
        inside = os.path.join(stores_directory(), COPIES, "")
        if inside in text:
            text = re.sub(re.escape(inside) + r"(\w+)/", r"\1://", text)
            text = re.sub(re.escape(QUERY) + "[0-9a-f]+/", "", text)
    return _SECRETS.sub(r"\1\2", text) if "://" in text else text
