"""What a store says of what it holds, and what goes wrong there."""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from delvecore.errors import Fault
from delvecore.locations import with_addresses

__all__ = ["ALONE", "AT_ONCE", "ChangedError", "Found", "Listed", "Store", "StoreFault", "listed"]

ALONE = ""
"""The name of an object that is asked for by its own address."""
AT_ONCE = 16
"""So many requests are under way at once, at most."""
BILLION = 10**9
YOUNG = 5
"""Until it has this many seconds an object is young."""
Write = Callable[[bytes], object]


class StoreFault(Fault):
    """A store does not give what is asked for."""

    def __init__(self, address: str, expected: str, found: str, remedy: str = "") -> None:
        super().__init__(with_addresses(address), expected, with_addresses(found), remedy)


class ChangedError(Exception):
    """An object is not any more what was listed."""


class Listed(NamedTuple):
    """size: in bytes; modified: when it was last changed, in nanoseconds of the epoch, of which those below a
    second tell contents apart that were written within it."""

    size: int
    modified: int


Found = Mapping[str, Listed]
"""All objects below an address by their names, with `/` between folders; ALONE for the address itself."""


class Store(Protocol):
    """A bucket, or a web server. path: of what is meant in it, without a slash in front."""

    def look(self, path: str) -> Found:
        """Return what lies at a path. Raises StoreFault, also where nothing does."""

    def fetch(self, path: str, known: Listed, write: Write) -> None:
        """Call write with the pieces of an object. Raises StoreFault, ChangedError where it is another."""


def listed(size: int, seconds: int, mark: str, *, now: float) -> Listed:
    """Return what identifies an object. seconds: when it was last changed; mark: changes with its content,
    as far as the store tells; now: by the store's clock. One that is young is another whenever it is asked
    for: it may be replaced by one of the same size and, to the second, time."""
    import hashlib  # commands that read no address start without

    mark += f" {time.time_ns()}" if now - seconds < YOUNG else ""
    digest = hashlib.blake2b(mark.encode(errors="surrogateescape"), digest_size=8).digest()
    return Listed(size, seconds * BILLION + int.from_bytes(digest) % BILLION)
