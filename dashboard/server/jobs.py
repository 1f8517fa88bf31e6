"""Background work that is done once for all callers: its progress, then its result or error."""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

from delvecore.archive.building import OpeningStep

Result = TypeVar("Result")
Report = Callable[[OpeningStep], None]


class Job(Generic[Result]):
    """Call of work(report) in a separate thread, which ends with the program.

    `work` reports its progress by calling `report`. title: such as `Reading the archive`."""

    def __init__(self, title: str, work: Callable[[Report], Result]):
        self.title, self.progress = title, OpeningStep(0.0, "starting")
        self._outcome: Future[Result] = Future()
        threading.Thread(target=self._run, args=(work,), daemon=True, name="job").start()

    def _run(self, work: Callable[[Report], Result]) -> None:
        with contextlib.ExitStack() as stack:
            stack.push(self._keep)
            self._outcome.set_result(work(self._report))

    def _keep(self, _kind: object, failure: BaseException | None, _trace: object) -> bool:
        """Keep an exception for the thread that waits for the result."""
        if failure is not None:
            self._outcome.set_exception(failure)
        return True

    def _report(self, step: OpeningStep) -> None:
        self.progress = step

    def is_done(self, patience: float) -> bool:
        """Is the work complete? Waits this many seconds at most."""
        return bool(wait([self._outcome], patience).done)

    def has_failed(self) -> bool:
        return self._outcome.done() and self._outcome.exception() is not None

    def result(self) -> Result:
        """Return the result, or raise the exception of the work."""
        return self._outcome.result()
