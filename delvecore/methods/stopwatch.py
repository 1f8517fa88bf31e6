"""Time that a method takes to predict, without learning. The metrics `trTime` and `tsTime` use it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SECONDS: ContextVar[float | None] = ContextVar("seconds of predicting", default=None)


@contextmanager
def predicting() -> Iterator[None]:
    """Count the processor time of a block as time of predicting test cases.

    Examples
    --------
    >>> with predicting():
    ...     sum(range(10))
    45
    >>> seconds_of_predicting() >= 0
    True
    """
    started = time.process_time()
    try:
        yield
    finally:
        _SECONDS.set((_SECONDS.get() or 0.0) + time.process_time() - started)


def seconds_of_predicting() -> float | None:
    """Return the seconds counted since the last call; None if no method counted any."""
    seconds = _SECONDS.get()
    _SECONDS.set(None)
    return seconds
