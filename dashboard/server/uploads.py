"""What a visitor adds: archive files of methods and datasets, unpacked in a directory of the session's own.

A name that comes with an upload is shown and never used as a path; sizes are limited here, since the limits
in a browser can be got around. Each file is read by a process with limits before the server reads it. The
directory goes when the session does."""

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

import delvecore
from dashboard.server import archive as opened
from dashboard.server.own_scores import is_packed
from dashboard.server.own_tables import READING, Notify, OwnTables, Sent, waiting, without_places
from dashboard.server.sandbox import Reader, try_archive
from delvecore.atomic_io import scratch_directory
from delvecore.errors import DelveError, ParseError, Problem, words_of_system
from delvecore.packaging.install import Installed, install_archives
from delvecore.packaging.pack import pack_dataset, review
from delvecore.readers.archives.tar_index import Limits
from delvecore.readers.hierarchy import PARTS, Hierarchy
from delvecore.report.writers.text import plain

__all__ = ["LIMITS", "MOST_BYTES", "MOST_FILES", "NAME", "Added", "Own", "own", "problems_of", "remove_all"]
__all__ += ["own_archive_files", "own_score_files", "with_own"]

MOST_BYTES, MOST_TOGETHER = 20 << 20, 200 << 20
"""Of one file as it is sent, and of all that a session has."""
MOST_FILES = 20
LIMITS = Limits(members=20_000, file_bytes=1 << 26, total_bytes=1 << 28, free_bytes=1 << 25, ratio=100)
"""Of everything that one session has added, unpacked."""
NAME = "delve-added"
KEY = "own"


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


class Own(OwnTables):
    """What one session has added, and the archive that shows it beside the server's.

    added: methods and datasets; root: the delve directory that they are in; round: how often files were
    taken."""

    def __init__(self) -> None:
        super().__init__()
        self.added: dict[tuple[str, str], Added] = {}
        self.round = 0
        self._opened: tuple[tuple[str, int], delvecore.Archive] | None = None

    def take(self, files: Sequence[Sent], roots: Sequence[str], *, notify: Notify | None = None) -> None:
        """Add uploaded files; what cannot be added is told in `refused` and costs itself only.

        roots: the delve directories they are shown beside."""
        self.refused, self.round = [], self.round + 1
        with Reader() as reader:
            for number, file in enumerate(files):
                name = plain(file.name, longest=100)
                try:
                    self._make_place()
                    self._check_limits(file, number)
                    if is_packed(name, file.getbuffer()):
                        self._add(file, name, roots, notify, reader=reader)
                    else:
                        self.add_table(file, name, notify, reader=reader)
                except OSError as error:
                    why = words_of_system(error)
                    self.refused.append(f"{name}: the server cannot keep it ({why}); try later")
                except DelveError as error:
                    message = without_places(str(error), [self.root, *roots])
                    self.refused.append(message if message.startswith(name) else f"{name}: {message}")

    def _check_limits(self, file: Sent, number: int) -> None:
        """Raise DelveError for a file that is too large, or one too many. number: how many came before it."""
        if number >= MOST_FILES or len(self.files) >= MOST_FILES:
            raise DelveError(f"expected at most {MOST_FILES} files, found more; remove some")
        if file.size > MOST_BYTES:
            limit, size = MOST_BYTES >> 20, file.size / (1 << 20)
            raise DelveError(f"expected at most {limit} MB, found {size:.1f}; send it in parts")
        if sum(map(os.path.getsize, self.files)) + file.size > MOST_TOGETHER:
            expected = f"expected at most {MOST_TOGETHER >> 20} MB in all files together"
            raise DelveError(f"{expected}, found more; remove some")

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
        return [*archives, *self.table_files]

    @property
    def methods(self) -> frozenset[str]:
        """The methods that were added, by files of their own or in tables of scores."""
        installed = (name for part, name in self.added if part == "methods")
        return frozenset(installed).union(*(one.methods for one in self.scores.values() if one.group))

    def make_dataset(self, number: int) -> None:
        """Make the dataset of a file of cases, which is then added; `refused` says why it cannot be made."""
        name = self.cases[number].plan.name
        if self.write_dataset(number):
            self.added["data", name] = Added("data", name)

    def packed(self, dataset: str) -> bytes:
        """Return the archive file of a dataset that was made here."""
        with tempfile.TemporaryDirectory(dir=self.base) as place:
            pack_dataset(Hierarchy([self.root]), dataset, place)
            with open(os.path.join(place, f"{dataset}.tar.gz"), "rb") as file:
                return file.read()

    def _add(
        self, file: Sent, name: str, roots: Sequence[str], notify: Notify | None, *, reader: Reader
    ) -> None:
        path = self.keep(file, ".tar.gz")
        try:
            paths = (os.path.join(place, name) for place, _, names in os.walk(self.root) for name in names)
            left = max(0, LIMITS.total_bytes - sum(map(os.path.getsize, paths)))
            limits = LIMITS._replace(total_bytes=left)
            how: dict[str, Any] = {"limits": limits, "wait": waiting(name, notify), "reader": reader}
            try_archive(path, name, self.base, own=self.root, beside=roots, **how)
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
            self.refused = [without_places(str(error), roots)]
            return
        self.remove(added)

    def archive(self, server: "delvecore.Archive") -> "delvecore.Archive":
        """Return the server's archive with what was added beside it; read anew when either has changed."""
        key = (server.state, self._taken)
        if self._opened is None or self._opened[0] != key:
            groups = [one.group for one in self.scores.values() if one.group is not None]
            with READING:
                beside = server.beside([self.root]) if self.added else server
                self._opened = (key, beside.joined(*groups) if groups else beside)
            opened.remember(self._opened[1])
        return self._opened[1]


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


def own_archive_files() -> tuple[str, ...]:
    """Return the names of the archive files that this session has added, or offers of what it made."""
    mine: Own | None = st.session_state.get(KEY)
    added = mine.added.values() if mine else ()
    return tuple(name for one in added for name in one.uploads or (f"{one.name}.tar.gz",))


def with_own(served: opened.Opened) -> opened.Opened:
    """Return the server's archive with what this session has added beside it."""
    mine = st.session_state.get(KEY)
    if mine is None or not mine.is_shown or served.archive is None:
        return served
    return opened.Opened(mine.archive(served.archive), None)


@st.cache_resource(show_spinner=False, max_entries=100)
def problems_of(state: str, part: str, name: str) -> tuple[Problem, ...]:
    """What is wrong with a method or dataset of this archive? As `mcheck` and `dcheck` find it."""
    try:
        return tuple(review(opened.archive_of(state).hierarchy, part, name))
    except ParseError as error:
        return (error.problem,)
