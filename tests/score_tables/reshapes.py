"""Other ways to write a file of scores that change nothing of what it says.

`python -m tests.score_tables.reshapes` prints which formats are read, and which are asked about."""

import functools
import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from tests.score_tables.judging import Verdict, judged_reading
from tests.score_tables.real_formats import FORMATS, RealFormat, Sample, typed

__all__ = ["AS_WRITTEN", "COUNT", "RESHAPES", "format_table", "reshaped", "verdicts"]

AS_WRITTEN = "as written"
COUNT = 6
"""At least so many ways a format; where fewer apply, files with other numbers stand for the rest."""
SAME_CELLS = (
    *("byte-order mark", "UTF-16", "lines of Windows and blank lines at the end", "semicolons", "tabs"),
    *("every field quoted", "gzip"),
)
"""Ways with other bytes for the same cells, of which formats take turns: each has two."""
Reshape = Callable[[Sample, np.random.Generator], Sample | None]
RESHAPES: dict[str, Reshape] = {}


def reshape(title: str) -> Callable[[Reshape], Reshape]:
    """Register a way; it returns None where it does not apply."""

    def register(way: Reshape) -> Reshape:
        RESHAPES[title] = way
        return way

    return register


def reshaped(one: RealFormat) -> dict[str, Sample]:
    """Return the files that say what one of a format says, by the way in which they are written."""
    rng = np.random.default_rng(list(one.title.encode()))
    sample = one.sample()
    by_title = {title: way(sample) for title, way in PLAIN.items()}
    by_title |= {title: way(sample, rng) for title, way in RESHAPES.items()}
    made = {title: other for title, other in by_title.items() if other is not None}
    same_cells = [title for title in made if title in SAME_CELLS]
    first = list(FORMATS.values()).index(one)
    turns = {same_cells[(first + n) % len(same_cells)] for n in (0, 3) if same_cells}
    kept = {title: other for title, other in made.items() if title not in SAME_CELLS or title in turns}
    return kept | {f"other numbers, {n}": one.sample(n) for n in range(1, COUNT - len(kept) + 1)}


def _text(sample: Sample, change: Callable[[str], str | bytes]) -> Sample | None:
    """Return a sample whose text files are changed; None where one is binary."""
    files = sample.files if sample.table is None else {sample.name: sample.table.to_csv(index=False)}
    if any(isinstance(content, bytes) for content in files.values()):
        return None
    return replace(sample, table=None, files={name: change(str(text)) for name, text in files.items()})


def _renamed(sample: Sample, rename: Callable[[str], str]) -> Sample | None:
    """Return a sample whose columns have other names, but for those that name methods or datasets."""
    if sample.table is None:
        return None
    names = {
        str(name) for truth in sample.truths.values() for name in (*truth.values.index, *truth.values.columns)
    }
    columns = [
        name if any(one in name for one in names) or (sample.is_wide and place) else rename(name)
        for place, name in enumerate(sample.table.columns)
    ]
    if columns == sample.table.columns.tolist():
        return None
    return replace(sample, table=sample.table.set_axis(columns, axis=1), options=_of_options(sample, rename))


def _of_options(sample: Sample, rename: Callable[[str], str]) -> dict[str, Any]:
    """Return the options with the new names of the columns that they name."""
    return {
        name: tuple(map(rename, said)) if name == "value" else said for name, said in sample.options.items()
    }


