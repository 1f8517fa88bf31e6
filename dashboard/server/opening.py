"""An archive that is read in the background, so that a page can say how far it is meanwhile."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, Self, TypeVar, cast

__all__ = ["Opening", "Progress"]

T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """How far the reading is. share: between 0 and 1; subject: what is being read, in words."""

    share: float = 0.0
    subject: str = "the list of files"


class Step(Protocol):
    """A step of the reading: see Progress."""

    @property
    def share(self) -> float: ...
    @property
    def subject(self) -> str: ...


Notify = Callable[[Step], None]


class Opening(Generic[T]):
    """Calls read(notify) in a thread of its own; notify takes records with share and subject."""

    def __init__(self, read: Callable[[Notify], T]):
        self.progress = Progress()
        self._result: T | None = None
        self._failure: BaseException | None = None
        self._done = threading.Event()
        threading.Thread(target=self._run, args=(read,), daemon=True, name="opening").start()

    def _run(self, read: Callable[[Notify], T]) -> None:
        with self:
            self._result = read(self._note)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, failure: BaseException | None, _trace: object) -> Literal[True]:
        """Keep what was raised, for whoever waits for the result."""
        self._failure = failure
        self._done.set()
        return True

    def _note(self, step: Step) -> None:
        self.progress = Progress(step.share, step.subject)

    def is_done(self, patience: float) -> bool:
        """Is it read? Waits so many seconds for it at most."""
        return self._done.wait(patience)

    def result(self) -> T:
        """Return what was read, once it is done; raises what reading raised."""
        self._done.wait()
        if self._failure is not None:
            raise self._failure
        return cast(T, self._result)
