"""Which delve directory is written into, when a command makes new things there?"""

import os
from collections.abc import Sequence

from delvecore.errors import DelveError
from delvecore.locations import default_directories
from delvecore.readers.hierarchy import enclosing_directory, is_delve_directory
from delvecore.writers.files import make_directory

__all__ = ["choose_target"]

REMEDY = "make one (mkdir -p delve/data delve/methods) and go into it, or name one with --into"


def choose_target(
    asked: str | None, roots: Sequence[str], working_directory: str, *, part: str = "methods"
) -> str:
    """Return the delve directory to write into; DelveError where there is none.

    asked: a path that was named, or None. Else it is the delve directory around the working directory, else
    the first of roots whose part can be written. The archive that ships with the program is written into only
    when it is named.
    """
    if asked is not None:
        return _asked_directory(os.path.abspath(os.path.expanduser(asked)))
    shipped = {os.path.realpath(path) for path in default_directories()}
    around = enclosing_directory(working_directory)
    for root in [around, *roots] if around else roots:
        if os.path.realpath(root) not in shipped and os.access(os.path.join(root, part), os.W_OK):
            return root
    raise DelveError(f"expected an active delve directory that can be written, found none; {REMEDY}")


def _asked_directory(path: str) -> str:
    """Return a delve directory given by path, made where nothing is there but a parent and the name suits."""
    if is_delve_directory(path):
        return path
    if os.path.exists(path) or not os.path.basename(path).startswith("delve"):
        raise DelveError(
            f"{path}: expected a delve directory, or a new path whose name starts with delve, found "
            f"{'something else' if os.path.exists(path) else 'neither'}"
        )
    for directory in (path, os.path.join(path, "data"), os.path.join(path, "methods")):
        make_directory(directory)
    return path
