"""What a visitor adds: archive files of methods and datasets, unpacked in a directory of the session's own.

A name that comes with an upload is shown and never used as a path; sizes are limited here, since the limits
in a browser can be got around. Each file is read by a process with limits before the server reads it. The
directory goes when the session does."""

import contextlib
import functools
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import streamlit as st

import delvecore
from dashboard.server import archive as opened
from dashboard.server.own_cases import ENDINGS, OwnCases, read_own_cases
from dashboard.server.own_scores import OwnScores, is_packed, read_own_scores
from dashboard.server.trial import try_archive, try_cases, try_scores
from delvecore.durable import scratch_directory
from delvecore.errors import DelveError, ParseError, Problem, words_of_system
from delvecore.importing.writing import write_import
from delvecore.readers.archives.tar_index import Limits
from delvecore.readers.hierarchy import PARTS, Hierarchy
from delvecore.readers.scores.records import ScoreOptions
from delvecore.report.writers.text import plain
from delvecore.sharing.install import Installed, install_archives
from delvecore.sharing.pack import pack_dataset, review

__all__ = ["LIMITS", "MOST_BYTES", "MOST_FILES", "NAME", "Added", "Own", "own", "problems_of", "remove_all"]
__all__ += ["own_score_files", "with_own"]

MOST_BYTES, MOST_TOGETHER = 20 << 20, 200 << 20
"""Of one file as it is sent, and of all that a session has."""
MOST_FILES = 20
LIMITS = Limits(members=20_000, file_bytes=1 << 26, total_bytes=1 << 28, free_bytes=1 << 25, ratio=100)
"""Of everything that one session has added, unpacked."""
NAME = "delve-added"
_reading = threading.Lock()
"""One session's files are read at a time, so that reading takes no more memory than one trial did."""
KEY = "own"

Notify = Callable[[str, float], None]


class Sent(Protocol):
    """A file as a visitor sends it."""

    name: str
    size: int

    def getbuffer(self) -> memoryview: ...


@dataclass(frozen=True)
class Added:
    """A method or dataset that was added. installed: the files that it came in; archives: where these lie."""

    part: str
    name: str
    installed: tuple[Installed, ...] = ()
    archives: tuple[str, ...] = ()

    @property
    def uploads(self) -> tuple[str, ...]:
        """The names of the files that it came in, as they were sent."""
        return tuple(installed.source for installed in self.installed)

    @property
    def files(self) -> int:
        return sum(installed.added for installed in self.installed)

    @property
    def kind(self) -> str:
        return "dataset" if self.part == "data" else "method"


