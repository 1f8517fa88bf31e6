"""Which place in the order of colours and marks has each method? The same on every page, for as long as the
server runs: neither a choice nor new results change how a method looks."""

import threading

from dashboard.server import archive as opened
from delvecore.archive.leaderboards import method_order

__all__ = ["look_order"]

_orders: dict[tuple[str, ...], list[str]] = {}
_lock = threading.Lock()


@opened.cached
def look_order(state: str) -> tuple[str, ...]:
    """Return the methods of an archive in the order in which they get colours and marks: best first when the
    archive was first shown, then those that came later; last those that a visitor has added for himself."""
    archive, serving = opened.archive_of(state), opened.serving()
    served = archive if serving is None else serving
    with _lock:
        known = _orders.setdefault(served.sources, [])
        if served.state == state:
            known += [name for name in method_order(served) if name not in known]
        shown = tuple(known)
    return (*shown, *(name for name in method_order(archive) if name not in shown))
