"""Which tables a directory has, and what names of files say where columns do not.

`HC2_accuracy.csv` holds accuracies of HC2."""

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from delvecore.errors import ParseError
from delvecore.score_tables.names import is_metric

TEXTS = (".csv", ".tsv", ".tab", ".txt", ".dat", ".ssv")
COLUMNAR = {
    **dict.fromkeys((".parquet", ".pq"), "Parquet"),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), "Arrow"),
}
OTHERS = (*COLUMNAR, ".json", ".jsonl", ".ndjson", ".xlsx", ".eval")
DEEPEST = 3
"""Folders between a directory and its tables: `METHOD/Predictions/DATASET`."""
_OF_TRAINING = re.compile(r"train(?:Fold|Resample)\d*\.csv", re.IGNORECASE)
_JOINTS = ("__", "_", "-")
_LONGEST = 3
"""Words of a metric's name."""


_ENDINGS = (".gz", ".bz2", ".xz", ".zst")


def plain_file(path: str) -> str:
    """The name of a file without its directory and the ending of a compression."""
    stem, ending = os.path.splitext(os.path.basename(path))
    return stem if ending.lower() in _ENDINGS else stem + ending


class Alone(NamedTuple):
    """What a file's dataset and method are called, where no column holds them. file: its name, which may hold
    that of the metric; of_several: what its dataset is called where it holds several methods."""

    dataset: str
    method: str
    file: str
    of_several: str


def looks_like_scores(path: str | os.PathLike[str]) -> bool:
    """May this file hold scores, by its name?"""
    return os.path.splitext(plain_file(os.fspath(path)).lower())[1] in TEXTS + OTHERS


def alone_in(file: str) -> Alone:
    """Return what a single file's name says."""
    stem = os.path.splitext(file)[0] or "table"
    return Alone(stem, stem, stem, stem)


def tables_below(directory: str, *, deepest: int = DEEPEST) -> Iterator[str]:
    """Yield the tables in a directory and below, not far down; predictions of training cases are none."""
    for place, below, names in os.walk(directory):
        depth = os.path.relpath(place, directory).count(os.sep) + (place != directory)
        below[:] = sorted(name for name in below if not name.startswith(".") and depth < deepest)
        for name in sorted(names):
            if looks_like_scores(name) and not name.startswith(".") and not _OF_TRAINING.match(name):
                yield os.path.join(place, name)


def columnar_kind(paths: Sequence[str]) -> str | None:
    """Return the one format of files that may be parts of one dataset, None where they may not."""
    kinds = {COLUMNAR.get(os.path.splitext(path)[1].lower()) for path in paths}
    return kinds.pop() if len(kinds) == 1 else None


def tables_in(directory: str) -> list[str]:
    """Return the tables in a directory and below, by path. ParseError without any."""
    found = sorted(tables_below(directory))
    if not found:
        expected = f"tables of scores ({', '.join((*TEXTS[:2], *OTHERS[:1], '...'))})"
        raise ParseError(directory, None, expected, "none", kind="file")
    return found


def names_of_files(paths: Sequence[str], directory: str) -> dict[str, Alone]:
    """Return what the names of files say of their datasets and methods.

    Files in several folders, `METHOD/DATASET.csv` or `METHOD/DATASET/...csv`, say both, and so do all names
    of two parts, as `DATASET_METHOD.csv`, of which there are fewer methods; else each file is of one method.
    A file that holds several methods is of a dataset, whose name is that of the file or of its folder."""
    stems = {path: os.path.splitext(plain_file(path))[0] for path in paths}
    folders = {path: os.path.relpath(path, directory).split(os.sep)[:-1] for path in paths}
    if all(folders.values()) and len(set(map(tuple, folders.values()))) > 1:
        is_same = len(set(stems.values())) == 1
        return {path: _in_folders(folders[path], stem, is_same=is_same) for path, stem in stems.items()}
    for joint in _JOINTS:
        pairs = {path: stem.split(joint) for path, stem in stems.items()}
        if all(len(pair) == 2 and all(pair) for pair in pairs.values()):
            counts = [len({pair[place] for pair in pairs.values()}) for place in (0, 1)]
            if min(counts) > 1 and counts[0] * counts[1] == len(paths):
                place = int(counts[1] <= counts[0])
                return {
                    path: Alone(pair[1 - place], pair[place], stems[path], stems[path])
                    for path, pair in pairs.items()
                }
    whole = os.path.basename(os.path.abspath(directory))
    return {path: Alone(whole, stem, stem, stem) for path, stem in stems.items()}


def _in_folders(folders: Sequence[str], stem: str, *, is_same: bool) -> Alone:
    """Return what folders and a file's name say. is_same: are all files called alike?"""
    if not is_same:
        return Alone(stem, folders[0], stem, "/".join((*folders, stem)))
    return Alone(folders[-1] if len(folders) > 1 else stem, folders[0], stem, "/".join(folders))


def metric_in(file: str) -> str | None:
    """Return the known metric that a file's name holds, None without one."""
    words = [(word.start(), word.end()) for word in re.finditer(r"[^\W_]+", file)]
    for size in range(_LONGEST, 0, -1):
        for first, last in zip(words, words[size - 1 :], strict=False):
            name = file[first[0] : last[1]]
            if is_metric(name):
                return name
    return None


def without_metric(file: str) -> str:
    """Return a file's name without the metric that it holds, unless it is nothing else."""
    metric = metric_in(file)
    return file if metric is None else file.replace(metric, "", 1).strip("_- .") or file