@reshape("columns in another order")
def columns_reordered(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None:
        return None
    columns = sample.table.columns.tolist()
    kept = 1 if sample.is_wide or columns[0] == "" else 0
    order = [*columns[:kept], *rng.permutation(columns[kept:]).tolist()]
    return replace(sample, table=sample.table[order])


@reshape("rows in another order")
def rows_shuffled(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None:
        return None
    return replace(sample, table=sample.table.iloc[rng.permutation(len(sample.table))].reset_index(drop=True))


@reshape("further column that counts the rows")
def index_column(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None or "" in sample.table.columns:
        return None
    table = sample.table.copy()
    table.insert(0, "", [str(n) for n in range(len(table))])
    return replace(sample, table=table, is_wide=False)


@reshape("every field quoted")
def quoted(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None:
        return None
    text = sample.table.to_csv(index=False, quoting=1)
    return replace(sample, table=None, files={sample.name: text})


def _separated(sample: Sample, separator: str) -> Sample | None:
    if sample.table is None:
        return None
    return replace(sample, table=None, files={sample.name: sample.table.to_csv(index=False, sep=separator)})


PLAIN: dict[str, Callable[[Sample], Sample | None]] = {
    "header in upper case": lambda sample: _renamed(sample, str.upper),
    "header with blanks": lambda sample: _renamed(sample, lambda name: name.replace("_", " ")),
    "header with underscores": lambda sample: _renamed(
        sample, lambda name: name.replace(" ", "_").replace("-", "_")
    ),
    "byte-order mark": lambda sample: _text(sample, lambda text: b"\xef\xbb\xbf" + text.encode()),
    "UTF-16": lambda sample: _text(sample, lambda text: text.encode("utf-16")),
    "lines of Windows and blank lines at the end": lambda sample: _text(
        sample, lambda text: (text.rstrip("\n") + "\n\n").replace("\n", "\r\n")
    ),
    "semicolons": lambda sample: _separated(sample, ";"),
    "tabs": lambda sample: _separated(sample, "\t"),
}
"""Ways without chance."""


@reshape("empty fields as NA")
def marks(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None or not sample.table.eq("").any().any():
        return None
    return replace(sample, table=sample.table.replace("", "NA"))


@reshape("Parquet")
def parquet(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None:
        return None
    buffer = BytesIO()
    typed(sample.table).to_parquet(buffer)
    name = sample.name.rsplit(".", 1)[0] + ".parquet"
    return replace(sample, table=None, files={name: buffer.getvalue()})


@reshape("gzip")
def gzipped(sample: Sample, rng: np.random.Generator) -> Sample | None:
    files = dict(sample.files) if sample.table is None else {sample.name: sample.table.to_csv(index=False)}
    packed = {
        f"{name}.gz": gzip.compress(one if isinstance(one, bytes) else one.encode())
        for name, one in files.items()
    }
    return replace(sample, table=None, files=packed)


@reshape("turned")
def turned_table(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None or not sample.is_wide or not sample.truths:
        return None
    first = sample.table.columns[0]
    table = sample.table.set_index(first).T.reset_index(names="method")
    return replace(sample, table=table.rename_axis(columns=None), is_wide=False)


@reshape("JSON in one line with keys in another order")
def compact_json(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is not None or not all(name.endswith(".json") for name in sample.files):
        return None

    def backwards(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: backwards(one) for key, one in reversed(value.items())}
        return [backwards(one) for one in value] if isinstance(value, list) else value

    return _text(sample, lambda text: json.dumps(backwards(json.loads(text)), separators=(",", ":")))


@reshape("JSON in many lines")
def pretty_json(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is not None or not all(name.endswith(".json") for name in sample.files):
        return None
    return _text(sample, lambda text: json.dumps(json.loads(text), indent=4))


@reshape("JSON records")
def records(sample: Sample, rng: np.random.Generator) -> Sample | None:
    if sample.table is None or "" in sample.table.columns:
        return None
    table = pd.read_csv(StringIO(sample.table.to_csv(index=False)), dtype=str, keep_default_na=False)
    rows = typed(table).astype(object)
    text = json.dumps(rows.where(rows.notna(), None).to_dict(orient="records"))
    return replace(sample, table=None, files={sample.name.rsplit(".", 1)[0] + ".json": text})


@functools.cache
def verdicts(name: str) -> dict[str, Verdict]:
    """Return how files of a format are read, by the way in which they are written: each is read once."""
    samples = {AS_WRITTEN: FORMATS[name].sample(), **reshaped(FORMATS[name])}
    with TemporaryDirectory() as folder:
        return {
            title: judged_reading(sample.write(Path(folder, str(n))), sample.truths, **sample.options)
            for n, (title, sample) in enumerate(samples.items())
        }


def format_table() -> str:
    """Return the table of formats in Markdown: what is said, what is read, what is asked for."""
    lines = ["| file | options | as written | asked about in other shapes |", "|---|---|---|---|"]
    for name, one in FORMATS.items():
        others = dict(verdicts(name))
        first = others.pop(AS_WRITTEN)
        asked = [title for title, verdict in others.items() if verdict.outcome == "asked"]
        shapes = "none" if not asked else "all" if len(asked) == len(others) else ", ".join(asked)
        text = "read" if first.outcome == "right" else f"asks for {first.expected}"
        said = ", ".join(f"`{option}`" for option in one.sample().options) or "none"
        lines.append(f"| {one.title} | {said} | {text} | {shapes} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(format_table(), end="")
