"""Files of scores, read once and kept in the cache: their tables and how they were read."""

import functools
import hashlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa

from delvecore import __version__
from delvecore.archive.scores.building import CaseList, measures_of, score_tables
from delvecore.cache import Cache, format_hash
from delvecore.errors import DelveError, Fault, words_of_system
from delvecore.losses.spec import NO_MEASURES
from delvecore.measures import Measure, Measures
from delvecore.model import Factor, Level, Member, Task, TaskArray
from delvecore.names import hash_of
from delvecore.readers.hierarchy import find_directories
from delvecore.readers.labels import place_of
from delvecore.readers.regular_files import enclosing_directory, is_delve_directory
from delvecore.readers.tar_archives import identity_of, local_path
from delvecore.score_tables.files import tables_below
from delvecore.score_tables.options import ScoreOptions, rows_where
from delvecore.score_tables.score_file import Reading, ScoreFile
from delvecore.tables import SCHEMAS, Tables, values_in


def sources_of(paths: Sequence[str | os.PathLike[str]]) -> tuple[list[str], list[str]]:
    """Split paths into delve directories, in order of precedence, and files of scores. A directory of score
    files counts as one file. Raises DelveError for any other path."""
    given = [os.path.abspath(local_path(os.fspath(path), anew=True)) for path in paths]
    files = [path for path in dict.fromkeys(given) if holds_scores(path)]
    return find_directories(path for path in given if path not in files), files


def holds_scores(path: str) -> bool:
    """Is this a file, or a directory of files of scores outside any delve directory?"""
    if os.path.isfile(path):
        return True
    full = os.path.abspath(path)
    is_place = full == os.path.dirname(full) or enclosing_directory(full) is not None
    if not os.path.isdir(path) or is_place:
        return False
    try:
        inside = [entry.path for entry in os.scandir(path)]
    except OSError:  # reported by find_directories
        return False
    return not any(map(is_delve_directory, inside)) and any(tables_below(path))


def scores_state(files: Sequence[str], options: ScoreOptions | None) -> str:
    """Return a hash of names, sizes, times and options of files. Raises DelveError if one no longer
    exists."""
    parts = [repr(options), *(f"{path}\0{identity}" for path, identity in _identities(files))]
    return hash_of(parts)


def _identities(files: Sequence[str]) -> Iterator[tuple[str, object]]:
    for path in files:
        try:
            inside = sorted(tables_below(path)) if os.path.isdir(path) else [path]
            for one in inside:
                yield one, identity_of(os.stat(one))
        except OSError as error:
            raise Fault(path, "a readable file of scores", words_of_system(error)) from None


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST_FACTORS, LEAST_FILLED = 4, 0.5


def array_of(
    name: str, places: Mapping[str, Task], factors: Mapping[str, Mapping[str, str]]
) -> TaskArray | None:
    """Return the task-array that datasets form.

    None if they differ in fewer than two factors or more than four, if they fill at most half of the grid, or
    if two of them share a cell. `places` has dataset and prototask by the name in the table. `factors` is
    {dataset: {factor: level}} with the same factors for each.
    """
    rows = [factors[label] for label in places if label in factors]
    levels = {
        factor: _in_order(dict.fromkeys(row[factor] for row in rows)) for factor in (rows[0] if rows else ())
    }
    chosen = [factor for factor, factor_levels in levels.items() if len(factor_levels) > 1]
    if not _is_designed(rows):
        return None
    members = {
        Member(*place[:3], tuple(factors[label][factor] for factor in chosen))
        for label, place in places.items()
        if label in factors
    }
    cells = {member.levels for member in members}
    if len(cells) < len(members):
        return None
    axes = tuple(Factor(factor, tuple(Level(one, one) for one in levels[factor])) for factor in chosen)
    return TaskArray(name, f"{' x '.join(chosen)} of {name}", axes, tuple(sorted(members)))


def named_factors(labels: list[str]) -> Mapping[str, Mapping[str, str]]:
    """Return {dataset: {factor: level}} for names such as `8-low` with the same number of parts; empty for
    other names."""
    for separator in ("-", "_", "/", " ", "."):
        parts = [label.split(separator) for label in labels]
        if len({len(one) for one in parts}) == 1 and len(parts[0]) > 1:
            factors = {
                label: {f"part {number}": part for number, part in enumerate(one, 1)}
                for label, one in zip(labels, parts, strict=True)
            }
            if _is_designed(list(factors.values())):
                return factors
    return {}


