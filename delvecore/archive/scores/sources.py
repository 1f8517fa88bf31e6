"""What is to be opened: delve directories, and files of scores, also those in directories."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from delvecore.errors import Fault, words_of_system
from delvecore.readers.archives.packed import identity_of
from delvecore.readers.archives.whole import paths_here
from delvecore.readers.hierarchy import enclosing_directory, find_directories, is_delve_directory
from delvecore.score_tables.directories import tables_below
from delvecore.score_tables.options import ScoreOptions

__all__ = ["Sources", "holds_scores", "joined_state", "scores_state", "sources_of"]


class Sources(NamedTuple):
    """directories: delve directories, in order of precedence; files: of scores, or directories of such files
    that are read as one."""

    directories: list[str]
    files: list[str]


def sources_of(paths: Sequence[str | os.PathLike[str]]) -> Sources:
    """Return what paths mean. Raises DelveError for one that is neither a delve directory, nor holds some,
    nor is or holds a file of scores."""
    found = paths_here((os.fspath(path) for path in paths), anew=True)
    given = [os.path.abspath(path) for path in found]
    files = [path for path in dict.fromkeys(given) if holds_scores(path)]
    return Sources(find_directories(path for path in given if path not in files), files)


def holds_scores(path: str) -> bool:
    """Is this a file, or a directory of files of scores, and no delve directory, nor one that holds some or
    lies in one? `/` is none: it stands for all tasks."""
    if os.path.isfile(path):
        return True
    full = os.path.abspath(path)
    is_place = full == os.path.dirname(full) or enclosing_directory(full) is not None
    if not os.path.isdir(path) or is_place:
        return False
    try:
        inside = [entry.path for entry in os.scandir(path)]
    except OSError:  # told by find_directories
        return False
    return not any(map(is_delve_directory, inside)) and any(tables_below(path))


def scores_state(files: Sequence[str], options: ScoreOptions | None) -> str:
    """Return a hash of names, sizes and times of files of scores, and of how they are read. Raises DelveError
    where one is not there any more."""
    told = [repr(options), *(f"{path}\0{identity}" for path, identity in _identities(files))]
    return _hash(told)


def joined_state(state: str, scores: str) -> str:
    """Return the state of an archive with scores beside it."""
    return _hash([state, scores])


def _hash(told: Sequence[str]) -> str:
    return hashlib.blake2b("\n".join(told).encode(errors="surrogateescape"), digest_size=16).hexdigest()


def _identities(files: Sequence[str]) -> Iterator[tuple[str, object]]:
    for path in files:
        try:
            inside = sorted(tables_below(path)) if os.path.isdir(path) else [path]
            for one in inside:
                yield one, identity_of(os.stat(one))
        except OSError as error:
            raise Fault(path, "a readable file of scores", words_of_system(error)) from None
