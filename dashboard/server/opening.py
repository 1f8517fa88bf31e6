"""The reading of an archive in the background, once for all who wait for it."""

import threading
from collections.abc import Callable
from typing import Generic, Literal, Self, TypeVar, cast

from delvecore.archive.building import OpeningStep
from delvecore.archive.parts import Order

__all__ = ["Opening"]

Result = TypeVar("Result")


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
