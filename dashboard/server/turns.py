"""Visitors' pages are drawn one after the other: together each would take as long as all of them.

Python computes in one thread at a time. Who asks first is served first; a page that takes longer than LONGEST
is drawn beside those that follow it, and one that waits for something lets the others go first."""

import contextlib
import threading
from collections.abc import Iterator

LONGEST = 0.5
"""For so many seconds nobody else begins."""


class _Turn:
    """began: nobody is before it any more; ended: the next may begin."""

    def __init__(self) -> None:
        self.began, self.ended = threading.Event(), threading.Event()

    def end(self) -> None:
        self.began.set()
        self.ended.set()


def _goes_on(error: BaseException) -> bool:
    """Does this thread run a page at once, anew or another one?"""
    from streamlit.runtime.scriptrunner import RerunException  # which processes that read files do not need

    return isinstance(error, RerunException)


class Turns:
    """Who comes after whom. longest: see LONGEST, in seconds."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest, self._lock, self._own = longest, threading.Lock(), threading.local()
        self._last = _Turn()
        self._last.end()

    def _begin(self) -> None:
        """Wait for one's turn."""
        mine = _Turn()
        with self._lock:
            before, self._last = self._last, mine
        try:
            before.began.wait()
            before.ended.wait(self._longest)
        finally:
            mine.began.set()
        self._own.turn = mine

    def _end(self) -> None:
        self._own.turn.end()
        self._own.turn = None

    def _has_turn(self) -> bool:
        return getattr(self._own, "turn", None) is not None

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Compute when one's turn has come; within such a block at once, and also where Streamlit goes on
        with another page."""
        goes_on, self._own.goes_on = getattr(self._own, "goes_on", False), False
        if self._has_turn() and not goes_on:
            yield
            return
        if not goes_on:
            self._begin()
        with contextlib.ExitStack() as stack:
            stack.push(self._leave)
            yield

    def _leave(self, _kind: object, failure: BaseException | None, _trace: object) -> None:
        self._own.goes_on = failure is not None and _goes_on(failure)
        if not self._own.goes_on:
            self._end()

    @contextlib.contextmanager
    def left(self) -> Iterator[None]:
        """Let others compute while one waits for something; then wait for one's turn again."""
        if not self._has_turn():
            yield
            return
        self._end()
        try:
            yield
        finally:
            self._begin()


_turns = Turns()
taken, left = _turns.taken, _turns.left
