"""The reading of an archive in the background, once for all who wait for it."""

import threading
from collections.abc import Callable, Iterator
from typing import Generic, Literal, Self, TypeVar, cast

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
            wanted = next((name for name in self._wanted if name in self._left), None)
            if wanted is not None:
                self._left.remove(wanted)
                return wanted
            return self._left.pop(0) if self._left else None


class Opening(Generic[Result]):
    """Calls read(itself) in a thread of its own, to be called with how far it is, which `progress` says then.
    order: in which it goes on."""

    def __init__(self, read: Callable[[Self], Result]):
        self.progress = OpeningStep(0.0, "the list of files")
        self.order = Order()
        self._result: Result | None = None
        self._failure: BaseException | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, args=(read,), daemon=True, name="opening").start()

    def _run(self, read: Callable[[Self], Result]) -> None:
        with self:
            self._result = read(self)

    def __call__(self, step: OpeningStep) -> None:
        self.progress = step

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, failure: BaseException | None, _trace: object) -> Literal[True]:
        """Keep what was raised, for whoever waits for the result."""
        self._failure = failure
        self._done.set()
        return True

    def is_done(self, patience: float) -> bool:
        """Is it read? Waits so many seconds for it at most."""
        return self._done.wait(patience)

    def result(self) -> Result:
        """Return what was read, once it is done; raises what reading raised."""
        self._done.wait()
        if self._failure is not None:
            raise self._failure
        return cast(Result, self._result)