class Own:
    """What one session has added, and the archive that shows it beside the server's.

    added: methods and datasets; scores: files of scores, cases: of cases, by number; refused: what was
    wrong with the files sent last, for the page; round: how often files were taken."""

    def __init__(self) -> None:
        self.base = self.root = ""
        self.added: dict[tuple[str, str], Added] = {}
        self.scores: dict[int, OwnScores] = {}
        self.cases: dict[int, OwnCases] = {}
        self.refused: list[str] = []
        self.round = self._taken = 0
        self._opened: tuple[tuple[str, int], delvecore.Archive] | None = None

    def take(self, files: Sequence[Sent], roots: Sequence[str], *, notify: Notify | None = None) -> None:
        """Add uploaded files; what cannot be added is told in `refused` and costs itself only.

        roots: the delve directories they are shown beside."""
        self.refused, self.round = [], self.round + 1
        for number, file in enumerate(files):
            name = plain(file.name, longest=100)
            try:
                self._make_place()
                if number >= MOST_FILES or len(self.files) >= MOST_FILES:
                    raise DelveError(f"expected at most {MOST_FILES} files, found more; remove some")
                if file.size > MOST_BYTES:
                    limit, size = MOST_BYTES >> 20, file.size / (1 << 20)
                    raise DelveError(f"expected at most {limit} MB, found {size:.1f}; send it in parts")
                if sum(map(os.path.getsize, self.files)) + file.size > MOST_TOGETHER:
                    expected = f"expected at most {MOST_TOGETHER >> 20} MB in all files together"
                    raise DelveError(f"{expected}, found more; remove some")
                if is_packed(name, file.getbuffer()):
                    self._add(file, name, roots, notify)
                else:
                    self._add_scores(file, name, notify)
            except OSError as error:
                why = words_of_system(error)
                self.refused.append(f"{name}: the server cannot keep it ({why}); try later")
            except DelveError as error:
                message = _without_places(str(error), [self.root, *roots])
                self.refused.append(message if message.startswith(name) else f"{name}: {message}")

    def _make_place(self) -> None:
        if not self.base:
            kept = contextlib.ExitStack()
            self.base = kept.enter_context(scratch_directory("delve-session-"))
            self.root = os.path.join(self.base, NAME)
            _directories[self] = weakref.finalize(self, kept.close)
        for part in PARTS:
            os.makedirs(os.path.join(self.root, part), exist_ok=True)

    @property
    def is_shown(self) -> bool:
        """Is anything of it shown beside the server's archive?"""
        return bool(self.added) or any(one.group for one in self.scores.values())

    @property
    def files(self) -> list[str]:
        """The files that were sent and are kept, by the paths that they have here."""
        archives = [path for added in self.added.values() for path in added.archives]
        tables = [one.path for one in self.scores.values()] + [one.path for one in self.cases.values()]
        return [*archives, *tables]

    def _keep(self, file: Sent, ending: str = "") -> str:
        """Write a file into the session's directory; return its path there."""
        self._taken += 1
        path = os.path.join(self.base, f"{self._taken}{ending}")
        with open(path, "xb") as target:
            target.write(file.getbuffer())
        return path

    def _add_scores(self, file: Sent, name: str, notify: Notify | None) -> None:
        """Add a table: of scores, or else of cases, if it can be those."""
        ending = os.path.splitext(name)[1].lower()
        path, wait = self._keep(file, ending if ending in ENDINGS else ""), _waiting(name, notify)
        try:
            self._read_scores(self._taken, OwnScores(name, path, ScoreOptions()), wait)
        except DelveError:
            if ending not in ENDINGS or not self._add_cases(path, name, wait):
                raise
        finally:
            if path not in self.files:
                os.unlink(path)

    def _read_scores(self, number: int, asked: OwnScores, wait: Callable[[], object]) -> None:
        try_scores(asked.path, asked.name, self.base, options=asked.options, wait=wait)
        with _reading:
            self.scores[number] = read_own_scores(asked.path, asked.name, asked.options)

    def _add_cases(self, path: str, name: str, wait: Callable[[], object]) -> bool:
        """Take what is no table of scores for cases, if it can be those."""
        with contextlib.suppress(DelveError):
            try_cases(path, name, self.base, wait=wait)
            self.cases[self._taken] = read_own_cases(path, name)
            return True
        return False

    def take_for_cases(self, number: int) -> None:
        """Take a table that was read as scores for cases; `refused` says where it cannot be those."""
        own, self.refused = self.scores[number], []
        self._taken += 1
        if self._add_cases(own.path, own.name, lambda: None):
            del self.scores[number]
        else:
            self.refused = [f"{own.name}: expected cases, a line each, found no such table"]

    def choose_target(self, number: int, target: str) -> None:
        """Have another column of a file of cases predicted; `refused` says why it cannot be."""
        old, self.refused = self.cases[number], []
        try:
            self.cases[number] = read_own_cases(old.path, old.name, target)
        except DelveError as error:
            self.refused = [_without_places(str(error), [self.base + os.sep])]

    def make_dataset(self, number: int) -> None:
        """Make the dataset of a file of cases, which is then added; `refused` says why it cannot be made."""
        plan, self.refused = self.cases[number].plan, []
        try:
            write_import(plan, self.root)
        except DelveError as error:
            self.refused = [_without_places(str(error), [self.root])]
            return
        self.added["data", plan.name] = Added("data", plan.name)
        self.remove_cases(number)

    def packed(self, dataset: str) -> bytes:
        """Return the archive file of a dataset that was made here."""
        with tempfile.TemporaryDirectory(dir=self.base) as place:
            pack_dataset(Hierarchy([self.root]), dataset, place)
            with open(os.path.join(place, f"{dataset}.tar.gz"), "rb") as file:
                return file.read()

    def remove_cases(self, number: int) -> None:
        """Take a file of cases away again."""
        os.unlink(self.cases.pop(number).path)
        self._taken += 1

    def read_again(self, number: int, options: ScoreOptions) -> None:
        """Read a file of scores otherwise; `refused` says why it cannot be read so."""
        self.refused = []
        try:
            self._read_scores(number, replace(self.scores[number], options=options), lambda: None)
            self._taken += 1
        except DelveError as error:
            self.refused = [str(error)]

    def remove_scores(self, number: int) -> None:
        """Take a file of scores away again."""
        os.unlink(self.scores.pop(number).path)
        self._taken += 1

    def _add(self, file: Sent, name: str, roots: Sequence[str], notify: Notify | None) -> None:
        path = self._keep(file, ".tar.gz")
        try:
            paths = (os.path.join(place, name) for place, _, names in os.walk(self.root) for name in names)
            left = max(0, LIMITS.total_bytes - sum(map(os.path.getsize, paths)))
            limits = LIMITS._replace(total_bytes=left)
            wait = _waiting(name, notify)
            try_archive(path, name, self.base, own=self.root, beside=roots, limits=limits, wait=wait)
            (installed,) = install_archives(
                [path], self.root, beside=roots, limits=limits, names=[name], notify=notify
            )
            if not installed.added:
                files = "1 file" if installed.present == 1 else f"{installed.present:,} files"
                found = f"all {files} there already"
                raise DelveError(f"expected something new, found {found}")
            key = installed.part, installed.name
            old = self.added.get(key, Added(*key))
            self.added[key] = Added(*key, (*old.installed, installed), (*old.archives, path))
        finally:
            if path not in self.files and os.path.lexists(path):
                os.unlink(path)

    def remove(self, added: Added) -> None:
        """Take a method or dataset away again."""
        del self.added[added.part, added.name]
        shutil.rmtree(os.path.join(self.root, added.part, added.name))
        for path in added.archives:
            os.unlink(path)
        self._taken += 1

    def install(self, added: Added, into: str, roots: Sequence[str]) -> None:
        """Put a method or dataset into a delve directory, for everybody; `refused` says why it cannot be."""
        self.refused = []
        try:
            install_archives(added.archives, into, beside=roots, limits=LIMITS, names=added.uploads)
        except DelveError as error:
            self.refused = [_without_places(str(error), roots)]
            return
        self.remove(added)

    def archive(self, server: "delvecore.Archive") -> "delvecore.Archive":
        """Return the server's archive with what was added beside it; read anew when either has changed."""
        key = (server.state, self._taken)
        if self._opened is None or self._opened[0] != key:
            groups = [one.group for one in self.scores.values() if one.group is not None]
            with _reading:
                beside = server.beside([self.root]) if self.added else server
                self._opened = (key, beside.joined(*groups) if groups else beside)
            opened.remember(self._opened[1])
        return self._opened[1]


