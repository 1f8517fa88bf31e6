"""Where things are on this machine: the archive that ships with the project, and the user's cache."""

import os
import sys
from collections.abc import Sequence

__all__ = ["cache_directory", "default_directories", "is_part_of_whole", "package_root", "shipped"]

WHOLE_ARCHIVE = "delve_browser_archive"


def package_root() -> str:
    """Return the directory of the `delvecore` package."""
    return os.path.dirname(os.path.abspath(__file__))


def shipped(*names: str) -> str | None:
    """Return a file or directory that ships with the project, None where it is not there.

    It lies inside the package in an installed wheel and in `data/` of a source tree."""
    root = package_root()
    places = (os.path.join(root, "archive_data"), os.path.join(os.path.dirname(root), "data"))
    found = (os.path.join(place, *names) for place in places)
    return next(filter(os.path.exists, found), None)


def default_directories() -> list[str]:
    """Return the delve directories used when DELVE_PATH is not set: the whole archive where it is installed,
    else what ships with the project: in a wheel all datasets, with results on those that are small."""
    return list(filter(None, [_whole_archive() or shipped("delve")]))


def is_part_of_whole(directories: Sequence[str]) -> bool:
    """Is this the archive inside an installed wheel, of which `delve-browser-archive` has the rest?"""
    return list(directories) == [os.path.join(package_root(), "archive_data", "delve")]


def _whole_archive() -> str | None:
    """Return the archive of the distribution `delve-browser-archive`, None where it is not installed.

    Looked for by hand: the import system's own way takes longer than a small command may."""
    places = (os.path.join(place, WHOLE_ARCHIVE, "delve") for place in sys.path)
    return next(filter(os.path.isdir, places), None)


def cache_directory() -> str:
    """Return the directory for this program's caches, following XDG_CACHE_HOME (not created here)."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "delve")
