"""A visitor's own files of scores: tried in a process with limits, then read as the command reads them."""

import gzip
import io
import zlib
from dataclasses import dataclass

from delvecore.archive.scores.opening import ScoreGroup, group_of
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.score_tables.reading import read_scores
from delvecore.score_tables.score_file import ScoreFile

__all__ = ["OwnScores", "is_packed", "read_own_scores"]

TAR_BLOCK, TAR_MAGIC = 512, slice(257, 262)


@dataclass(frozen=True, eq=False)
class OwnScores:
    """A file of scores that was added. name: as it was sent; path: where it lies; file, group: what is in
    it, None where it can be read in two ways; question: what has to be said first; may_be_cases: can it be
    read as those, and does its header not say that it is none?"""

    name: str
    path: str
    options: ScoreOptions
    file: ScoreFile | None = None
    group: ScoreGroup | None = None
    question: Question | None = None
    may_be_cases: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods in the file, in its order."""
        return tuple(self.file.rows["method"].unique().to_pylist()) if self.file else ()


def is_packed(name: str, content: memoryview) -> bool:
    """Is this an archive file of a method or dataset, and no table? By its name, else by its first bytes."""
    if name.lower().endswith((".tar.gz", ".tgz")):
        return True
    try:
        with gzip.open(io.BytesIO(content)) as file:
            return file.read(TAR_BLOCK)[TAR_MAGIC] == b"ustar"
    except (OSError, EOFError, zlib.error):
        return False


def read_own_scores(path: str, name: str, options: ScoreOptions) -> OwnScores:
    """Return the scores of a file that was tried. Raises DelveError for what is no table of scores."""
    try:
        with open(path, "rb") as content:
            found = read_scores(content, name=name, options=options)
    except Question as question:
        return OwnScores(name, path, options, question=question)
    return OwnScores(name, path, options, file=found, group=group_of([found])._replace(keep=options.keep))
