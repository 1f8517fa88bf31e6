"""Background reading of an archive, once for all who wait for it."""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, Self, TypeVar

Result = TypeVar("Result")


class Opening(Generic[Result]):
    """Calls read(itself) in a separate thread; the reader calls it to report its progress."""

    def __init__(self, read: Callable[[Self], Result]):
        self.share, self.subject = 0.0, "the list of files"
        self._found: Future[Result] = Future()
        threading.Thread(target=self._run, args=(read,), daemon=True, name="opening").start()

    def _run(self, read: Callable[[Self], Result]) -> None:
        with contextlib.ExitStack() as stack:
            stack.push(self._keep)
            self._found.set_result(read(self))

    def _keep(self, _kind: object, failure: BaseException | None, _trace: object) -> bool:
        """Keep an exception for the thread that waits for the result."""
        if failure is not None:
            self._found.set_exception(failure)
        return True

    def __call__(self, share: float, subject: str) -> None:
        self.share, self.subject = share, subject

    def is_done(self, patience: float) -> bool:
        """Is reading complete? Waits this many seconds at most."""
        return bool(wait([self._found], patience).done)

    def result(self) -> Result:
        """Return the result of reading, or raise its exception."""
        return self._found.result()
