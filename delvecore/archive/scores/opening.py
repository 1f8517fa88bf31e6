"""Files of scores, read once and kept in the cache: their tables and how they were read."""

import functools
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from delvecore import __version__
from delvecore.archive.scores.building import score_tables
from delvecore.archive.scores.places import array_of, named_factors
from delvecore.archive.scores.sources import scores_state
from delvecore.archive.stored import LATE, Tables
from delvecore.cache import Cache, format_hash
from delvecore.checked_files import digest_of
from delvecore.readers.labels import place_of
from delvecore.score_tables.options import ScoreOptions, rows_where
from delvecore.score_tables.score_file import Reading, ScoreFile
from delvecore.tables import SCHEMAS
from delvecore.task_arrays import Factor, Level, Member, TaskArray

__all__ = ["ScoreGroup", "group_of", "options_where", "read_scores_of"]

FACTS = "facts"
STORED = {*SCHEMAS, FACTS}


class ScoreGroup(NamedTuple):
    """Files of scores that are one table. files: their paths, or names of what was in memory; state: the same
    for the same content; tables: those of `SCHEMAS`; families: by dataset; notice: why the cache could not
    be used, or None; keep: what is kept whatever speaks against it, methods with few runs among it."""

    files: tuple[str, ...]
    state: str
    tables: Tables
    readings: tuple[Reading, ...]
    arrays: tuple[TaskArray, ...]
    families: Mapping[str, str]
    notice: str | None = None
    keep: tuple[str, ...] = ()


def options_where(
    options: ScoreOptions | None, where: Mapping[str, str | Sequence[str]] | None
) -> ScoreOptions | None:
    """Return how files are read of which only some rows count. where: texts, by column."""
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
    """Return the scores of files, from the cache where they are there. base: the cache directory, None for no
    cache; verify: read them, whatever the cache holds; loss: the only one that is wanted, so that the others
    may be left unread. What is only a part of the files is not kept in the cache. Raises DelveError for a
    file that cannot be read, UnknownDirection where nothing says whether higher or lower is better."""
    found = _scores_of(files, options, base=base, verify=verify, loss=loss)
    return found._replace(keep=options.keep) if options else found


def _scores_of(
    files: Sequence[str], options: ScoreOptions | None, *, base: str | None, verify: bool, loss: str | None
) -> ScoreGroup:
    state = scores_state(files, options)
    read = functools.partial(_read, files, options)
    if base is None or (options and options.where):
        return _group(files, state, read())
    cache = Cache(base, ["scores", repr(options), *files], format_hash(SCHEMAS, __version__), STORED, LATE)
    kept = None if verify else cache.load(state, read)
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
    tables = cache.load(state, read) or tables  # mapped: what was read takes no memory from here on
    pa.default_memory_pool().release_unused()
    return _group(files, state, tables)


def group_of(files: Sequence[ScoreFile]) -> ScoreGroup:
    """Return scores in memory as a group."""
    digests = [digest_of(_stream(file.rows)) for file in files]
    state = hashlib.blake2b("".join(digests).encode(), digest_size=16).hexdigest()
    return _group([file.source for file in files], state, _tables(files))


def _stream(rows: pa.Table) -> pa.Buffer:
    """Return all of a table's content as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_table(rows)
    return sink.getvalue()


def _read(files: Sequence[str], options: ScoreOptions | None) -> Tables:
    from delvecore.score_tables.reading import read_scores

    return _tables(read_scores(path, options=options or ScoreOptions()) for path in files)


def _read_loss(files: Sequence[str], options: ScoreOptions | None, loss: str) -> ScoreGroup | None:
    """Return the scores under one loss, the only ones that are read; None where the file does not tell which
    they are before it is read."""
    from delvecore.score_tables.columnar import narrow_to_metric
    from delvecore.score_tables.table import NoRowsError

    some = narrow_to_metric(files[0], loss, options or ScoreOptions()) if len(files) == 1 else None
    if some is None:
        return None
    try:
        return _group(files, scores_state(files, some), _read(files, some))
    except NoRowsError:
        return None


def _tables(read: Iterable[ScoreFile]) -> Tables:
    tables, files = score_tables(read)
    told = json.dumps(_facts(files))
    return {**tables, FACTS: pa.table({"json": pa.array([told], pa.large_string())})}


def _facts(files: Sequence[ScoreFile]) -> dict[str, Any]:
    sizes = {name: size for file in files for name, size in file.sizes.items()}
    places: dict[str, Any] = {}
    factors: dict[str, Mapping[str, str]] = {}
    for file in files:
        labels = file.rows["dataset"].unique().to_pylist()
        places |= {label: place_of(label, sizes.get(label, 0)) for label in labels}
        are_tasks = any(label.startswith("/") for label in labels)  # whose names tell them apart, not factors
        factors |= file.factors or ({} if are_tasks else named_factors(labels))
    found = {name: family for file in files for name, family in file.families.items()}
    array = array_of("design", places, factors)
    return {
        "readings": [file.reading.as_dict() for file in files],
        "arrays": [] if array is None else [array[:4]],  # scores have no measures
        "families": {places[name].dataset: family for name, family in found.items() if name in places},
    }


def _group(files: Sequence[str], state: str, tables: Tables) -> ScoreGroup:
    known = json.loads(tables[FACTS]["json"][0].as_py())
    readings = tuple(Reading.from_dict(one) for one in known["readings"])
    arrays = tuple(_array(*one) for one in known["arrays"])
    families = known["families"]
    return ScoreGroup(tuple(files), state, tables, readings=readings, arrays=arrays, families=families)


def _array(name: str, title: str, factors: list[Any], members: list[Any], *_measures: object) -> TaskArray:
    axes = (Factor(factor, tuple(Level(*level) for level in levels)) for factor, levels in factors)
    cells = (Member(dataset, task, prior, tuple(levels)) for dataset, task, prior, levels in members)
    return TaskArray(name, title, tuple(axes), tuple(cells))
