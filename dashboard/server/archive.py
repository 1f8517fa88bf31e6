"""The only place where pages get data: the archive, opened once for all visitors, and tables made from it.

Everything is cached by the archive's content state and small values; cached objects are shared by all
sessions and must not be changed."""

import functools
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, ParamSpec, TypeVar

import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

import delvecore
from dashboard.server import store_status
from dashboard.server.opening import Opening
from delvecore.archive import sources, state_of
from delvecore.errors import DelveError
from delvecore.locations import cache_directory
from delvecore.remote.records import StoreFault
from delvecore.report.provenance import reading_words
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.stats.choose import Setting

__all__ = ["Choices", "GoneError", "Opened", "Opening", "Row", "archive_of", "cached", "choices"]
__all__ += ["choose_paths", "document_text", "figure", "has_changed", "install_directory", "look"]
__all__ += ["open_archive", "path_inside", "rely_on_watch", "remember", "rows", "serving"]
__all__ += ["ANSWERS", "cache_base", "comparisons", "follows_links", "score_files"]
__all__ += ["read_with", "score_options", "tasks_done"]

Asked = ParamSpec("Asked")
Record = TypeVar("Record")
Row = Mapping[str, Any]
"""A row of one of the archive's tables."""

cached = st.cache_resource(show_spinner=False, max_entries=200)

LONGEST_DOCUMENT = 200_000
NOTHING = ""
"""The state where there is no archive that can be read."""
ANSWERS = "score-options"
"""Where a session keeps what it answered about files of scores."""
PATIENCE = 2.0
"""How many seconds a page waits for the archive before it shows how far the reading is."""


@dataclass(frozen=True)
class Choices:
    """What may be selected in an archive. tasks: full paths such as `/demo/age/std.128`."""

    losses: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    prototasks: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True)
class Opened:
    """An archive, or why there is none: an error, a question about a table of scores, or that it is still
    being read. One of the four is set. files: the state of the files that the question is about."""

    archive: delvecore.Archive | None
    error: str | None
    opening: "Opening[Opened] | None" = None
    question: Question | None = None
    files: str = NOTHING

    @property
    def state(self) -> str:
        """The state of the archive, or of the files that a question is about; NOTHING where there is none."""
        return self.files if self.archive is None else self.archive.state


class GoneError(LookupError):
    """Nobody keeps an archive with this state any more."""


@dataclass
class _Shelf:
    """The archive of this server, which paths it is to be read from, and where visitors may install.

    shown: archives that somebody sees, by state, for as long as he keeps them; seen: the state that the
    files had when they were last looked at; is_watched: are they looked at whenever they change?; served:
    states that something may have been computed for; openings: how often the archive was read."""

    paths: tuple[str, ...] = ()
    use_cache: bool = True
    follow_links: bool = False
    scores: ScoreOptions | None = None
    install_into: str | None = None
    shown: weakref.WeakValueDictionary[str, delvecore.Archive] = field(
        default_factory=weakref.WeakValueDictionary
    )
    opened: Opened | None = None
    opening: Opening[Opened] | None = None
    seen: str | None = None
    is_watched: bool = False
    served: set[str] = field(default_factory=set)
    openings: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


_shelf = _Shelf()


def choose_paths(
    paths: Sequence[str],
    *,
    use_cache: bool = True,
    follow_links: bool = False,
    scores: ScoreOptions | None = None,
    install_into: str | None = None,
) -> None:
    """Say where the archive lies; no paths: DELVE_PATH, else the archive that ships with the program.

    follow_links: also those that lead out of their delve directory; scores: how files of scores are read;
    install_into: the delve directory for what visitors upload, None for none."""
    with _shelf.lock:
        _shelf.paths, _shelf.use_cache, _shelf.follow_links = tuple(paths), use_cache, follow_links
        _shelf.opened = _shelf.opening = _shelf.seen = None
        _shelf.openings += 1
        _shelf.shown.clear()
        _shelf.scores, _shelf.install_into = scores, install_into
        store_status.found(())


def install_directory() -> str | None:
    """Return the delve directory into which visitors may put what they upload, None for nowhere."""
    return _shelf.install_into


def cache_base() -> str | None:
    """Return the directory of caches, None where nothing is to be kept."""
    return cache_directory() if _shelf.use_cache else None


def follows_links() -> bool:
    """Are links followed that lead out of their delve directory?"""
    return _shelf.follow_links


class ScoreFiles(NamedTuple):
    """Words of commands that open what the dashboard does; none where no files of scores are shown. paths: of
    the files, and of delve directories beside them; reading: options that say how they are read."""

    paths: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()


def score_files() -> ScoreFiles:
    """Return the files of scores that are served."""
    archive = serving()
    if ANSWERS not in st.session_state and (archive is None or not archive.files):
        return ScoreFiles()
    return ScoreFiles(_shelf.paths, reading_words(score_options()))


def score_options() -> ScoreOptions:
    """Return how files of scores are read in this session: by its answers, else as the server was told."""
    found: ScoreOptions = st.session_state.get(ANSWERS) or _shelf.scores or ScoreOptions()
    return found


def read_with(scores: ScoreOptions) -> Opened:
    """Return the archive with its files of scores read otherwise."""
    how = {"cache": _shelf.use_cache, "follow_links": _shelf.follow_links, "scores": scores}
    return _read(_shelf.paths, how)


