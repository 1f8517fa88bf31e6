"""Files of scores: those in a directory, the facts in their names, and their contents.

For example, `HC2_accuracy.csv` holds accuracies of HC2. Contents are bytes of a path or the standard input,
decompressed; texts of any encoding; JSON."""

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from delvecore.errors import ParseError, words_of_system
from delvecore.readers.files import STREAMS, decompress, no_such_file
from delvecore.readers.regular_files import no_regular_file
from delvecore.readers.text_encoding import FALLBACKS, encoding_of
from delvecore.score_tables.names import is_metric

if TYPE_CHECKING:
    from delvecore.score_tables.table import Table

TEXTS = (".csv", ".tsv", ".tab", ".txt", ".dat", ".ssv")
COLUMNAR = {
    **dict.fromkeys((".parquet", ".pq"), "Parquet"),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), "Arrow"),
}
OTHERS = (*COLUMNAR, ".json", ".jsonl", ".ndjson", ".xlsx", ".eval")
DEEPEST = 4
"""Largest depth of tables below a directory: `METHOD/Predictions/DATASET`."""
MOST_LEVELS = 100
"""Largest depth of nested lists and objects of JSON."""
_OF_TRAINING = re.compile(r"train(?:Fold|Resample)\d*\.csv", re.IGNORECASE)
_JOINTS = ("__", "_", "-")
_LONGEST = 3
"""Largest number of words of a metric's name."""
_ENDINGS = (".gz", ".bz2", ".xz", ".zst")


def plain_file(path: str) -> str:
    """Return the name of a file without its directory and compression suffix."""
    stem, ending = os.path.splitext(os.path.basename(path))
    return stem if ending.lower() in _ENDINGS else stem + ending


def looks_like_scores(path: str | os.PathLike[str]) -> bool:
    """May this file contain scores, judging by its name?"""
    return os.path.splitext(plain_file(os.fspath(path)).lower())[1] in TEXTS + OTHERS


def tables_below(directory: str, *, deepest: int = DEEPEST) -> Iterator[str]:
    """Yield the tables in a directory to a limited depth, except predictions of training cases."""
    for place, below, names in os.walk(directory):
        depth = os.path.relpath(place, directory).count(os.sep) + (place != directory)
        below[:] = sorted(name for name in below if not name.startswith(".") and depth < deepest)
        for name in sorted(names):
            if looks_like_scores(name) and not name.startswith(".") and not _OF_TRAINING.match(name):
                yield os.path.join(place, name)


def columnar_kind(paths: Sequence[str]) -> str | None:
    """Return the common format of files that may be parts of one dataset, or None."""
    kinds = {COLUMNAR.get(os.path.splitext(path)[1].lower()) for path in paths}
    return kinds.pop() if len(kinds) == 1 else None


def tables_in(directory: str) -> list[str]:
    """Return the tables in a directory and below, by path. Raises ParseError without any."""
    paths = sorted(tables_below(directory))
    if not paths:
        expected = f"tables of scores ({', '.join((*TEXTS[:2], *OTHERS[:1], '...'))})"
        raise ParseError(directory, None, expected, "none", kind="file")
    return paths


