"""Parquet and Arrow files, one or many, of which only the rows and columns that are asked for are read."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.feather

from delvecore.errors import ParseError
from delvecore.remote.stores import contents_of
from delvecore.score_tables.directories import columnar_kind, tables_in
from delvecore.score_tables.names import INSTANCES, MEGABYTES, SECONDS, SIZES, VALUES, is_called, is_metric
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.roles import metric_column
from delvecore.score_tables.score_file import Omission
from delvecore.score_tables.sources.programs import known_source
from delvecore.score_tables.table import Table, frame_table, no_rows

SAMPLE = 2000
_FORMATS = {"Parquet": ds.ParquetFileFormat(), "Arrow": ds.IpcFileFormat()}


def read_columns(data: bytes, kind: str, source: str, file: str, options: ScoreOptions) -> Table:
    """The table in the bytes of a Parquet, Arrow or Feather file, or an Arrow stream. ParseError."""
    with _damage_told(source, kind):
        if kind in _FORMATS:
            fragment = _FORMATS[kind].make_fragment(pa.py_buffer(data))
            dataset = ds.FileSystemDataset([fragment], fragment.physical_schema, _FORMATS[kind])
        elif kind == "Arrow stream":
            dataset = ds.dataset(pa.ipc.open_stream(data).read_all())
        else:
            dataset = ds.dataset(pa.feather.read_table(pa.BufferReader(data)))
        return _read(dataset, source, file, options)


def read_columnar(paths: Sequence[str], directory: str, options: ScoreOptions, *, kind: str) -> Table | None:
    """Parquet or Arrow files of a directory as one table, whose partitions may stand in the names of folders;
    None where they have several schemas."""
    keys = ds.HivePartitioning.discover(infer_dictionary=True)
    with _damage_told(directory, kind):
        files = contents_of(paths)
        base = files[0].removesuffix(os.path.relpath(paths[0], directory))
        dataset = ds.dataset(files, format=_FORMATS[kind], partitioning=keys, partition_base_dir=base)
        fragments = list(dataset.get_fragments())
        if not all(fragments[0].physical_schema.equals(fragment.physical_schema) for fragment in fragments):
            return None
        table = _read(dataset, directory, "", options)
        if options.where:
            return table
        names = [os.path.join(directory, os.path.relpath(fragment.path, base)) for fragment in fragments]
        counts = [fragment.count_rows() for fragment in fragments]
        return replace(table, parts=tuple(zip(names, counts, strict=True)))


def narrow_to_metric(path: str, metric: str, options: ScoreOptions) -> ScoreOptions | None:
    """The options by which only the scores of one metric are read of Parquet or Arrow files; None where names
    of columns do not say which they are."""
    paths = tables_in(path) if os.path.isdir(path) else [path]
    kind = columnar_kind(paths)
    if kind is None or options.value:
        return None
    try:
        dataset = ds.dataset(contents_of(paths), format=_FORMATS[kind])
        columns = _columns(dataset.schema)
        sample = frame_table(_pandas_of(dataset.scanner(columns=columns).head(SAMPLE)), path, "")
    except (pa.ArrowException, OSError, ParseError):
        return None  # told where it is read
    if known_source(sample.frame) is not None:
        return None
    is_said = options.metric is not None and sample.has(options.metric)
    column = sample.column(options.metric or "") if is_said else metric_column(sample.columns)
    if column is not None:
        return replace(options, metric=column.name, where=(*options.where, (column.name, (metric,))))
    return replace(options, value=(metric,)) if metric in columns and is_metric(metric) else None


@contextmanager
def _damage_told(source: str, kind: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        found = str(error).split("\n")[0]
        raise ParseError(source, None, f"a whole {kind} file", found, "write it again") from None


def _read(dataset: ds.Dataset, source: str, file: str, options: ScoreOptions) -> Table:
    columns = _columns(dataset.schema)
    sample = dataset.scanner(columns=columns, batch_size=SAMPLE, batch_readahead=1).head(SAMPLE)
    unread = _unneeded(sample.schema, options)
    taken = {name: column for name, column in columns.items() if name not in unread}
    where = None
    for name, texts in options.where:
        first = frame_table(_pandas_of(sample), source, "")
        known = first.column(name).name
        kind = sample.schema.field(known).type
        try:
            values = pa.array(texts, pa.string()).cast(getattr(kind, "value_type", kind))
        except pa.ArrowException:
            raise no_rows(first, ((name, texts),)) from None
        rows = columns[known].isin(values)
        where = rows if where is None else where & rows
    table = dataset.to_table(columns=taken, filter=where)
    if where is not None and not table.num_rows:
        raise no_rows(frame_table(_pandas_of(sample), source, ""), options.where)
    out = Omission.of("column", unread, "not asked for", option="value")
    if where is not None:
        unasked = dataset.count_rows() - table.num_rows
        out += Omission.of("row", (), "not asked for", count=unasked, option="where")
    found = frame_table(_pandas_of(table), source, file)
    return replace(found, omissions=out + found.omissions)


def _columns(schema: pa.Schema | pa.StructType, *above: str) -> dict[str, ds.Expression]:
    """Columns by name, those of records one each; without lists, and without the index of pandas."""
    found: dict[str, ds.Expression] = {}
    for field in schema:
        if pa.types.is_struct(field.type):
            found |= _columns(field.type, *above, field.name)
        elif not pa.types.is_nested(field.type) and not re.fullmatch(r"__index_level_\d+__", field.name):
            found[".".join((*above, field.name))] = ds.field(*above, field.name)
    return found


def _unneeded(schema: pa.Schema, options: ScoreOptions) -> list[str]:
    """Columns of other metrics than the ones that are asked for."""
    if not options.value:
        return []
    roles = (options.dataset, options.method, options.metric, options.case, options.group)
    said = (*filter(None, roles), *options.value, *options.fold, *(name for name, _ in options.where))
    wanted = {part.lower() for name in said for part in (name, *name.split("+"))}
    lists = (SECONDS, MEGABYTES, SIZES, INSTANCES, VALUES)
    metrics = [one.name for one in schema if pa.types.is_floating(one.type) and is_metric(one.name)]
    return [name for name in metrics if name.lower() not in wanted and not is_called(name, *lists)]


def _pandas_of(table: pa.Table) -> pd.DataFrame:
    """A frame whose texts are categories."""
    texts = [field.name for field in table.schema if pa.types.is_string(field.type)]
    return table.to_pandas(
        ignore_metadata=True, split_blocks=True, self_destruct=len(table) > SAMPLE, categories=texts
    )
