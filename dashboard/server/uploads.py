"""Files that a visitor adds: archive files of methods and datasets, and tables of scores or cases.

Archive files are unpacked in a directory of the session. Scores are shown next to the archive, and cases
become datasets.

The name of an upload is shown, but never used as a path. Sizes are limited here, since a visitor can evade
the limits in a browser. Each file is read by a process with limits: see `sandbox`. The directory is removed
an hour after the visitor left."""

import atexit
import contextlib
import functools
import os
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

import delvecore
from dashboard.server import archive as opened
from dashboard.server import own_files
from dashboard.server.bounds import sessions
from dashboard.server.cache import cached
from dashboard.server.own_files import Kind, OwnTable
from dashboard.server.sandbox import Notify, read_in_process
from dashboard.server.visitors import COOKIE, is_visitor
from delvecore.archive import Archive
from delvecore.atomic_io import scratch_directory
from delvecore.errors import DelveError, ParseError, Problem, words_of_system
from delvecore.importers.plan import ImportOptions
from delvecore.locations import PARTS
from delvecore.packaging.install import Installed, install_archives
from delvecore.packaging.pack import pack_dataset, review
from delvecore.packaging.staging import move_in
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.tar_archives import Limits
from delvecore.render.numbers import counted, rounded
from delvecore.render.spans import short_line
from delvecore.score_tables.options import ScoreOptions

KEPT, MOST_KEPT, AWAY = 3600.0, 50, 10.0
"""Seconds after which the files of a visitor who left are removed; largest number of such visitors; and the
seconds for a browser without the cookie, which only its session identifies."""
READING = threading.Lock()
"""Visitors' archives are read one at a time, so that reading never takes more memory than one of them."""
INSTALLING, ENDING = threading.Lock(), 30.0
"""Held while files are put into the archive; seconds that the server waits for this lock when it ends."""
REMOVED = "This file was removed, perhaps in another tab; add it again to change it."


def without_places(text: str, roots: Sequence[str]) -> str:
    """Return a message in which paths of delve directories are shortened, since their parents are private."""
    for root in roots:
        text = text.replace(os.path.dirname(root) + os.sep, "")
    return text


MOST_BYTES, MOST_TOGETHER = 20 << 20, 200 << 20
"""Largest size in bytes, as sent, of one file, and of all files of a session."""
MOST_FILES, MOST_OF_ALL = 20, 2 << 30
"""Largest number of files of a session; largest size in bytes, as sent, of the files of all sessions."""
LIMITS = Limits(members=20_000, file_bytes=1 << 26, total_bytes=1 << 28, free_bytes=1 << 25, ratio=100)
"""Limits of everything that one session has added, unpacked."""
NAME = "delve-added"
KEY = "own"
Result = TypeVar("Result")


@dataclass(frozen=True)
class Added:
    """An added method or dataset: the contents of its uploaded files, and their paths."""

    part: str
    name: str
    installed: tuple[Installed, ...] = ()
    archives: tuple[str, ...] = ()

    @property
    def uploads(self) -> tuple[str, ...]:
        """The original names of the uploaded files."""
        return tuple(installed.source for installed in self.installed)

    @property
    def files(self) -> int:
        return sum(installed.added for installed in self.installed)

    @property
    def kind(self) -> str:
        return "dataset" if self.part == "data" else "method"


def _read(read: Callable[..., Result], table: OwnTable, **how: Any) -> Result:
    return read_in_process(read, table.path, table.name, **how)


