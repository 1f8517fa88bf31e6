"""Trust in Python objects that a file names: classes of known packages run, others only where trusted."""

import functools
import logging
from collections.abc import Collection
from importlib import import_module

from delvecore.errors import DelveError

PACKAGES = ("sklearn", "imblearn")
"""Whose classes with `fit` a file may name."""
TRUST = "--trust"
"""The option of commands that has all objects run which a file names."""
READ_FILES = ("memory",)
"""Parameters that name a place from which Python objects are read, which may be programs."""


def check_trusted(place: str, *, trust: bool, where: str = "", parameters: Collection[str] = ()) -> None:
    """Decide whether an object that a file names may be imported and run.

    Parameters
    ----------
    place : str
        `module:attribute`, or the path of a Python file and `:attribute`.
    trust : bool
        Did the user say that what the file names may run? An unknown object is logged then, once.
    where : str
        File and line, for the log.
    parameters : names of the parameters that the file gives to the object

    Raises
    ------
    DelveError
        For anything but a class with `fit` of one of PACKAGES, unless it is trusted.

    Examples
    --------
    >>> check_trusted("subprocess:Popen", trust=False)
    Traceback (most recent call last):
    delvecore.errors.DelveError: expected a class with fit of sklearn or imblearn, found subprocess:Popen; \
read what it does, and add --trust to run it
    """
    unsafe = [name for name in parameters if name.rpartition("__")[2] in READ_FILES]
    if not unsafe and is_known(place):
        return
    found = f"{place} with the parameter {unsafe[0]}" if unsafe else place
    if trust:
        _say_trusted(f"{where}: " if where else "", found)
        return
    expected = f"a class with fit of {' or '.join(PACKAGES)}"
    raise DelveError(f"expected {expected}, found {found}; read what it does, and add {TRUST} to run it")


@functools.cache
def _say_trusted(where: str, found: str) -> None:
    logging.getLogger("delvecore").warning("%sruns %s, which %s allows", where, found, TRUST)


def is_known(place: str) -> bool:
    """Is this a class with `fit` that is defined in one of PACKAGES? Nothing else is imported for the answer.
    One that is not there counts as known, so that its absence is told."""
    module, _, attribute = place.partition(":")
    if not _is_inside(module):
        return False
    try:
        found = functools.reduce(getattr, attribute.split("."), import_module(module))
    except (ImportError, AttributeError):
        return True
    return isinstance(found, type) and hasattr(found, "fit") and _is_inside(found.__module__)


def _is_inside(module: str) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in PACKAGES)
