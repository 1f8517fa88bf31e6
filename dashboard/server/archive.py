"""The only place where pages get data: the archive, opened once for all visitors, and tables made from it.

Everything is cached by the archive's content state and small values; cached objects are shared by all
sessions and must not be changed.
"""

import functools
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

import plotly.graph_objects as go
import streamlit as st

import delvecore
from dashboard.frame import theme, words
from dashboard.frame.selection import Choices
from dashboard.server.opening import Opening, Step
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_order

__all__ = [
    "Opened",
    "archive_of",
    "choices",
    "choose_paths",
    "document_text",
    "figure",
    "install_directory",
    "method_styles",
    "open_archive",
    "path_inside",
    "remember",
    "rows",
    "task_labels",
    "task_with_results",
    "tasks_done",
]

Asked = ParamSpec("Asked")
Record = TypeVar("Record")

cached = st.cache_resource(show_spinner=False, max_entries=200)


LONGEST_DOCUMENT = 200_000
PATIENCE = 2.0
"""How many seconds a page waits for the archive before it shows how far the reading is."""


@dataclass(frozen=True)
class Opened:
    """An archive, or why there is none: an error, or that it is still being read. One of the three is set."""

    archive: delvecore.Archive | None
    error: str | None
    opening: "Opening[Opened] | None" = None


@dataclass
class _Shelf:
    """The archive of this server, which paths it is to be read from, and where visitors may install.

    of_sessions: archives that single sessions see, by state, for as long as the sessions keep them.
    """

    paths: tuple[str, ...] = ()
    use_cache: bool = True
    install_into: str | None = None
    of_sessions: weakref.WeakValueDictionary[str, delvecore.Archive] = field(
        default_factory=weakref.WeakValueDictionary
    )
    opened: Opened | None = None
    opening: Opening[Opened] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


_shelf = _Shelf()


def choose_paths(paths: Sequence[str], *, use_cache: bool = True, install_into: str | None = None) -> None:
    """Say where the archive lies; no paths: DELVE_PATH, else the archive that ships with the program.

    install_into: the delve directory into which visitors may put what they upload, None for nowhere.
    """
    with _shelf.lock:
        _shelf.paths, _shelf.use_cache = tuple(paths), use_cache
        _shelf.opened = _shelf.opening = None
        _shelf.install_into = install_into


def install_directory() -> str | None:
    """Return the delve directory into which visitors may put what they upload, None for nowhere."""
    return _shelf.install_into


def open_archive(*, check: bool = False, patience: float | None = None) -> Opened:
    """Return the archive; check: look first whether files have changed since it was read.

    It is read in the background, once for all who ask. Where that takes longer than patience (seconds,
    PATIENCE if not given), what is returned says how far it is.
    """
    with _shelf.lock:
        if _shelf.opening is None:
            if _shelf.opened is not None and not check:
                return _shelf.opened
            _shelf.opening = Opening(functools.partial(_open, _shelf.paths, _shelf.use_cache))
        opening = _shelf.opening
    if not opening.is_done(PATIENCE if patience is None else patience):
        return Opened(None, None, opening)
    with _shelf.lock:
        if _shelf.opening is opening:
            _shelf.opening = None
            fresh = opening.result()
            if not _same(_shelf.opened, fresh):
                _shelf.opened = fresh
        return _shelf.opened or opening.result()


def _open(paths: Sequence[str], use_cache: bool, notify: Callable[[Step], None]) -> Opened:
    try:
        return Opened(delvecore.open(list(paths) or None, cache=use_cache, notify=notify), None)
    except DelveError as error:
        return Opened(None, str(error))


def _same(old: Opened | None, new: Opened) -> bool:
    """An unchanged archive is kept, with all that it has computed."""
    if old is None or old.archive is None or new.archive is None:
        return False
    return (old.archive.state, old.archive.paths) == (new.archive.state, new.archive.paths)


def archive_of(state: str) -> delvecore.Archive:
    """Return the archive with this state, the server's or a session's. Raises KeyError where it has changed
    meanwhile."""
    if (own := _shelf.of_sessions.get(state)) is not None:
        return own
    opened = _shelf.opened or open_archive()
    if opened.archive is None or opened.archive.state != state:
        raise KeyError(state)
    return opened.archive


