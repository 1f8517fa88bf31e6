"""Tables that a visitor adds: of scores, which are shown beside the archive, and of cases, of which datasets
are made. Each is read by a process with limits before the server reads it."""

import functools
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from dashboard.server.own_cases import ENDINGS, OwnCases, read_own_cases
from dashboard.server.own_scores import OwnScores, read_own_scores
from dashboard.server.sandbox import Reader, try_cases, try_scores, try_table
from delvecore.errors import DelveError
from delvecore.importers.plan import ImportOptions
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.table_kind import TableKind, file_kind

__all__ = ["READING", "Notify", "OwnTables", "Sent", "UnclearTable", "waiting", "without_places"]

READING = threading.Lock()
"""One session's files are read at a time, so that reading takes no more memory than one trial did."""
Notify = Callable[[str, float], None]


class Sent(Protocol):
    """A file as a visitor sends it."""

    name: str
    size: int

    def getbuffer(self) -> memoryview: ...


@dataclass(frozen=True)
class UnclearTable:
    """A table of which the visitor is asked whether it holds scores or cases. name: as it was sent; path:
    where it lies; why: it may be both."""

    name: str
    path: str
    why: str


class OwnTables:
    """The tables of one session, by number. unclear: those of which it is asked what they hold; base: its
    directory; refused: what was wrong with what was asked last, for the page."""

    def __init__(self) -> None:
        self.base = self.root = ""
        self.scores: dict[int, OwnScores] = {}
        self.cases: dict[int, OwnCases] = {}
        self.unclear: dict[int, UnclearTable] = {}
        self.refused: list[str] = []
        self._taken = 0

    @property
    def table_files(self) -> list[str]:
        """The files that were sent and are kept, by the paths that they have here."""
        return [one.path for part in (self.scores, self.cases, self.unclear) for one in part.values()]

    def keep(self, file: Sent, ending: str = "") -> str:
        """Write a file into the session's directory; return its path there."""
        self._taken += 1
        path = os.path.join(self.base, f"{self._taken}{ending}")
        with open(path, "xb") as target:
            target.write(file.getbuffer())
        return path

    def add_table(self, file: Sent, name: str, notify: Notify | None, *, reader: Reader) -> None:
        """Add a table: of scores, of cases, or one of which it is asked what it holds."""
        ending = os.path.splitext(name)[1].lower()
        path, wait = self.keep(file, ending if ending in ENDINGS else ""), waiting(name, notify)
        try:
            has_cases = ending in ENDINGS
            wrong = try_table(path, name, self.base, has_cases=has_cases, wait=wait, reader=reader)
            self._add_tried(name, path, _kind_of(path, name) if has_cases else SCORES, wrong)
        finally:
            if path not in self.table_files:
                os.unlink(path)

    def _add_tried(self, name: str, path: str, found: TableKind, wrong: tuple[str, str]) -> None:
        """Add a table that was tried both ways. wrong: what is, as scores and as cases; empty for nothing."""
        no_scores, no_cases = wrong
        if no_scores and no_cases:
            raise DelveError(no_cases if found.kind == "cases" and found.why else no_scores)
        if found.kind == "unclear" and not no_cases:
            self.unclear[self._taken] = UnclearTable(name, path, found.why)
        elif found.kind == "cases" and not no_cases:
            found_cases = read_own_cases(path, name)
            self.cases[self._taken] = replace(found_cases, may_be_scores=not no_scores)
        elif no_scores:
            raise DelveError(no_scores)
        else:
            self._keep_scores(self._taken, OwnScores(name, path, ScoreOptions()))

    def _read_scores(self, number: int, asked: OwnScores, wait: Callable[[], object]) -> None:
        try_scores(asked.path, asked.name, self.base, options=asked.options, wait=wait)
        self._keep_scores(number, asked)

    def _keep_scores(self, number: int, asked: OwnScores) -> None:
        with READING:
            found = read_own_scores(asked.path, asked.name, asked.options)
        self.scores[number] = replace(found, may_be_cases=asked.may_be_cases)

    def take_for_cases(self, number: int) -> None:
        """Take a table that is unclear, or was read as scores, for cases; `refused` says where it cannot be
        those."""
        own, self.refused = self.unclear.get(number) or self.scores[number], []
        try:
            try_cases(own.path, own.name, self.base)
            self.cases[self._taken + 1] = replace(read_own_cases(own.path, own.name), may_be_scores=True)
            self._forget(number)
        except DelveError as error:
            self.refused = [without_places(str(error), [self.base + os.sep])]

    def take_for_scores(self, number: int) -> None:
        """Take a table that is unclear, or was read as cases, for scores; `refused` says where it cannot be
        those."""
        own, self.refused = self.unclear.get(number) or self.cases[number], []
        asked = OwnScores(own.name, own.path, ScoreOptions(), may_be_cases=True)
        try:
            self._read_scores(self._taken + 1, asked, lambda: None)
            self._forget(number)
        except DelveError as error:
            self.refused = [without_places(str(error), [self.base + os.sep])]

    def _forget(self, number: int) -> None:
        """Forget a table that has been taken for something else, under the next number."""
        for part in (self.unclear, self.scores, self.cases):
            part.pop(number, None)
        self._taken += 1

    def remove_unclear(self, number: int) -> None:
        """Take a table away again of which it was asked what it holds."""
        os.unlink(self.unclear.pop(number).path)
        self._taken += 1

    def change_cases(self, number: int, options: ImportOptions) -> None:
        """Have another column of a file of cases predicted, or columns of other types; `refused` says why it
        cannot be."""
        old, self.refused = self.cases[number], []
        try:
            try_cases(old.path, old.name, self.base, options=options)
            self.cases[number] = replace(old, plan=read_own_cases(old.path, old.name, options).plan)
        except DelveError as error:
            self.refused = [without_places(str(error), [self.base + os.sep])]

    def write_dataset(self, number: int) -> bool:
        """Make the dataset of a file of cases in the root; was that possible? `refused` says why not."""
        own, self.refused = self.cases[number], []
        try:
            try_cases(own.path, own.name, self.base, options=own.plan.options, into=self.root)
        except DelveError as error:
            self.refused = [without_places(str(error), [self.root])]
            return False
        self.remove_cases(number)
        return True

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


SCORES = TableKind("scores", "its name does not end as those of files of cases do")


def _kind_of(path: str, name: str) -> TableKind:
    """Tell a file of scores from one of cases; what is no table of scores may be cases, for no reason."""
    try:
        return file_kind(path, name=name)
    except DelveError:
        return TableKind("cases", "")


def waiting(name: str, notify: Notify | None) -> Callable[[], object]:
    """Return what is called again and again while a file is tried."""
    return functools.partial(notify, name, 0.0) if notify else lambda: None


def without_places(text: str, roots: Sequence[str]) -> str:
    """Return a message without the directories in which delve directories lie: they are nobody's business."""
    for root in roots:
        text = text.replace(os.path.dirname(root) + os.sep, "")
    return text
