"""The cases of a dataset or prototask as one table, with the instances of a task, and as a file."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.feather as feather
import pyarrow.parquet as pq

from delvecore.encoding.instances import Instance
from delvecore.encoding.prototask_cases import case_table, find_case_file, prototask_cases
from delvecore.encoding.task_instances import task_instances
from delvecore.errors import Fault
from delvecore.importers.proben1 import LAYOUT, PREFIX, Layout, Row
from delvecore.model import Attribute
from delvecore.number_format.columns import translated
from delvecore.readers.cases import Column, read_case_file
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.specifications import (
    check_size,
    dataset_names,
    named_task,
    prior_names,
    prototask_names,
    read_dataset,
    read_prior,
    read_prototask,
)

FORMATS = ("csv", "parquet", "arff", "frame")
"""Format names. `frame` is a Feather file, for `pandas.read_feather`."""
TRAINING, TEST, VALIDATION = "train", "test", "validation"
QUOTED = frozenset(" \t,{}%'\"\\?")
"""Characters that require quotes around a word of an ARFF file."""


def export_table(hierarchy: Hierarchy, names: Sequence[str], *, task: str | None = None) -> pa.Table:
    """Return the cases of a dataset, or of a prototask in its order, with a column per attribute.

    names: the dataset's, and optionally the prototask's; task: a task's name such as `std.128`, for one
    further column `instance_N` per instance. This column marks cases as `train` (`train*2` if drawn twice,
    `train test` for both uses), `validation` and `test`. Missing values are null, and categories are
    dictionaries of all possible values. A column with censored values has text. Raises DelveError."""
    dataset = read_dataset(hierarchy, names[0])
    if len(names) == 1:
        if task is not None:
            raise Fault(
                f"--task {task}", "the path of a prototask", f"/{names[0]}", f"say /{names[0]}/PROTOTASK"
            )
        path = find_case_file(hierarchy, dataset.name)
        if path is None:
            remedy = f"export a prototask, such as /{dataset.name}/NAME"
            raise Fault(f"/{dataset.name}", "Dataset.data", "none", remedy)
        return case_table(dataset, read_case_file(path, dataset).columns, None)
    prototask = read_prototask(hierarchy, dataset, names[1])
    cases = prototask_cases(hierarchy, dataset, prototask)
    priors = prior_names(hierarchy, *names)
    prior = read_prior(hierarchy, dataset, prototask, priors[0]) if priors else None
    table = case_table(dataset, {number: cases.columns[number] for number in prototask.used}, prior)
    if task is None:
        return table
    named = named_task(names[0], names[1], task)
    check_size(hierarchy, prototask, named)
    for instance in task_instances(hierarchy, cases, named):
        table = table.append_column(f"instance_{instance.number}", _uses(instance, cases.count))
    return table


def _uses(instance: Instance, count: int) -> pa.Array:
    """Return the use of each case in an instance, such as `train*2` or `train test`; null if unused."""
    times = np.bincount(instance.training, minlength=count)
    uses = np.full(count, -1, dtype=np.int32)
    names = [TRAINING, TEST, *([VALIDATION] if len(instance.validation) else [])]
    uses[instance.training], uses[instance.test], uses[instance.validation] = 0, 1, 2
    for many in sorted(set(times[times > 1].tolist())):
        uses[(times == many) & (uses == 0)] = len(names)
        names.append(f"{TRAINING}*{many}")
    both = (times > 0) & (uses == 1)
    if both.any():
        uses[both] = len(names)
        names.append(f"{TRAINING} {TEST}")
    return pa.DictionaryArray.from_arrays(pa.array(uses, mask=uses < 0), names)


def export_bytes(table: pa.Table, form: str, *, name: str) -> Iterator[bytes]:
    """Yield the content of a file in one of FORMATS. name: the name of the relation in an ARFF file."""
    sink = pa.BufferOutputStream()
    if form == "arff":
        yield from _arff(table, name)
        return
    if form == "csv":
        options = arrow_csv.WriteOptions(quoting_style="needed")
        arrow_csv.write_csv(_words_of(table), sink, options)
    elif form == "parquet":
        pq.write_table(table, sink)
    else:
        feather.write_feather(table, sink)
    yield sink.getvalue().to_pybytes()


def _words_of(table: pa.Table) -> pa.Table:
    """Return a table with strings instead of dictionaries, which CSV files do not support."""
    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            words = table.column(place).cast(pa.string())
            table = table.set_column(place, field.name, words)
    return table


def _arff(table: pa.Table, name: str) -> Iterator[bytes]:
    """Yield an ARFF file. Source: the description of the format in the manual of Weka."""
    lines = [f"@relation {_quoted(name)}", ""]
    for field, column in zip(table.schema, table.columns, strict=True):
        lines.append(f"@attribute {_quoted(field.name)} {_kind(column)}")
    yield "\n".join([*lines, "", "@data", ""]).encode()
    for batch in _words_of(table).to_batches(max_chunksize=1 << 14):
        words = [_values(column) for column in batch.columns]
        joined = pc.binary_join_element_wise(*words, ",").to_pylist()
        yield ("\n".join(joined) + "\n").encode()


def _kind(column: pa.ChunkedArray) -> str:
    if pa.types.is_dictionary(column.type):
        values = column.chunk(0).dictionary.to_pylist() if column.num_chunks else []
        return "{" + ",".join(map(_quoted, values)) + "}"
    if pa.types.is_string(column.type):
        return "string"
    return "integer" if pa.types.is_integer(column.type) else "real"


def _values(column: pa.Array) -> pa.Array:
    """Return the words of a column for an ARFF file, with `?` for missing values."""
    if not pa.types.is_string(column.type):
        return pc.fill_null(column.cast(pa.string()), "?")
    return pc.fill_null(translated(column, _quoted, pa.string()), "?")


def _quoted(word: str) -> str:
    if word and not QUOTED.intersection(word):
        return word
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def export_examples(hierarchy: Hierarchy, stem: str) -> bytes:
    """Return the contents of the original data file `stem.dt`. Raises Fault if no dataset has it."""
    dataset_name = _dataset_with(hierarchy, stem)
    dataset = read_dataset(hierarchy, dataset_name)
    prototask = read_prototask(hierarchy, dataset, stem)
    path = hierarchy.find("data", dataset_name, stem, LAYOUT)
    if path is None:
        raise Fault(prototask.path, f"{LAYOUT}, which delve import proben1 writes", "none", "import it again")
    layout = Layout.restored(read_text(path), path)
    cases = prototask_cases(hierarchy, dataset, prototask)
    columns = [_coefficients(one, column) for one, column in cases.attribute_columns(prototask.used)]
    rows = (tuple(word for part in parts for word in part) for parts in zip(*columns, strict=True))
    return layout.text(rows).encode("latin-1")


def _coefficients(attribute: Attribute, column: Column) -> list[Row]:
    """Return the value of each case. A nominal attribute gives columns of ones and zeros."""
    values = attribute.range.categories
    if values is None or values[0] != "1":
        return [(word,) for word in column.words]
    codes = {value: tuple(str(int(value == other)) for other in values) for value in values}
    return [codes[word] for word in column.words]


def _dataset_with(hierarchy: Hierarchy, stem: str) -> str:
    datasets = [name for name in dataset_names(hierarchy) if name.startswith(PREFIX)]
    for name in datasets:
        if stem in prototask_names(hierarchy, name):
            return name
    actual = (
        ", ".join(one for name in datasets for one in prototask_names(hierarchy, name)) or "no such dataset"
    )
    raise Fault(stem, "the name of an imported file of PROBEN1, such as glass1", actual, "import it first")