def _is_designed(rows: Sequence[Mapping[str, str]]) -> bool:
    """Do these levels form a design: two to four factors, and more than half of the combinations?"""
    counts = [len({row[factor] for row in rows}) for factor in (rows[0] if rows else ())]
    varied = [count for count in counts if count > 1]
    combinations = {tuple(row.values()) for row in rows}
    return 2 <= len(varied) <= MOST_FACTORS and len(combinations) > max(2, LEAST_FILLED * prod(varied))


def _in_order(levels: Iterable[str]) -> list[str]:
    """Return levels sorted by the numbers in them; in order of appearance if some have none."""
    numbers = {level: [float(n) for n in _NUMBER.findall(level)] for level in levels}
    return sorted(numbers, key=numbers.__getitem__) if all(numbers.values()) else list(numbers)


TRIES, SETTLING = 10, 0.2
"""Number of times that changing files are read again, and the pause in seconds before each."""
FACTS = "facts"
STORED = {*SCHEMAS, FACTS}
FORM = format_hash(SCHEMAS, f"{__version__}, values as in the file")
"""Version of the cached data. It changes with the meaning of their numbers."""


class ScoreGroup(NamedTuple):
    """Files of scores that form one table.

    Attributes
    ----------
    files : tuple of str
        Paths of the files, or names of data in memory.
    state : str
        Key of the content: the same for the same content.
    tables : Tables
        Tables of `SCHEMAS`.
    families : mapping of str to str
        Families by dataset.
    notice : str or None
        Why the cache could not be used, or None.
    keep : tuple of str
        Names that are always kept, including methods with few runs.
    cases : mapping of str to CaseList
        Cases of tasks with a score for each test case, by path.
    measures : Measures
        Measures of the columns of scores.
    renamed : mapping of str to str
        Methods with another name in the archive that has the group.
    """

    files: tuple[str, ...]
    state: str
    tables: Tables
    readings: tuple[Reading, ...]
    arrays: tuple[TaskArray, ...]
    families: Mapping[str, str]
    notice: str | None = None
    keep: tuple[str, ...] = ()
    cases: Mapping[str, CaseList] = MappingProxyType({})
    measures: Measures = NO_MEASURES
    renamed: Mapping[str, str] = MappingProxyType({})


def options_where(
    options: ScoreOptions | None, where: Mapping[str, str | Sequence[str]] | None
) -> ScoreOptions | None:
    """Return options that read only rows with these texts in these columns."""
    if not where:
        return options
    known = options or ScoreOptions()
    return replace(known, where=(*known.where, *rows_where(where)))


def read_scores_of(
    files: Sequence[str],
    options: ScoreOptions | None,
    *,
    base: str | None,
    verify: bool = False,
    loss: str | None = None,
) -> ScoreGroup:
    """Return the scores of files, from the cache if possible.

    `base` is the cache directory, None for no cache. `verify` reads the files even if they are cached. `loss`
    is the only one that is needed, so that others may remain unread. Parts of files are not cached. Raises
    DelveError for a file that cannot be read, and UnknownDirection if nothing shows whether higher or lower
    is better.
    """
    tries = TRIES
    while True:
        state = scores_state(files, options)
        try:
            group = _scores_in(state, files, options, base=base, verify=verify, loss=loss)
            return group._replace(keep=options.keep) if options else group
        except DelveError:
            tries -= 1
            if not tries or scores_state(files, options) == state:
                raise
        time.sleep(SETTLING)


