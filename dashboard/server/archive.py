"""The archive, which is opened once for all visitors, and tables made from it.

A session can change how files of scores are read.

`app.py` passes its archive to a page. All sessions share the results of `cached` functions, which must not be
changed."""

import contextlib
import functools
import importlib
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

import delvecore
from dashboard.server.cache import cached, forget
from dashboard.server.jobs import Job, Report
from delvecore.archive import Archive, keep_losses, keep_metric, metrics, sources, state_of
from delvecore.archive.leaderboards import method_order
from delvecore.archive.metrics import Facts, MeasuredLoss
from delvecore.errors import DelveError
from delvecore.locations import cache_directory
from delvecore.methods import SHIPPED, load_method
from delvecore.model import TaskId
from delvecore.parallel.processes import LOW_PRIORITY, Worker, WorkerDiedError
from delvecore.plots.figure import Figure
from delvecore.remote.stores import StoreFault, lies_elsewhere
from delvecore.render.provenance import reading_words
from delvecore.score_tables.options import Answer, Question, ScoreOptions

Record = TypeVar("Record")
Row = Mapping[str, Any]
"""A row of one of the archive's tables."""

NOTHING = ""
"""The state if no archive can be read."""
ANSWERS, ANSWERED = "score-options", "answered-scores"
"""Key under which a session keeps its answers about files of scores, and the contents read with them."""
MOST_MEASURED = 50
"""Largest number of cached archives with a metric, in addition to those that visitors have open."""
PATIENCE = 2.0
"""Seconds that a page waits for the archive before it shows the progress of reading."""
MOST_RESULTS, LONGEST_OPENING = 20_000, 3600.0
"""Largest number of results of an archive for which losses and metrics are computed in advance; maximum
seconds to wait until it has been read."""
LEAST_PAUSE, FAR_PAUSE, PAUSES_A_LOOK = 1.0, 60.0, 30
"""Minimum seconds between two checks of the files: on this machine, in a store, and as a multiple of the
duration of a check."""


@dataclass(frozen=True)
class Opened:
    """An archive, or one of three reasons for its absence.

    The reasons are an error, a question about a table of scores, and a job that still reads the archive.

    Attributes
    ----------
    files : str
        State of the files in the question.
    """

    archive: Archive | None
    error: str | None
    opening: "Job[Opened] | None" = None
    question: Question | None = None
    files: str = NOTHING

    @property
    def state(self) -> str:
        """The state of the archive, or of the files in a question; NOTHING without either."""
        return self.files if self.archive is None else self.archive.state


@dataclass
class _Shelf:
    """The archive of this server.

    Attributes
    ----------
    paths : tuple of str
        Delve directories and files of scores; none: DELVE_PATH, otherwise the archive of the program.
    install_into : str or None
        Delve directory for visitors' uploads.
    opened, opening
        The archive, and the job that reads it again.
    seen, places, trouble
        State and paths of the files at the last check, and the reason if they cannot be checked.
    is_watched : bool
        Whether `watch` checks the files.
    served : set of str
        States for which something may have been computed.
    order : list of str
        Methods in the order of their colors and marks.
    """

    paths: tuple[str, ...] = ()
    use_cache: bool = True
    follow_links: bool = False
    scores: ScoreOptions | None = None
    install_into: str | None = None
    opened: Opened | None = None
    opening: Job[Opened] | None = None
    seen: str | None = None
    places: tuple[str, ...] = ()
    trouble: str | None = None
    is_watched: bool = False
    served: set[str] = field(default_factory=set)
    order: list[str] = field(default_factory=list)


_shelf = _Shelf()
_lock, _keeping = threading.Lock(), threading.Lock()


def choose_paths(paths: Sequence[str], **options: Any) -> None:
    """Set the location of the archive, and how it is read. options: fields of _Shelf."""
    global _shelf
    _shelf = _Shelf(tuple(paths), **options)


def install_directory() -> str | None:
    """Return the delve directory for visitors' uploads, or None."""
    return _shelf.install_into


def cache_base() -> str | None:
    """Return the directory of caches, None without a cache."""
    return cache_directory() if _shelf.use_cache else None


def follows_links() -> bool:
    """Are links that lead out of their delve directory followed?"""
    return _shelf.follow_links


def score_paths() -> tuple[str, ...]:
    """Return the paths that commands open to read the same files of scores; none without such files."""
    archive = serving()
    return _shelf.paths if ANSWERS in st.session_state or (archive and archive.files) else ()


