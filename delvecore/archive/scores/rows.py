"""Scores in the order of an archive's losses, by the numbers of their names, and large tables of them."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive.scores.codes import Codes, looked_up, narrow, used_codes
from delvecore.losses.metrics import Metric
from delvecore.readers.labels import ScorePlace
from delvecore.stats.kinds import Floats, Whole
from delvecore.tables import SCHEMAS

__all__ = [
    "Known",
    "Names",
    "Scores",
    "cost_table",
    "loss_table",
    "losses_of",
    "named_column",
    "natural",
    "numbers_of",
]
__all__ += ["sorted_scores"]

_DIGITS = re.compile(r"\d+")


class Names(NamedTuple):
    """A column of names: the number of each row's name, and the names, in the order of the archive."""

    codes: Whole
    names: Sequence[str]


class Scores(NamedTuple):
    """The scores in the order of an archive's losses, by the numbers of their names. values: losses; spreads:
    not a number where there is none."""

    place: Whole
    loss: Whole
    method: Whole
    instance: Whole
    values: Floats
    spreads: Floats


class Known(NamedTuple):
    """What the numbers of names stand for. labels: of the places, as the tables name them."""

    places: Sequence[ScorePlace]
    losses: Sequence[str]
    methods: Sequence[str]
    labels: Sequence[str]


def named_column(column: pa.ChunkedArray, *, order: Callable[[str], Any] = str) -> Names:
    array = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    found = used_codes(Codes(array.indices.to_numpy(), tuple(array.dictionary.to_pylist())))
    names = sorted(found.levels, key=order)
    numbers = {name: number for number, name in enumerate(names)}
    of_code = np.array([numbers[word] for word in found.levels], dtype=narrow(len(names)))
    return Names(looked_up(of_code, found.places), names)


def natural(label: str) -> tuple[list[int], str]:
    """Return a key by which `fold 10` comes behind `fold 9`."""
    return [int(number) for number in _DIGITS.findall(label)], label


def numbers_of(column: pa.ChunkedArray) -> Floats:
    """Return a column of numbers, not a number for null."""
    return np.array(column.to_numpy(), dtype=float)


def losses_of(rows: pa.Table, measured: Names, metrics: Mapping[str, Metric]) -> Floats:
    values = numbers_of(rows["value"])
    known = [metrics[name] for name in measured.names]
    best, higher = (
        np.array([one.best or 0.0 for one in known]),
        np.array([one.higher_is_better for one in known]),
    )
    np.subtract(best[measured.codes], values, out=values, where=higher[measured.codes])
    return values


def sorted_scores(columns: Sequence[Whole], values: Floats, spreads: Floats) -> tuple[Scores, int]:
    """Return the scores that have a value in order, each once, and how many others were left out."""
    rows = np.flatnonzero(~np.isnan(values))
    key = _key(columns)[rows]
    if not (key[1:] > key[:-1]).all():
        order = np.argsort(key, kind="stable")
        rows, key = rows[order], key[order]
    first = np.ones(len(rows), dtype=bool)
    np.not_equal(key[1:], key[:-1], out=first[1:])
    rows = rows[first]
    place, loss, method, instance = (column[rows] for column in columns)
    found = Scores(place, loss, method, instance, values=values[rows], spreads=spreads[rows])
    return found, int((~first).sum())


def _key(columns: Sequence[Whole]) -> Whole:
    """Return one number a row, in whose order rows lie by the columns, the first one first."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        key *= int(column.max(initial=0)) + 1
        key += column
    return key


def _named(codes: Whole, names: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names, pa.string()))


def _places(codes: Whole, places: Sequence[ScorePlace]) -> dict[str, pa.Array]:
    found: dict[str, pa.Array] = {}
    for column in ("dataset", "prototask", "task", "prior"):
        words = [getattr(place, column) for place in places]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(words))}
        of_place = np.array([numbers[word] for word in words], dtype=narrow(len(numbers)))
        found[column] = _named(looked_up(of_place, codes), list(numbers))
    sizes = [place.training_size for place in places]
    of_place = np.array(sizes, dtype=narrow(max(sizes, default=0) + 1))
    return found | {"training_size": pa.array(looked_up(of_place, codes))}


def loss_table(scores: Scores, known: Known) -> pa.Table:
    """Return the losses, names as dictionaries and whole numbers as small ones."""
    columns = _places(scores.place, known.places)
    columns |= {"method": _named(scores.method, known.methods), "loss": _named(scores.loss, known.losses)}
    columns["instance"] = pa.array(scores.instance)
    each = pa.array(np.arange(len(scores.values) + 1, dtype=np.int32))
    columns["values"] = pa.ListArray.from_arrays(each, pa.array(scores.values))
    return pa.table({name: columns[name] for name in SCHEMAS["losses"].names})


def cost_table(rows: pa.Table, columns: Sequence[Whole], known: Known) -> pa.Table:
    """Return the costs of each instance, of the first of its metrics that has them."""
    if rows["seconds"].null_count == len(rows):
        return SCHEMAS["costs"].empty_table()
    seconds, megabytes = numbers_of(rows["seconds"]), numbers_of(rows["megabytes"])
    place, _, method, instance = columns
    some = np.flatnonzero(~np.isnan(seconds))
    key = _key((method, place, instance))[some]
    some = some[np.unique(key, return_index=True)[1]]
    found = _places(place[some], known.places) | {"method": _named(method[some], known.methods)}
    found["instance"] = pa.array(instance[some].astype(np.int64))
    found["seconds"] = pa.array(seconds[some])
    found["megabytes"] = pa.array(megabytes[some], from_pandas=True)
    return pa.table({name: found[name] for name in SCHEMAS["costs"].names}).cast(SCHEMAS["costs"])