class Own:
    """A visitor's additions, and the archive that shows them next to the server's.

    added: methods and datasets; root: their delve directory, below base; tables: by number; refused: faults
    of the last request, for the page; round: number of times that files were added; alone: number of the
    table of scores that replaces the archive, or None; sessions: sessions that show the additions;
    has_cookie: does a cookie identify the browser? seen: last activity of a session, by `time.monotonic`."""

    def __init__(self) -> None:
        self.sessions, self.has_cookie, self.seen = set[str](), False, time.monotonic()
        self.round = self._taken = 0
        self._clear()

    def _clear(self) -> None:
        self.base = self.root = ""
        self._place = contextlib.ExitStack()
        self.added: dict[tuple[str, str], Added] = {}
        self.tables: dict[int, OwnTable] = {}
        self.refused: list[str] = []
        self.alone: int | None = None
        self._archives: dict[str, tuple[tuple[str, int], Archive]] = {}

    def _of(self, kind: Kind) -> dict[int, OwnTable]:
        return {number: table for number, table in self.tables.items() if table.kind == kind}

    @property
    def scores(self) -> dict[int, OwnTable]:
        return self._of("scores")

    @property
    def cases(self) -> dict[int, OwnTable]:
        return self._of("cases")

    @property
    def unclear(self) -> dict[int, OwnTable]:
        return self._of("unclear")

    def take(
        self,
        files: Sequence[UploadedFile],
        roots: Sequence[str],
        *,
        notify: Callable[[str, float], object] | None = None,
    ) -> None:
        """Add uploaded files. Files that cannot be added are reported in `refused`.

        roots: delve directories that are shown with them; notify: called with the name of the current file
        and the share of the files before it."""
        self.refused, self.round = [], self.round + 1
        for number, file in enumerate(files):
            name = short_line(file.name, longest=100)
            report = functools.partial(notify, name, number / len(files)) if notify else None
            try:
                self._make_place()
                self._check_limits(file, number)
                if own_files.is_packed(name, file.getbuffer()):
                    self._add(file, name, roots, report)
                else:
                    with self._keep(file, own_files.ending_of(name)) as path:
                        self.tables[self._taken] = read_in_process(
                            own_files.read_own_table, path, name, notify=report
                        )
            except OSError as error:
                why = words_of_system(error)
                self.refused.append(f"{name}: the server cannot keep it ({why}); try later")
            except DelveError as error:
                message = without_places(str(error), [self.root, *roots])
                self.refused.append(message if message.startswith(name) else f"{name}: {message}")

    def _check_limits(self, file: UploadedFile, number: int) -> None:
        """Raise DelveError for a file that is too large, or for too many files. number: files before this
        one."""
        if number >= MOST_FILES or len(self.files) >= MOST_FILES:
            raise DelveError(f"expected at most {MOST_FILES} files, found more; remove some")
        if file.size > MOST_BYTES:
            limit, size = MOST_BYTES >> 20, file.size / (1 << 20)
            raise DelveError(f"expected at most {limit} MB, found {rounded(size, 1)}; send it in parts")
        if self._bytes() + file.size > MOST_TOGETHER:
            expected = f"expected at most {MOST_TOGETHER >> 20} MB in all files together"
            raise DelveError(f"{expected}, found more; remove some")
        if sum(one._bytes() for one in list(_with_files)) + file.size > MOST_OF_ALL:
            raise DelveError(
                "expected room on the server, found none because of other visitors' files; try later"
            )

    def _bytes(self) -> int:
        """Return the size of the uploaded files. A file that the visitor removes meanwhile counts as
        empty."""
        sizes = 0
        for path in self.files:
            with contextlib.suppress(FileNotFoundError):
                sizes += os.path.getsize(path)
        return sizes

    def _make_place(self) -> None:
        if not self.base:
            self.base = self._place.enter_context(scratch_directory("delve-session-"))
            self.root = os.path.join(self.base, NAME)
            _with_files.add(self)
        for part in PARTS:
            os.makedirs(os.path.join(self.root, part), exist_ok=True)

    def end(self) -> None:
        """Remove all that was added."""
        _with_files.discard(self)
        place, self._taken = self._place, self._taken + 1
        self._clear()
        place.close()

    @property
    def is_shown(self) -> bool:
        """Is any addition shown next to the server's archive?"""
        return bool(self.added) or any(one.group for one in self.scores.values())

    @property
    def files(self) -> list[str]:
        """The uploaded files that are kept, by their paths on the server."""
        archives = [path for added in self.added.values() for path in added.archives]
        return [*archives, *(table.path for table in self.tables.values())]

    @property
    def methods(self) -> frozenset[str]:
        """The added methods, from separate files or in tables of scores."""
        installed = (name for part, name in self.added if part == "methods")
        return frozenset(installed).union(*(one.methods for one in self.scores.values() if one.group))

    @contextlib.contextmanager
    def _keep(self, file: UploadedFile, ending: str) -> Iterator[str]:
        """Write a file into the session's directory and yield its path. The file is removed unless it is
        added."""
        self._taken += 1
        path = os.path.join(self.base, f"{self._taken}{ending}")
        with open(path, "xb") as target:
            target.write(file.getbuffer())
        try:
            yield path
        finally:
            if path not in self.files:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)

    def _table(self, number: int) -> OwnTable:
        """Return a table. Raises DelveError if it was removed."""
        if number not in self.tables:
            raise DelveError(REMOVED)
        return self.tables[number]

    @contextlib.contextmanager
    def _request(self, *places: str) -> Iterator[None]:
        """Carry out a visitor's request. `refused` explains a failure, without these private paths.

        Files that the visitor removed in another tab cannot be changed."""
        self.refused = []
        try:
            yield
        except FileNotFoundError:
            self.refused = [REMOVED]
        except DelveError as error:
            self.refused = [without_places(str(error), [self.root, *places])]

    def _change(self, number: int, change: Callable[[OwnTable], OwnTable]) -> None:
        """Replace a table by the result of `change`, if possible. A change of kind assigns a new number."""
        with self._request():
            old = self._table(number)
            new = change(old)
            self._table(number)  # another tab may have removed it meanwhile
            self._taken += 1
            if new.kind != old.kind:
                del self.tables[number]
                number = self._taken
            self.tables[number] = new

    def read_as(self, number: int, kind: Kind, options: ImportOptions | ScoreOptions | None = None) -> None:
        """Read a table as this kind, with these options, if possible."""

        def change(old: OwnTable) -> OwnTable:
            new, is_same = _read(own_files.READERS[kind], old, options=options), kind == old.kind
            is_standardized = is_same and old.is_standardized
            return replace(
                new, has_alternative=old.has_alternative or not is_same, is_standardized=is_standardized
            )

        self._change(number, change)

    def describe_cases(self, number: int, options: ImportOptions) -> None:
        """Describe a file of cases, so that similar tasks can be shown, if possible."""
        how = {"options": options}
        self._change(
            number, lambda old: replace(old, description=_read(own_files.describe_own_cases, old, **how))
        )

    def set_standardized(self, number: int, is_standardized: bool) -> None:
        self._change(number, lambda table: replace(table, is_standardized=is_standardized))

    def remove_table(self, number: int) -> None:
        """Remove a table, unless another tab has removed it."""
        if table := self.tables.pop(number, None):
            self._taken += 1
            os.unlink(table.path)

    def make_dataset(self, number: int, options: ImportOptions) -> None:
        """Make the dataset of a file of cases and add it, if possible."""
        with self._request():
            name = _read(own_files.write_own_dataset, self._table(number), options=options, into=self.root)
            self.remove_table(number)
            self.added["data", name] = Added("data", name)

    def packed(self, dataset: str) -> bytes:
        """Return the archive file of a dataset that was made here."""
        with tempfile.TemporaryDirectory(dir=self.base) as place:
            pack_dataset(Hierarchy([self.root]), dataset, place)
            with open(os.path.join(place, f"{dataset}.tar.gz"), "rb") as file:
                return file.read()

    def _add(self, file: UploadedFile, name: str, roots: Sequence[str], notify: Notify | None) -> None:
        """Add a method or dataset from an archive file, which the process unpacks and checks."""
        paths = (os.path.join(place, name) for place, _, names in os.walk(self.root) for name in names)
        left = max(0, LIMITS.total_bytes - sum(map(os.path.getsize, paths)))
        limits = LIMITS._replace(total_bytes=left)
        with self._keep(file, ".tar.gz") as path, tempfile.TemporaryDirectory(dir=self.base) as place:
            new = os.path.join(place, NAME)
            how: dict[str, Any] = {"into": new, "own": self.root, "beside": roots, "limits": limits}
            try:
                installed = read_in_process(own_files.unpack_own_archive, path, name, notify=notify, **how)
            except DelveError as error:
                raise DelveError(without_places(str(error), [new])) from None
            if not installed.added:
                actual = f"all {counted(installed.present, 'file')} there already"
                raise DelveError(f"expected a new method or dataset, found {actual}")
            move_in(new, self.root)
            key = installed.part, installed.name
            old = self.added.get(key, Added(*key))
            self.added[key] = Added(*key, (*old.installed, installed), (*old.archives, path))

    def remove(self, added: Added) -> None:
        """Remove a method or dataset, unless another tab has removed it."""
        if self.added.pop((added.part, added.name), None) is None:
            return
        shutil.rmtree(os.path.join(self.root, added.part, added.name))
        for path in added.archives:
            os.unlink(path)
        self._taken += 1

    def install(self, added: Added, into: str, roots: Sequence[str]) -> None:
        """Put a method or dataset into a delve directory, for everybody, if possible."""
        with self._request(*roots):
            if (added.part, added.name) not in self.added:
                raise DelveError(REMOVED)
            with INSTALLING:
                install_archives(added.archives, into, beside=roots, limits=LIMITS, names=added.uploads)
            self.remove(added)

    def _kept(self, name: str, server: Archive, read: Callable[[], Archive]) -> Archive:
        """Return an archive, and read it again if the server's files or the additions have changed."""
        key = server.state, self._taken
        if name not in self._archives or self._archives[name][0] != key:
            with READING:
                self._archives[name] = (key, read())
        return self._archives[name][1]

    def archive(self, server: Archive) -> Archive:
        """Return the server's archive with the additions."""
        alone = self.table_alone
        added = server if alone else self.with_added(server)

        def read() -> Archive:
            beside = delvecore.open([], cache=False) if alone else added
            shown = [alone] if alone else list(self.scores.values())
            groups = [own_files.group_on(one, server.constants) for one in shown if one.group is not None]
            return beside.joined(*groups) if groups else beside

        return self._kept("archive", server, read)

    def with_added(self, server: Archive) -> Archive:
        """Return the server's archive with the added methods and datasets, but without tables."""
        return self._kept("added", server, lambda: server.beside([self.root])) if self.added else server

    @property
    def table_alone(self) -> OwnTable | None:
        table = None if self.alone is None else self.scores.get(self.alone)
        return table if table and table.group else None

    def show_alone(self, number: int | None) -> None:
        """Show a table of scores instead of the archive. None shows all tables next to the archive."""
        self.alone = number
        self._taken += 1


