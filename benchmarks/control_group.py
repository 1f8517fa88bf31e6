"""A control group of Linux: what runs in it has no more memory than it may, files that it reads counted."""

import contextlib
import os
import time
from collections.abc import Iterator

_NAME = "delve-benchmark"
_PLACES = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"))
"""Where groups are made, and the file that says how much memory one has: version 1, and 2."""


@contextlib.contextmanager
def limited(megabytes: int) -> Iterator[list[str] | None]:
    """Yield the words in front of a command that has at most so much memory; None where this process may make
    no control group."""
    for place, limit in _PLACES:
        group = os.path.join(place, f"{_NAME}-{os.getpid()}")
        try:
            os.mkdir(group)
        except OSError:
            continue
        try:
            yield _prefix(group, limit, megabytes)
        finally:
            _remove(group)
        return
    yield None


def _prefix(group: str, limit: str, megabytes: int) -> list[str] | None:
    try:
        with open(os.path.join(group, limit), "w") as file:
            file.write(str(megabytes * 1_000_000))
    except OSError:
        return None
    return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', os.path.join(group, "cgroup.procs")]


def _remove(group: str) -> None:
    """Remove a group; what ended just now may still count as in it."""
    for _ in range(50):
        with contextlib.suppress(OSError):
            os.rmdir(group)
            return
        time.sleep(0.1)