def named_tables(tables: "Mapping[str, Table]", directory: str) -> "dict[str, Table]":
    """Return the tables with the names of datasets and methods that the paths of their files imply.

    Files in several folders, `METHOD/DATASET.csv` or `METHOD/DATASET/...csv`, name both. So do files whose
    names all have two parts, as in `DATASET_METHOD.csv`; the part with fewer values is the method. Otherwise
    each file has one method. A file with several methods has one dataset, named after the file or its folder.
    """
    stems = {path: os.path.splitext(plain_file(path))[0] for path in tables}
    folders = {path: os.path.relpath(path, directory).split(os.sep)[:-1] for path in tables}
    named = {}
    if all(folders.values()) and len(set(map(tuple, folders.values()))) > 1:
        is_same = len(set(stems.values())) == 1
        is_flat = is_same and {*map(len, folders.values())} == {1}
        if is_flat and (pairs := _in_pairs({path: parts[0] for path, parts in folders.items()}, tables)):
            return pairs
        plain = {path: _without_folder(stem, folders[path][0]) for path, stem in stems.items()}
        if all(plain[path] != stem for path, stem in stems.items()):
            words = {path: re.split(r"[_ -]", stem) for path, stem in plain.items()}
            # The last words that all names share, such as `_metrics`, name nothing.
            while len({tuple(one[-1:]) for one in words.values()}) == 1 and min(map(len, words.values())) > 1:
                words = {path: one[:-1] for path, one in words.items()}
            stems = {path: stem[: len("_".join(words[path]))] for path, stem in plain.items()}
        for path, stem in stems.items():
            method, *below = folders[path]
            dataset = below[-1] if is_same and below else stem
            several = "/".join((method, *below) if is_same else (method, *below, stem))
            named[path] = replace(tables[path], file=stem, dataset=dataset, method=method, of_several=several)
        return named
    first = {match[0] if (match := _GENERIC.match(stem)) else "" for stem in stems.values()}
    if len(stems) > 1 and len(first) == 1:  # all names begin with a word such as `results_`
        stems = {path: stem.removeprefix(*first) for path, stem in stems.items()}
    if pairs := _in_pairs(stems, tables):
        return pairs
    whole = os.path.basename(os.path.abspath(directory))
    return {path: replace(tables[path], file=stem, dataset=whole) for path, stem in stems.items()}


def _in_pairs(stems: Mapping[str, str], tables: "Mapping[str, Table]") -> "dict[str, Table]":
    """Name the tables by two-part names such as `DATASET_METHOD`, if all combinations exist."""
    for joint in _JOINTS:
        pairs = {path: stem.split(joint) for path, stem in stems.items()}
        if not all(len(pair) == 2 and all(pair) for pair in pairs.values()):
            continue
        first, second = (len({pair[place] for pair in pairs.values()}) for place in (0, 1))
        if min(first, second) > 1 and first * second == len(stems):
            place = int(second <= first)
            return {
                path: replace(tables[path], file=stems[path], dataset=pair[1 - place], method=pair[place])
                for path, pair in pairs.items()
            }
    return {}


_GENERIC = re.compile(
    r"(results?|scores?|metrics?|evals?|evaluation|outputs?|summary|report|benchmark|runs?)[-_ .]+(?=.)",
    re.IGNORECASE,
)


def _without_folder(stem: str, folder: str) -> str:
    """Remove the folder's name from a file's name, unless nothing remains: `iris_svm` in `svm` is `iris`."""
    plain = re.sub(rf"(?<![^\W_]){re.escape(folder)}(?![^\W_])", "", stem).strip("_-. ")
    return re.sub(r"([_. -])[_. -]+", r"\1", plain) or stem


_RUN = re.compile(
    r"(?<![A-Za-z])(seed|fold|run|rep|repeat|repetition|trial|split|resample|replicate|random_?state|version)s?"
    r"[ _=.-]*(\d+)",
    re.IGNORECASE,
)


def runs_in_names(paths: Sequence[str], directory: str) -> tuple[str, Mapping[str, str], Mapping[str, str]]:
    """Return the kind of runs that paths number, or an empty text; and each path's run and remaining path."""
    runs = {path: _RUN.findall(os.path.relpath(path, directory)) for path in paths}
    kinds = {one[-1][0].lower() for one in runs.values() if one}
    if not all(runs.values()) or len(kinds) > 1 or len({one[-1][1] for one in runs.values()}) < 2:
        return "", dict.fromkeys(paths, ""), {path: path for path in paths}
    plain = {}
    for path in paths:
        folders, name = os.path.split(os.path.relpath(path, directory))
        parts = [
            _RUN.sub("", part).strip("_-. ") for part in (*folders.split(os.sep), os.path.splitext(name)[0])
        ]
        kept = [part for part in parts if part] or [os.path.basename(os.path.abspath(directory))]
        plain[path] = os.path.join(directory, *kept) + os.path.splitext(name)[1]
    kind = kinds.pop().replace("_", "")
    kind = "run" if kind == "version" else kind  # Lightning calls its runs versions
    return kind, {path: one[-1][1] for path, one in runs.items()}, plain


