"""The reading of an archive in the background, once for all who wait for it."""

import threading
from collections.abc import Callable
from typing import Generic, Literal, Self, TypeVar, cast

from delvecore.archive.building import OpeningStep

__all__ = ["Notify", "Opening"]

Result = TypeVar("Result")
Notify = Callable[[OpeningStep], None]


class Opening(Generic[Result]):
    """Calls read(notify) in a thread of its own; `progress` says meanwhile how far it is."""

    def __init__(self, read: Callable[[Notify], Result]):
        self.progress = OpeningStep(0.0, "the list of files")
        self._result: Result | None = None
        self._failure: BaseException | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, args=(read,), daemon=True, name="opening").start()

    def _run(self, read: Callable[[Notify], Result]) -> None:
        with self:
            self._result = read(lambda step: setattr(self, "progress", step))

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
