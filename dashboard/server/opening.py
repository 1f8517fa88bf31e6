"""The reading of an archive in the background, once for all who wait for it."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from typing import Generic, Self, TypeVar

from delvecore.archive.building import OpeningStep

Result = TypeVar("Result")


class Order:
    """In which order things are done: those that somebody waits for first. May be used by all threads."""

    def __init__(self) -> None:
        self._left: list[str] = []
        self._wanted: list[str] = []
        self._lock = threading.Lock()

    def want(self, name: str) -> None:
        """Have one done before others."""
        with self._lock:
            if name not in self._wanted:
                self._wanted.append(name)

    def put(self, *names: str) -> None:
        """Add what is to be done."""
        with self._lock:
            self._left += names

    def __iter__(self) -> Iterator[str]:
        """Yield each when it is to be done."""
        while (name := self._next()) is not None:
            yield name

    def _next(self) -> str | None:
        with self._lock:
            found = next((name for name in [*self._wanted, *self._left[:1]] if name in self._left), None)
            if found is not None:
                self._left.remove(found)
            return found


class Opening(Generic[Result]):
    """Calls read(itself) in a thread of its own, to be called with how far it is, which `progress` says then.
    order: in which it goes on."""

    def __init__(self, read: Callable[[Self], Result]):
        self.progress = OpeningStep(0.0, "the list of files")
        self.order = Order()
        self._found: Future[Result] = Future()
        threading.Thread(target=self._run, args=(read,), daemon=True, name="opening").start()

    def _run(self, read: Callable[[Self], Result]) -> None:
        with contextlib.ExitStack() as stack:
            stack.push(self._keep)
            self._found.set_result(read(self))

    def _keep(self, _kind: object, failure: BaseException | None, _trace: object) -> bool:
        """Keep what was raised, for whoever waits for the result."""
        if failure is not None:
            self._found.set_exception(failure)
        return True

    def __call__(self, step: OpeningStep) -> None:
        self.progress = step

    def is_done(self, patience: float) -> bool:
        """Is it read? Waits so many seconds for it at most."""
        return bool(wait([self._found], patience).done)

    def result(self) -> Result:
        """Return what was read, once it is done; raises what reading raised."""
        return self._found.result()