def metric_in(file: str) -> str | None:
    """Return the known metric in a file's name, or None."""
    words = [(word.start(), word.end()) for word in re.finditer(r"[^\W_]+", file)]
    for size in range(_LONGEST, 0, -1):
        for first, last in zip(words, words[size - 1 :], strict=False):
            name = file[first[0] : last[1]]
            if is_metric(name):
                return name
    return None


def without_metric(file: str) -> str:
    """Return a file's name without its metric, unless nothing remains."""
    metric = metric_in(file)
    return file if metric is None else file.replace(metric, "", 1).strip("_- .") or file


STANDARD_INPUT = "-"
SAVE = "save the table as CSV, JSON, Parquet or .xlsx"


def read_bytes(path: str) -> bytes:
    """Return all bytes of a file, or of the standard input. Raises ParseError."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    try:
        if not os.path.isfile(path) and os.path.lexists(path):
            raise no_regular_file(path, os.stat(path).st_mode)
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise no_such_file(path) from None
    except OSError as error:
        raise ParseError(path, None, "a table of scores", words_of_system(error), kind="file") from None


def unpacked(data: bytes, source: str) -> bytes:
    """Decompress bytes in the format that the first few bytes show. Raises ParseError."""
    return decompress(data, source) if data.startswith(tuple(STREAMS)) else data


def decoded(data: bytes, source: str) -> str:
    """Return the text of a file, without a byte-order mark. Raises ParseError for bytes of two encodings."""
    encoding = encoding_of(data)
    if encoding in FALLBACKS:  # lines with letters beyond ASCII must all be UTF-8, or none
        beyond = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if not line.isascii()]
        others = [number for number, line in beyond if "\ufffd" in line.decode(errors="replace")]
        if len(others) < len(beyond):
            actual = "UTF-8 in some lines, and another encoding here"
            raise ParseError(source, others[0], "one encoding", actual, "save the file as UTF-8")
    try:
        text = data.decode(encoding)
    except UnicodeError as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        expected, remedy = f"text in {encoding.upper()}, as its first bytes show", "save the file as UTF-8"
        raise ParseError(source, line, expected, "bytes of another encoding", remedy) from None
    if "\0" in text[: 1 << 16]:
        raise ParseError(source, 1, "a table of scores", "a file that is not text", SAVE)
    return text.removeprefix("\ufeff")


def load_json(path: str) -> Any:
    """Return the contents of a JSON file. Raises ParseError."""
    return parsed_json(decoded(unpacked(read_bytes(path), path), path), path)


def parsed_json(text: str, source: str) -> Any:
    """Parse JSON, or JSON Lines as a list of records. Raises ParseError."""
    try:
        return _parsed(text, source, 1, "JSON", "correct it, or export it again")
    except ParseError as error:
        if not error.found.startswith("Extra data"):
            raise
    rows = []
    expected, remedy = "a JSON record per line", "correct the line"
    for number, line in enumerate(text.splitlines(), 1):
        rows.append(_parsed(line, source, number, expected, remedy) if line.strip() else {})
        if not isinstance(rows[-1], dict):
            raise ParseError(source, number, expected, repr(rows[-1])[:40], remedy)
    return [row for row in rows if row]


def _parsed(text: str, source: str, line: int, expected: str, remedy: str) -> Any:
    actual = f"values nested more than {MOST_LEVELS} deep"
    try:
        content = json.loads(text, object_pairs_hook=_record)
        if not _is_deep(content):
            return content
    except RecursionError:
        pass
    except json.JSONDecodeError as error:
        line, actual = line + error.lineno - 1, f"{error.msg}, in column {error.colno}"
    except ValueError as error:  # a number of thousands of digits, a repeated key, an unpaired surrogate
        actual = str(error).split(";")[0]
    raise ParseError(source, line, expected, actual, remedy)


def _is_deep(content: Any) -> bool:
    """Are lists and objects nested in more than MOST_LEVELS levels?"""
    level = [content]
    for _ in range(MOST_LEVELS + 1):
        parts = (
            one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)
        )
        level = [value for part in parts for value in part]
        if not level:
            return False
    return True


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for a repeated key or an unpaired surrogate."""
    record = dict(pairs)
    if len(record) < len(pairs):
        again = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise ValueError(f"the key {again!r} twice in one record")
    "".join([*record, *(value for value in record.values() if isinstance(value, str))]).encode()
    return record
