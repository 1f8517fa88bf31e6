"""Watch for changed files: one check for all visitors, when something changes there.

The system reports writes of this machine. Periodic checks find other changes, such as writes of other
machines or behind links. They are less frequent if a check takes longer."""

import logging
import os
import threading
import time
import warnings

from watchdog import events
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from dashboard.server import archive as opened
from delvecore.remote.stores import lies_elsewhere

CHANGES = [events.FileCreatedEvent, events.FileModifiedEvent, events.FileMovedEvent, events.FileDeletedEvent]
CHANGES += [events.DirCreatedEvent, events.DirMovedEvent, events.DirDeletedEvent]
"""Events that mean a change. Reading is none, since this server reads."""

LEAST_PAUSE, FAR_PAUSE = 1.0, 60.0
"""Seconds between two checks without a report; and for files in a store, which reports nothing."""
PAUSES_A_LOOK = 30
"""Least pause after a check without a report, as a multiple of the duration of the check."""
ENDING = 5.0
SETTLING = 0.2
"""Seconds that a writer is given to finish before a check."""
_log = logging.getLogger("delvecore")
# A directory that is made while it is looked at is heard of twice.
warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning, r"watchdog\.")


class Watch:
    """Checks the archive in a separate thread, from `start` to `end`."""

    def __init__(self) -> None:
        self._stirred, self._ended = threading.Event(), threading.Event()
        self._heard: dict[str, int] = {}
        self._observer: BaseObserver | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="watch")

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Returns when nobody looks any more, or only waits for a store that does not answer."""
        self._ended.set()
        self._stirred.set()
        self._thread.join(ENDING)

    def _run(self) -> None:
        while not self._ended.is_set():
            self._stirred.clear()
            begin = time.monotonic()
            places = {root: _number(root) for root in opened.look()}
            cost = time.monotonic() - begin
            if places != self._heard:
                self._listen(places)  # and look again, at what happened before
                continue
            least = FAR_PAUSE if any(map(lies_elsewhere, places)) else LEAST_PAUSE
            self._stirred.wait(max(least, PAUSES_A_LOOK * cost))
            self._ended.wait(SETTLING + cost)
        self._listen({})

    def _listen(self, places: dict[str, int]) -> None:
        """Watch these directories and files from now on, and no others."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
        self._observer, self._heard = None, places
        opened.rely_on_watch(False)
        if not places:
            return
        observer = Observer()
        try:
            for root in places:
                is_file = os.path.isfile(root)
                place = os.path.dirname(root) if is_file else root
                observer.schedule(_Handler(self._stirred), place, recursive=not is_file, event_filter=CHANGES)
            observer.start()
        except OSError as error:
            _log.warning(
                "cannot be told of changes in %s (%s): looking now and then", [*places], error.strerror
            )
            return
        self._observer = observer
        opened.rely_on_watch(True)


class _Handler(events.FileSystemEventHandler):
    def __init__(self, stirred: threading.Event) -> None:
        self.stirred = stirred

    def on_any_event(self, event: events.FileSystemEvent) -> None:
        self.stirred.set()


def _number(root: str) -> int:
    """Properties that distinguish a directory from another that replaces it."""
    try:
        return os.stat(root).st_ino
    except OSError:
        return 0