def open_archive(*, check: bool = False, patience: float | None = None) -> Opened:
    """Return the archive, read anew where the files were seen to have changed; check: look at them first,
    unless they are watched.

    It is read in the background, once for all who ask. Where that takes longer than patience (seconds,
    PATIENCE if not given), what is returned says how far it is."""
    if check and not _shelf.is_watched and _shelf.opened is not None:
        look()
    with _shelf.lock:
        if _shelf.opening is None:
            if _shelf.opened is not None and _shelf.seen in (None, _shelf.opened.state):
                return _shelf.opened
            how = {"cache": _shelf.use_cache, "follow_links": _shelf.follow_links, "scores": _shelf.scores}
            _shelf.opening = Opening(functools.partial(_read_telling, _shelf.paths, how))
        opening = _shelf.opening
    if not opening.is_done(PATIENCE if patience is None else patience):
        return Opened(None, None, opening)
    with _shelf.lock:
        if _shelf.opening is opening:
            _shelf.opening = None
            _put_up(opening.result())
        return _shelf.opened or opening.result()


def _read_telling(paths: Sequence[str], how: Mapping[str, Any], opening: Opening[Opened]) -> Opened:
    return _read(paths, {**how, "notify": opening})


def _read(paths: Sequence[str], how: Mapping[str, Any]) -> Opened:
    try:
        return Opened(delvecore.open(list(paths) or None, **how), None)
    except Question as question:
        files = state_of(list(paths) or None, scores=how["scores"], follow_links=how["follow_links"])
        return Opened(None, None, question=question, files=files)
    except DelveError as error:
        return Opened(None, str(error))


def _put_up(fresh: Opened) -> None:
    """Serve what was read; an archive that somebody still sees is kept, with all that it has computed."""
    archive = fresh.archive and _shelf.shown.setdefault(fresh.state, fresh.archive)
    _shelf.opened = replace(fresh, archive=archive)
    _shelf.openings += 1
    _note(fresh.state)
    _shelf.served.add(fresh.state)


def _note(state: str) -> None:
    """Keep the state that was seen. Where one comes back that was served before, what was made of it while it
    was away may be made of other files, and is forgotten."""
    if state != _shelf.seen and state in _shelf.served:
        st.cache_resource.clear()
    _shelf.seen = state


def look() -> list[str]:
    """Look at names and times of the files, for `has_changed` and `open_archive`. Returns the delve
    directories and files that were looked at, or last were where a store fails, none where one is none."""
    before = _shelf.openings
    try:
        found = sources(list(_shelf.paths) or None)
        places = [*found.directories, *found.files]
        state = state_of(places, scores=_shelf.scores, follow_links=_shelf.follow_links)
    except StoreFault as fault:
        return store_status.failed(fault)
    except DelveError:
        places, state = [], NOTHING
    with _shelf.lock:
        if _shelf.openings == before:  # what was read meanwhile is newer
            _note(state)
    return store_status.found(places)


def rely_on_watch(is_watched: bool) -> None:
    """Say whether somebody calls `look` whenever the files change."""
    _shelf.is_watched = is_watched


def has_changed(shown: Opened) -> bool:
    """Are the files no longer those of which this was read?"""
    return shown.opening is None and _shelf.seen not in (None, shown.state)


def serving() -> delvecore.Archive | None:
    """Return the archive that new visitors get, if one was read."""
    return None if _shelf.opened is None else _shelf.opened.archive


def archive_of(state: str) -> delvecore.Archive:
    """Return the archive with this state, the server's or a session's. Raises GoneError if none keeps it."""
    found = _shelf.shown.get(state)
    if found is None:
        raise GoneError(state)
    return found


def remember(archive: delvecore.Archive) -> None:
    """Let `archive_of` find a session's archive for as long as somebody keeps it."""
    _shelf.shown[archive.state] = archive


def figure(
    draw: Callable[[Record], go.Figure],
    make: Callable[Asked, Record],
    *asked: Asked.args,
    **options: Asked.kwargs,
) -> go.Figure:
    """Return draw(make(...)), drawn once for all visitors.

    draw and make: functions of modules; asked: the request, or strings, numbers and tuples of them."""
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


def _paths(rows: Sequence[Row], *places: str) -> tuple[str, ...]:
    """Return the full paths that rows stand for, such as `/demo/age/std.128`."""
    return tuple("/".join(("", *(row[place] for place in places))) for row in rows)


@cached
def choices(state: str) -> Choices:
    """What can be selected in this archive?"""
    archive = archive_of(state)
    return Choices(
        losses=archive.index.losses,
        methods=tuple(row["method"] for row in rows(state, "methods")),
        tasks=_paths(rows(state, "tasks"), "dataset", "prototask", "task"),
        datasets=tuple(row["dataset"] for row in rows(state, "datasets")),
        prototasks=_paths(rows(state, "prototasks"), "dataset", "prototask"),
        arrays=tuple(array.name for array in archive.arrays),
    )


def tasks_done(state: str) -> dict[str, frozenset[str]]:
    """Full paths of the tasks with results, by method."""
    return archive_of(state).index.tasks_done


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
    left = len(text) - LONGEST_DOCUMENT
    return f"{text[:LONGEST_DOCUMENT]}\n\n[{left:,} further characters are in the file]"


@cached
def comparisons(state: str, loss: str, methods: tuple[str, ...], setting: Setting) -> pa.Table:
    """All pairs of these methods on all tasks under a loss: schema `tables.COMPARISONS`."""
    return archive_of(state).compare(loss=loss, methods=methods, setting=setting)
