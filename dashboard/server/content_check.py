"""Once an opening, in the background: have files another content, though size and times are the same?"""

import logging
import threading
from collections.abc import Callable

import delvecore
from dashboard.server import archive as opened

__all__ = ["check_once", "differing"]

_found: dict[str, tuple[str, ...]] = {}


def check_once(rest: Callable[[float], object]) -> None:
    """Begin to check the archive that is served, unless its state was or is being checked. rest: waits so
    many seconds between the readings."""
    archive = opened.serving()
    if archive is not None and archive.state not in _found:
        _found[archive.state] = ()
        threading.Thread(target=_check, args=(archive, rest), daemon=True, name="contents").start()


def _check(archive: delvecore.Archive, rest: Callable[[float], object]) -> None:
    try:
        _found[archive.state] = tuple(archive.other_contents(rest=rest))
    except OSError as error:
        logging.getLogger("delvecore").warning("the files' content is not checked: %s", error)


def differing(state: str) -> tuple[str, ...]:
    """Return what was found to differ in the archive with this state: see `Archive.other_contents`."""
    return _found.get(state, ())