def score_words() -> tuple[str, ...]:
    """Return the options of commands that read the files of scores as this session does."""
    return reading_words(score_options()) if score_paths() else ()


def score_options() -> ScoreOptions:
    """Return the options for files of scores: the answers of this session, otherwise those of the server."""
    return answered() or _shelf.scores or ScoreOptions()


def answered() -> ScoreOptions | None:
    """Return the session's options for files of scores, or None."""
    options: ScoreOptions | None = st.session_state.get(ANSWERS)
    return options


def answer(choice: Answer) -> None:
    """Read the files of scores with one more answer, only for this session."""
    st.session_state[ANSWERS] = score_options().with_answer(choice)


def forget_answers() -> None:
    """Discard the answers of this session, and read the files of scores as the server does."""
    st.session_state.pop(ANSWERS, None)


def with_answers(served: Opened) -> Opened:
    """Return the server's files of scores, read with the session's answers."""
    options = answered()
    if options is None or served.opening is not None:
        return served
    key = f"{served.state} {options!r}"
    kept: tuple[str, Opened] | None = st.session_state.get(ANSWERED)
    if kept is None or kept[0] != key:
        with st.spinner("Reading the scores ..."):
            kept = st.session_state[ANSWERED] = (key, _read(options))
    return kept[1]


def open_archive(*, check: bool = False, patience: float | None = None) -> Opened:
    """Return the archive, and read it again if the files have changed.

    It is read in the background, once for all simultaneous callers. check: check the files first, unless they
    are watched; patience: seconds (default PATIENCE) after which the result shows the progress instead."""
    if check and not _shelf.is_watched and _shelf.opened is not None:
        look()
    with _lock:
        if _shelf.opening is None:
            if _shelf.opened is not None and _shelf.seen == _shelf.opened.state:
                return _shelf.opened
            _shelf.opening = Job("Reading the archive", functools.partial(_read, _shelf.scores))
        opening = _shelf.opening
    if not opening.is_done(PATIENCE if patience is None else patience):
        return Opened(None, None, opening)
    with _lock:
        if _shelf.opening is opening:
            _shelf.opening = None  # A failure is not kept: the next caller reads again.
            fresh = _shelf.opened = opening.result()
            _note(fresh.state)
            _shelf.served.add(fresh.state)
    return opening.result()


def _read(scores: ScoreOptions | None, report: Report = lambda step: None) -> Opened:
    """Read the archive. report: called with the progress."""
    paths, follow_links = list(_shelf.paths) or None, _shelf.follow_links
    how: dict[str, Any] = {"cache": _shelf.use_cache, "scores": scores, "follow_links": follow_links}
    try:
        return Opened(delvecore.open(paths, **how, notify=report), None)
    except Question as question:
        files = state_of(paths, scores=scores, follow_links=follow_links)
        return Opened(None, None, question=question, files=files)
    except DelveError as error:
        return Opened(None, str(error))


def _note(state: str) -> None:
    """Record the state of the files.

    If an earlier state returns, its results may come from other files and are discarded."""
    if state != _shelf.seen and state in _shelf.served:
        forget()
    _shelf.seen = state


def look() -> list[str]:
    """Check names and times of the files, for `has_changed` and `open_archive`.

    Return the checked delve directories and files, or those of the last check if a store fails. Return none
    if a path is neither a directory nor a file."""
    before = _shelf.opened
    try:
        directories, files = sources(list(_shelf.paths) or None)
        places = [*directories, *files]
        state = state_of(places, scores=_shelf.scores, follow_links=_shelf.follow_links)
    except StoreFault as fault:
        _shelf.trouble = str(fault)
        return list(_shelf.places)
    except DelveError:
        places, state = [], NOTHING
    with _lock:
        if _shelf.opened is before:  # files read meanwhile are newer
            _note(state)
    _shelf.places, _shelf.trouble = tuple(places), None
    return places


def watch(ended: threading.Event) -> None:
    """Check the files repeatedly, once for all visitors, until the event is set."""
    _shelf.is_watched = True
    while not ended.is_set():
        begin = time.monotonic()
        least = FAR_PAUSE if any(map(lies_elsewhere, look())) else LEAST_PAUSE
        ended.wait(max(least, PAUSES_A_LOOK * (time.monotonic() - begin)))


