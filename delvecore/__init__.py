"""DELVE, Data for Evaluating Learning in Valid Experiments.

`open(path)` reads one or more delve directories into an `Archive` of Arrow tables. Everything heavier than
this module is imported on first use, so that the small commands start in milliseconds."""

from typing import Any

__version__ = "0.1.0"
__all__ = ["Archive", "DelveError", "ParseError", "Problem", "__version__", "open"]

_HOMES = {
    "open": "delvecore.archive",
    "Archive": "delvecore.archive",
    "DelveError": "delvecore.errors",
    "ParseError": "delvecore.errors",
    "Problem": "delvecore.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'delvecore' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
