"""Can the stores be reached in which the archive lies? What was read of it stays where they cannot."""

from collections.abc import Sequence
from dataclasses import dataclass

from delvecore.errors import DelveError

__all__ = ["failed", "found", "trouble"]


@dataclass
class _Reach:
    """What was found when it was last looked at, and why it cannot be looked at now, None where it can."""

    places: tuple[str, ...] = ()
    trouble: str | None = None


_reach = _Reach()


def found(places: Sequence[str]) -> list[str]:
    """Note, and return, the directories and files that were found."""
    _reach.places, _reach.trouble = tuple(places), None
    return list(places)


def failed(fault: DelveError) -> list[str]:
    """Note that a store could not be asked; return what was found before."""
    _reach.trouble = str(fault)
    return list(_reach.places)


def trouble() -> str | None:
    """Return the line that says why a store cannot be asked, None where all can."""
    return _reach.trouble