def _scores_in(
    state: str,
    files: Sequence[str],
    options: ScoreOptions | None,
    *,
    base: str | None,
    verify: bool,
    loss: str | None,
) -> ScoreGroup:
    """Return the scores of files in a state, as `read_scores_of` does."""
    read = functools.partial(_read, files, options, state)
    if base is None or (options and options.where):
        return _group(files, state, read())
    cache = Cache(base, ["scores", repr(options), *files], FORM, STORED)
    kept = None if verify else cache.load(state)
    if kept is not None:
        return _group(files, state, kept)
    some = _read_loss(files, options, loss) if loss else None
    if some is not None:
        return some
    tables = read()
    try:
        cache.store(state, tables)
    except OSError as error:
        notice = f"{cache.directory}: the cache cannot be written ({error.strerror}); reading again next time"
        return _group(files, state, tables)._replace(notice=notice)
    tables = cache.load(state) or tables  # mapped: the tables take no memory from here on
    pa.default_memory_pool().release_unused()
    return _group(files, state, tables)


def group_of(files: Sequence[ScoreFile]) -> ScoreGroup:
    """Return scores in memory as a group."""
    digest = hashlib.blake2b(digest_size=16)
    for file in files:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, file.rows.schema) as stream:
            stream.write_table(file.rows)
        digest.update(sink.getvalue())
    return _group([file.source for file in files], digest.hexdigest(), _tables(files))


def _read(files: Sequence[str], options: ScoreOptions | None, state: str) -> Tables:
    """Read files whose state is known. Raises Fault if the state has changed after reading."""
    from delvecore.score_tables.reading import read_scores

    tables = _tables(read_scores(path, options=options or ScoreOptions()) for path in files)
    if scores_state(files, options) != state:
        raise Fault(files[0], "a file that does not change while it is read", "that it changes", "try later")
    return tables


def _read_loss(files: Sequence[str], options: ScoreOptions | None, loss: str) -> ScoreGroup | None:
    """Return the scores under one loss; None if the file does not show which they are."""
    from delvecore.score_tables.formats import narrow_to_metric
    from delvecore.score_tables.table import NoRowsError

    some = narrow_to_metric(files[0], loss, options or ScoreOptions()) if len(files) == 1 else None
    if some is None:
        return None
    try:
        state = scores_state(files, some)
        return _group(files, state, _read(files, some, state))
    except NoRowsError:
        return None


def _tables(read: Iterable[ScoreFile]) -> Tables:
    tables, files, cases = score_tables(read)
    facts = json.dumps(_facts(files) | {"cases": cases})
    return {**tables, FACTS: pa.table({"json": pa.array([facts], pa.large_string())})}


def _facts(files: Sequence[ScoreFile]) -> dict[str, Any]:
    sizes = {name: size for file in files for name, size in file.sizes.items()}
    places: dict[str, Any] = {}
    factors: dict[str, Mapping[str, str]] = {}
    for file in files:
        labels = values_in(file.rows, "dataset")
        places |= {label: place_of(label, sizes.get(label, 0)) for label in labels}
        are_tasks = any(label.startswith("/") for label in labels)  # names, not factors, distinguish them
        factors |= file.factors or ({} if are_tasks else named_factors(labels))
    families = {name: family for file in files for name, family in file.families.items()}
    array = array_of("design", places, factors)
    return {
        "measures": [asdict(one) for one in measures_of(files).values()],
        "readings": [file.reading.as_dict() for file in files],
        "arrays": [] if array is None else [array[:4]],  # scores have no measures
        "families": {places[name].dataset: family for name, family in families.items() if name in places},
    }


def _group(files: Sequence[str], state: str, tables: Tables) -> ScoreGroup:
    known = json.loads(tables[FACTS]["json"][0].as_py())
    readings = tuple(Reading.from_dict(one) for one in known["readings"])
    arrays = tuple(_array(*one) for one in known["arrays"])
    cases = {path: CaseList(tuple(names), tuple(groups)) for path, (names, groups) in known["cases"].items()}
    measures = {one["key"]: Measure(**one) for one in known["measures"]}
    return ScoreGroup(
        tuple(files), state, tables, readings, arrays, known["families"], cases=cases, measures=measures
    )


def _array(name: str, title: str, factors: list[Any], members: list[Any], *_measures: object) -> TaskArray:
    axes = (Factor(factor, tuple(Level(*level) for level in levels)) for factor, levels in factors)
    cells = (Member(dataset, task, prior, tuple(levels)) for dataset, task, prior, levels in members)
    return TaskArray(name, title, tuple(axes), tuple(cells))