_with_files: set[Own] = set()


def remove_left(is_active: Callable[[str], bool]) -> None:
    """Remove the additions of visitors who left KEPT seconds ago, or AWAY seconds ago without a cookie.

    is_active: does a browser show the session of this name?"""
    if not INSTALLING.acquire(blocking=False):
        return  # One of them may have added a file that is being installed: the next call removes it.
    now, left = time.monotonic(), list[Own]()
    for one in list(_with_files):
        if any(map(is_active, list(one.sessions))):
            one.seen = now
        elif now - one.seen > (KEPT if one.has_cookie else AWAY):
            one.end()
        else:
            left.append(one)
    for one in sorted(left, key=lambda one: one.seen)[: max(0, len(left) - MOST_KEPT)]:
        one.end()
    INSTALLING.release()


def remove_all() -> None:
    """Remove the directories of all sessions when the server ends and no installation is running."""
    if not _with_files:
        return
    is_done = INSTALLING.acquire(timeout=ENDING)
    for one in list(_with_files):
        one.end()
    if is_done:
        INSTALLING.release()


atexit.register(remove_all)


_visitors: "weakref.WeakValueDictionary[str, Own]" = weakref.WeakValueDictionary()
_finding = threading.Lock()


def own() -> Own:
    """Return the additions of this visitor, from this session or an earlier one in the same browser."""
    uploads: Own = st.session_state[KEY] if KEY in st.session_state else Own()
    cookie = str(st.context.cookies.get(COOKIE, ""))
    if is_visitor(cookie):
        with _finding:
            uploads = _visitors.setdefault(cookie, uploads)
            uploads.has_cookie = True
    if context := get_script_run_ctx(suppress_warning=True):
        uploads.sessions.add(context.session_id)
        sessions[context.session_id] = time.monotonic()
    uploads.seen = time.monotonic()
    st.session_state[KEY] = uploads
    return uploads


def own_score_files() -> tuple[str, ...]:
    """Return the names of the files of scores that this session has added and shows."""
    return tuple(one.name for one in own().scores.values() if one.group)


def own_archive_files() -> tuple[str, ...]:
    """Return the names of the archive files that this session has added or offers for download."""
    return tuple(name for one in own().added.values() for name in one.uploads or (f"{one.name}.tar.gz",))


def with_own(served: opened.Opened) -> opened.Opened:
    """Return the server's archive with the additions of this session."""
    mine = own()
    if not mine.is_shown or served.archive is None:
        return served
    return opened.Opened(mine.archive(served.archive), None)


@cached
def problems_of(archive: Archive, part: str, name: str) -> tuple[Problem, ...]:
    """Return the faults of a method or dataset of this archive, as `mcheck` and `dcheck` find them."""
    try:
        return tuple(review(archive.hierarchy, part, name))
    except ParseError as error:
        return (error.problem,)