def remember(archive: delvecore.Archive) -> None:
    """Let `archive_of` find a session's archive for as long as somebody keeps it."""
    _shelf.of_sessions[archive.state] = archive


def figure(
    draw: Callable[[Record], go.Figure],
    make: Callable[Asked, Record],
    *asked: Asked.args,
    **options: Asked.kwargs,
) -> go.Figure:
    """Return draw(make(...)), drawn once for all visitors.

    draw and make: functions of modules; asked: the request, or strings, numbers and tuples of them.
    """
    name = " ".join(f"{part.__module__}.{part.__qualname__}" for part in (draw, make))
    return _figure(name, lambda: draw(make(*asked, **options)), asked, options)


@cached
def _figure(
    name: str, _drawn: Callable[[], go.Figure], asked: tuple[object, ...], options: dict[str, object]
) -> go.Figure:
    return _drawn()


@cached
def rows(state: str, table: str) -> tuple[dict[str, Any], ...]:
    """Return a small table of the archive, such as `tasks`, as dictionaries."""
    return tuple(getattr(archive_of(state), table).to_pylist())


@cached
def choices(state: str) -> Choices:
    """What can be selected in this archive?"""
    tasks = rows(state, "tasks")
    results = archive_of(state).results
    return Choices(
        losses=tuple(sorted(set(results["loss"].to_pylist()), key=loss_order)),
        methods=tuple(row["method"] for row in rows(state, "methods")),
        tasks=tuple(words.task_path(row["dataset"], row["prototask"], row["task"]) for row in tasks),
        datasets=tuple(row["dataset"] for row in rows(state, "datasets")),
        prototasks=tuple(
            words.task_path(row["dataset"], row["prototask"]) for row in rows(state, "prototasks")
        ),
        arrays=tuple(array.name for array in archive_of(state).arrays),
    )


@cached
def method_styles(state: str) -> dict[str, theme.MethodStyle]:
    """Colour and marker of every method of the archive, by name."""
    return theme.method_styles(choices(state).methods)


@cached
def task_labels(state: str) -> dict[str, str]:
    """Tasks in words, by full path."""
    return {
        words.task_path(row["dataset"], row["prototask"], row["task"]): words.task_words(row)
        for row in rows(state, "tasks")
    }


@cached
def tasks_done(state: str) -> dict[str, frozenset[str]]:
    """Full paths of the tasks with results, by method."""
    places = ("method", "dataset", "prototask", "task")
    results = archive_of(state).results
    done: dict[str, set[str]] = {}
    for method, *task in {*zip(*(results[name].to_pylist() for name in places), strict=True)}:
        done.setdefault(method, set()).add(words.task_path(*task))
    return {method: frozenset(paths) for method, paths in done.items()}


def task_with_results(state: str, prototask: str, method: str) -> str | None:
    """Return the prototask's largest task that the method has results on, else its largest; None: no tasks.

    prototask and result are full paths.
    """
    tasks = sorted(
        (row["training_size"], words.task_path(row["dataset"], row["prototask"], row["task"]))
        for row in rows(state, "tasks")
        if words.task_path(row["dataset"], row["prototask"]) == prototask
    )
    paths = [path for _, path in tasks]
    done = tasks_done(state).get(method, frozenset())
    return next(reversed([path for path in paths if path in done] or paths), None)


def path_inside(path: str, roots: Sequence[str]) -> str:
    """Return a path from its delve directory on."""
    for root in roots:
        if path and path.startswith(root + os.sep):
            return os.path.relpath(path, os.path.dirname(root))
    return path


def document_text(state: str, part: str, *names: str) -> str:
    """Return a documentation file, shortened where it is very long, or why it cannot be read."""
    try:
        text = archive_of(state).read_document(part, *names)
    except DelveError as error:
        return str(error)
    if len(text) <= LONGEST_DOCUMENT:
        return text
    return (
        f"{text[:LONGEST_DOCUMENT]}\n\n[{len(text) - LONGEST_DOCUMENT:,} further characters are in the file]"
    )
