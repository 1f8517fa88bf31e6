"""Parquet and Arrow files, one or a dataset of many, partitioned or not: only what is needed of them is read.

Schemas and statistics come first: files, row groups and columns that cannot matter are left alone; the others
are read a batch at a time."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import and_, or_

import pyarrow as pa
import pyarrow.dataset as ds

from delvecore.errors import ParseError
from delvecore.readers.scores import words
from delvecore.readers.scores.batches.asked import no_rows
from delvecore.readers.scores.batches.gathering import gathered
from delvecore.readers.scores.columns import Column, Sheet, checked_names
from delvecore.readers.scores.records import ScoreOptions, Where
from delvecore.readers.scores.roles import metric_column
from delvecore.readers.scores.sources.finding import known_source

__all__ = ["Stored", "narrowed", "sheet_of_dataset", "stored_files", "stored_in"]

BATCH, AHEAD = 1 << 17, 2
"""Rows of a batch, and batches that are read before they are asked for."""
SAMPLE = 2000
FEW = 20
"""Values that are compared one by one, so that statistics of row groups tell which have none of them."""


@dataclass(frozen=True, eq=False)
class Stored:
    """A dataset of files as it lies there. files: those of its fragments, none for one in memory."""

    dataset: ds.FileSystemDataset
    is_parquet: bool

    @cached_property
    def columns(self) -> dict[str, ds.Expression]:
        """Its columns by name, those of records one each; without lists, and the numbers of rows that pandas
        writes with it."""
        return dict(_columns(self.dataset.schema, ()))

    def fragments(self, where: ds.Expression | None = None) -> list[ds.FileFragment]:
        """Return the files, or their row groups, that may hold rows of these."""
        found = list(self.dataset.get_fragments(filter=where))
        if where is None or not self.is_parquet:
            return found
        parts = [part.subset(filter=where, schema=self.dataset.schema) for part in found]
        return [part for part in parts if part.row_groups]

    def scanned(self, where: ds.Expression | None) -> ds.FileSystemDataset:
        """Return what may hold these rows, with texts of Parquet as codes."""
        schema = self.dataset.schema
        fragments = self.fragments(where)
        if not self.is_parquet:
            return ds.FileSystemDataset(fragments, schema, self.dataset.format)
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        coded = ds.ParquetFileFormat(dictionary_columns=texts)
        parts = [_as(coded, part, is_some=where is not None) for part in fragments]
        return ds.FileSystemDataset(parts, _coded(schema), coded)


def _as(coded: ds.ParquetFileFormat, part: ds.ParquetFileFragment, *, is_some: bool) -> ds.FileFragment:
    groups = [group.id for group in part.row_groups] if is_some else None
    place = (part.path, part.filesystem) if part.buffer is None else (part.buffer,)
    return coded.make_fragment(*place, partition_expression=part.partition_expression, row_groups=groups)


def _coded(schema: pa.Schema) -> pa.Schema:
    kinds = [pa.dictionary(pa.int32(), kind) if pa.types.is_string(kind) else kind for kind in schema.types]
    return pa.schema(list(zip(schema.names, kinds, strict=True)))


def _columns(
    schema: pa.Schema | pa.StructType, above: tuple[str, ...]
) -> Iterator[tuple[str, ds.Expression]]:
    for field in schema:
        place = (*above, field.name)
        if pa.types.is_struct(field.type):
            yield from _columns(field.type, place)
        elif not pa.types.is_nested(field.type) and not re.fullmatch(r"__index_level_\d+__", field.name):
            yield ".".join(place), ds.field(*place)


def stored_in(data: pa.Buffer, kind: str) -> Stored:
    """Return a file that is at hand as a dataset. kind: `Parquet` or `Arrow`."""
    form = ds.ParquetFileFormat() if kind == "Parquet" else ds.IpcFileFormat()
    fragment = form.make_fragment(data)
    schema = fragment.physical_schema
    return Stored(ds.FileSystemDataset([fragment], schema, form), kind == "Parquet")


def stored_files(paths: Sequence[str], directory: str, kind: str) -> Stored | None:
    """Return files of a directory as one dataset, whose partitions may be told by names such as `method=a`;
    None where they are no such dataset: of several schemas, or without methods and datasets. kind: see
    `stored_in`."""
    is_parquet = kind == "Parquet"
    keys = ds.HivePartitioning.discover(infer_dictionary=True)
    try:
        dataset = ds.dataset(
            list(paths),
            format=ds.ParquetFileFormat() if is_parquet else ds.IpcFileFormat(),
            partitioning=keys,
            partition_base_dir=directory,
        )
        first, *others = (fragment.physical_schema for fragment in dataset.get_fragments())
    except (pa.ArrowException, OSError):
        return None  # told by each file
    names = [field.name for field in dataset.schema if not pa.types.is_floating(field.type)]
    known = [
        any(words.found_in(name, one) is not None for name in names)
        for one in (words.METHODS, words.DATASETS)
    ]
    return Stored(dataset, is_parquet) if all(known) and all(map(first.equals, others)) else None


def sheet_of_dataset(stored: Stored, source: str, options: ScoreOptions) -> Sheet:
    """Return what is needed of a dataset. ParseError where there is no table in it, or nothing that is asked
    for."""
    checked_names(list(stored.columns), source, None)
    if not stored.columns:
        expected, remedy = "columns of numbers and texts", "write one record a run"
        raise ParseError(source, None, expected, "nested ones only", remedy)
    sample = _sample(stored, source)
    if not sample.rows:
        raise ParseError(source, None, "rows of scores", "an empty table", "export it anew")
    where = _expression(stored, sample, options.where)
    unread = [] if known_source(sample) else _unneeded(sample, options)
    taken = {name: column for name, column in stored.columns.items() if name not in unread}
    scanned = stored.scanned(where)
    scanner = scanned.scanner(
        columns=taken, filter=where, batch_size=BATCH, batch_readahead=AHEAD, fragment_readahead=1
    )
    counts: Counter[str] = Counter()
    batches = _counted(scanner, counts)
    columns = gathered(batches, scanner.projected_schema, rows=scanned.count_rows())
    if not len(columns[0]):
        raise no_rows(sample, options.where)
    parts = () if len(counts) < 2 else tuple(counts.items())
    line_of = _no_line
    return Sheet(source, tuple(columns), line_of, rows_named=True, parts=parts, unread=tuple(unread))


def narrowed(stored: Stored, source: str, metric: str, options: ScoreOptions) -> ScoreOptions | None:
    """Return the options by which only the scores of one metric are read, None where names of columns do not
    say which they are."""
    sample = _sample(stored, source)
    if not sample.rows or known_source(sample):
        return None
    said = [sample.column(options.metric)] if options.metric and sample.has(options.metric) else []
    column = said[0] if said else metric_column(sample.columns)
    if column is not None:
        where = (*options.where, (column.name, (metric,)))
        return replace(options, metric=column.name, where=where)
    is_value = not options.value and metric in stored.columns and words.is_metric(metric)
    return replace(options, value=(metric,)) if is_value else None


def _no_line(row: int) -> None:
    return None


def _counted(scanner: ds.Scanner, counts: Counter[str]) -> Iterator[pa.RecordBatch]:
    """Yield batches, and note how many rows there are of each file."""
    for tagged in scanner.scan_batches():
        counts[tagged.fragment.path] += tagged.record_batch.num_rows
        yield tagged.record_batch


def _sample(stored: Stored, source: str) -> Sheet:
    """Return the first rows, or none if there are none."""
    head = stored.dataset.scanner(columns=stored.columns, batch_size=SAMPLE, batch_readahead=1).head(SAMPLE)
    columns = [Column(name, array) for name, array in zip(head.column_names, head.columns, strict=True)]
    return Sheet(source, tuple(columns), _no_line, rows_named=True)


def _unneeded(sample: Sheet, options: ScoreOptions) -> list[str]:
    """Return the columns of other metrics than the ones that are asked for."""
    if not options.value:
        return []
    said = [*options.value, *options.fold, *(name for name, _ in options.where)]
    said += [name for name in (options.metric, options.dataset, options.method) if name]
    wanted = {sample.column(part).name for name in said for part in _parts(sample, name)}
    lists = (words.SECONDS, words.MEGABYTES, words.SIZES, words.INSTANCES, words.VALUES)
    others = [
        one for one in sample.columns if one.name not in wanted and pa.types.is_floating(one.array.type)
    ]
    return [
        one.name
        for one in others
        if words.is_metric(one.name) and all(words.found_in(one.name, names) is None for names in lists)
    ]


def _parts(sample: Sheet, name: str) -> list[str]:
    """Return the columns of this name, or whose names are joined by `+`; none for the name of a metric."""
    return [part for part in ([name] if sample.has(name) else name.split("+")) if sample.has(part)]


def _expression(stored: Stored, sample: Sheet, where: Where) -> ds.Expression | None:
    """Return what is asked for as a filter. ParseError for a column that is not there."""
    parts = [_is_one_of(stored, sample.column(name), values, sample) for name, values in where]
    return reduce(and_, parts) if parts else None


def _is_one_of(stored: Stored, column: Column, values: Sequence[str], sample: Sheet) -> ds.Expression:
    kind = column.array.type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    try:
        known = pa.array(values, pa.string()).cast(kind)
    except pa.ArrowException:
        raise no_rows(sample, ((column.name, tuple(values)),)) from None
    field = stored.columns[column.name]
    if len(known) > FEW:
        return field.isin(known)
    return reduce(or_, [field == value for value in known])
