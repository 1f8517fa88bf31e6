"""Tables that a visitor adds: of scores, which are shown beside the archive, and of cases, of which datasets
are made. Each is read by a process with limits before the server reads it."""

import functools
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from dashboard.server.own_cases import ENDINGS, OwnCases, read_own_cases
from dashboard.server.own_scores import OwnScores, read_own_scores
from dashboard.server.trial import Reader, try_cases, try_scores, try_table
from delvecore.errors import DelveError
from delvecore.importing.likeness import Likeness, likeness_of
from delvecore.importing.plan import ImportOptions
from delvecore.readers.scores.records import ScoreOptions

__all__ = ["READING", "Notify", "OwnTables", "Sent", "waiting", "without_places"]

READING = threading.Lock()
"""One session's files are read at a time, so that reading takes no more memory than one trial did."""
CASES_ALONE = ".arff"
"""The ending of files that hold cases, never scores."""
Notify = Callable[[str, float], None]


class Sent(Protocol):
    """A file as a visitor sends it."""

    name: str
    size: int

    def getbuffer(self) -> memoryview: ...


class OwnTables:
    """The tables of one session, by number. base: its directory; refused: what was wrong with what was asked
    last, for the page."""

    def __init__(self) -> None:
        self.base = self.root = ""
        self.scores: dict[int, OwnScores] = {}
        self.cases: dict[int, OwnCases] = {}
        self.refused: list[str] = []
        self._taken = 0

    @property
    def table_files(self) -> list[str]:
        """The files that were sent and are kept, by the paths that they have here."""
        return [*(one.path for one in self.scores.values()), *(one.path for one in self.cases.values())]

    def keep(self, file: Sent, ending: str = "") -> str:
        """Write a file into the session's directory; return its path there."""
        self._taken += 1
        path = os.path.join(self.base, f"{self._taken}{ending}")
        with open(path, "xb") as target:
            target.write(file.getbuffer())
        return path

    def add_table(self, file: Sent, name: str, notify: Notify | None, *, reader: Reader) -> None:
        """Add a table: of scores or of cases: what it can be, and is more likely where it can be both."""
        ending = os.path.splitext(name)[1].lower()
        path, wait = self.keep(file, ending if ending in ENDINGS else ""), waiting(name, notify)
        try:
            self._read_likelier(OwnScores(name, path, ScoreOptions()), wait, reader, ending=ending)
        finally:
            if path not in self.table_files:
                os.unlink(path)

    def _read_likelier(
        self, sent: OwnScores, wait: Callable[[], object], reader: Reader, *, ending: str
    ) -> None:
        """Read a table both ways, and keep what it is more likely where it can be both."""
        has_cases = ending in ENDINGS
        how: dict[str, Any] = {"has_cases": has_cases, "wait": wait, "reader": reader}
        no_scores, no_cases = try_table(sent.path, sent.name, self.base, **how)
        if no_scores and no_cases:
            raise DelveError(no_cases if ending == CASES_ALONE else no_scores)
        if not no_cases:
            self.cases[self._taken] = read_own_cases(sent.path, sent.name)
        if no_scores:
            if likeness_of(self.cases[self._taken].plan) is Likeness.SCORES:
                del self.cases[self._taken]
                raise DelveError(no_scores)
            return
        self._keep_scores(self._taken, sent)
        if not no_cases:
            self._keep_likelier(self._taken)

    def _keep_likelier(self, number: int) -> None:
        """Keep of a file that was read both ways what it is more likely, and that it may be the other."""
        likeness = likeness_of(self.cases[number].plan)
        if likeness is Likeness.LIKELY_CASES:
            self.cases[number] = replace(self.cases[number], may_be_scores=True)
            del self.scores[number]
        else:
            asked = likeness is Likeness.LIKELY_SCORES
            self.scores[number] = replace(self.scores[number], may_be_cases=asked)
            del self.cases[number]

    def _read_scores(self, number: int, asked: OwnScores, wait: Callable[[], object]) -> None:
        try_scores(asked.path, asked.name, self.base, options=asked.options, wait=wait)
        self._keep_scores(number, asked)

    def _keep_scores(self, number: int, asked: OwnScores) -> None:
        with READING:
            found = read_own_scores(asked.path, asked.name, asked.options)
        self.scores[number] = replace(found, may_be_cases=asked.may_be_cases)

    def take_for_cases(self, number: int) -> None:
        """Take a table that was read as scores for cases; `refused` says where it cannot be those."""
        own, self.refused = self.scores[number], []
        self._taken += 1
        try:
            try_cases(own.path, own.name, self.base)
            found = read_own_cases(own.path, own.name)
            self.cases[self._taken] = replace(found, may_be_scores=True)
            del self.scores[number]
        except DelveError as error:
            self.refused = [without_places(str(error), [self.base + os.sep])]

    def take_for_scores(self, number: int) -> None:
        """Take a table that was read as cases for scores; `refused` says where it cannot be those."""
        own, self.refused = self.cases[number], []
        self._taken += 1
        asked = OwnScores(own.name, own.path, ScoreOptions(), may_be_cases=True)
        try:
            self._read_scores(self._taken, asked, lambda: None)
            del self.cases[number]
        except DelveError as error:
            self.refused = [without_places(str(error), [self.base + os.sep])]

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


def waiting(name: str, notify: Notify | None) -> Callable[[], object]:
    """Return what is called again and again while a file is tried."""
    return functools.partial(notify, name, 0.0) if notify else lambda: None


def without_places(text: str, roots: Sequence[str]) -> str:
    """Return a message without the directories in which delve directories lie: they are nobody's business."""
    for root in roots:
        text = text.replace(os.path.dirname(root) + os.sep, "")
    return text
