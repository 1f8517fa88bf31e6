"""Where things are on this machine: the archive that ships with the project, and the user's cache."""

import os

__all__ = ["cache_directory", "default_directories", "package_root", "shipped"]


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
    """Return the delve directories used when DELVE_PATH is not set: the archive shipped with the project."""
    return list(filter(None, [shipped("delve")]))


def cache_directory() -> str:
    """Return the directory for this program's caches, following XDG_CACHE_HOME (not created here)."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "delve")