def store_trouble() -> str | None:
    """Return a line that explains why a store cannot be read; None if all can be read."""
    return _shelf.trouble


def has_changed(shown: Opened) -> bool:
    """Have the files changed since this was read?"""
    return shown.opening is None and _shelf.seen not in (None, shown.state)


def serving() -> Archive | None:
    """Return the archive that new visitors get, if one was read."""
    return None if _shelf.opened is None else _shelf.opened.archive


@cached
def figure(
    draw: Callable[[Record], Figure], make: Callable[..., Record], *args: object, **options: object
) -> Figure:
    """Return draw(make(*args, **options)), cached for all visitors."""
    return draw(make(*args, **options))


@cached
def rows(archive: Archive, table: str) -> tuple[dict[str, Any], ...]:
    """Return a small table of the archive, such as `tasks`, as dictionaries."""
    return tuple(getattr(archive, table).to_pylist())


@cached
def look_order(archive: Archive) -> tuple[str, ...]:
    """Return the methods of an archive in the order of their colors and marks.

    First are the methods when the archive was first shown, best first, then later ones, and last the
    visitor's own. The order is the same on every page while the server runs. Neither a choice nor new results
    change the color of a method."""
    served, order = serving() or archive, _shelf.order
    with _lock:
        if served.state == archive.state:
            order += [name for name in method_order(served) if name not in order]
        shown = tuple(order)
    return (*shown, *(name for name in method_order(archive) if name not in shown))


@cached(most=MOST_MEASURED)
def with_metric(archive: Archive, loss: str) -> Job[MeasuredLoss]:
    """Return the job that adds a metric to the archive, once for all visitors.

    Its result raises DelveError if the metric has no value anywhere."""
    return Job("Computing the metric", functools.partial(_measured, archive, loss))


def _measured(archive: Archive, loss: str, report: Report) -> MeasuredLoss:
    def keep() -> None:
        # If the process failed, `measured` itself does the work or reports the fault.
        not_done = contextlib.suppress(DelveError, WorkerDiedError)
        with not_done, Worker(report) as worker:
            keep_by(worker, archive, loss)

    return metrics.measured(archive, loss, first=keep)


def keep_by(worker: Worker, archive: Archive, loss: str) -> tuple[str, ...]:
    """Compute a metric in another process and cache it, one at a time; return the cached metrics.

    In this way, other visitors do not wait, and the memory is freed."""
    with _keeping:
        how = {"follow_links": _shelf.follow_links}
        return worker.submit(keep_metric, archive.paths, loss, **how).result()


def metrics_offered(archive: Archive, tasks: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the metrics that are available on some of these tasks (full paths), or on any task for None.

    Metrics that need a setting are included if the targets have the same classes."""
    places = None if tasks is None else {TaskId.parse(path) for path in tasks}
    return metrics.with_classes(
        metrics.measurable(_metric_facts(archive), places), classes_offered(archive, tasks)
    )


def classes_offered(archive: Archive, tasks: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the classes that the targets of all these tasks (full paths) share; none if they differ."""
    return _classes(archive, None if tasks is None else frozenset(tasks))


@cached
def _classes(archive: Archive, tasks: frozenset[str] | None) -> tuple[str, ...]:
    return metrics.classes_of(archive, None if tasks is None else {TaskId.parse(path) for path in tasks})


@cached
def _metric_facts(archive: Archive) -> Facts:
    return metrics.task_facts_of_metrics(archive)


def prepare() -> None:
    """Compute results in advance until all are done, or until the program ends its workers."""
    importlib.import_module("pandas.io.formats.style")  # for tables with rows in bold
    for method in SHIPPED:  # Pages ask a method why it has no result, unless its extra is missing.
        with contextlib.suppress(DelveError):
            load_method(method)
    archive = open_archive(patience=LONGEST_OPENING).archive
    if archive is None or cache_base() is None or archive.results.num_rows > MOST_RESULTS:
        return
    kept = set[str]()
    # If a process dies or is ended, the rest is computed on request.
    not_done = contextlib.suppress(DelveError, OSError, RuntimeError)
    with not_done, Worker(niceness=LOW_PRIORITY) as worker:
        worker.submit(keep_losses, archive.paths, follow_links=follows_links()).result()
        for name in metrics_offered(archive):
            if name not in kept and not metrics.is_kept(archive, name):
                kept.update(keep_by(worker, archive, name))