def _waiting(name: str, notify: Notify | None) -> Callable[[], object]:
    """Return what is called again and again while a file is tried."""
    return functools.partial(notify, name, 0.0) if notify else lambda: None


def _without_places(text: str, roots: Sequence[str]) -> str:
    """Return a message without the directories in which delve directories lie: they are nobody's business."""
    for root in roots:
        text = text.replace(os.path.dirname(root) + os.sep, "")
    return text


_directories: "weakref.WeakKeyDictionary[Own, weakref.finalize[..., Own]]" = weakref.WeakKeyDictionary()


def remove_all() -> None:
    """Remove the directories of all sessions: the server ends."""
    for remove in list(_directories.values()):
        remove()


def own() -> Own:
    """Return what this session has added; made when first asked for."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Own()
    return st.session_state[KEY]


def own_score_files() -> tuple[str, ...]:
    """Return the names of the files of scores that this session has added and shows."""
    mine: Own | None = st.session_state.get(KEY)
    return tuple(one.name for one in mine.scores.values() if one.group) if mine else ()


def with_own(served: opened.Opened) -> opened.Opened:
    """Return the server's archive with what this session has added beside it, once all of it is read."""
    mine = st.session_state.get(KEY)
    if mine is None or not mine.is_shown or served.archive is None or served.opening is not None:
        return served
    return opened.Opened(mine.archive(served.archive), None)


@st.cache_resource(show_spinner=False, max_entries=100)
def problems_of(state: str, part: str, name: str) -> tuple[Problem, ...]:
    """What is wrong with a method or dataset of this archive? As `mcheck` and `dcheck` find it."""
    try:
        return tuple(review(opened.archive_of(state).hierarchy, part, name))
    except ParseError as error:
        return (error.problem,)
