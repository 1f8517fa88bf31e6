"""Tables that benchmarks and archives of results publish.

Each function returns the table with its mapping, or None for a table that is not of it."""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from delvecore.losses.metrics import Metric
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.melting import melted
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.sources.known import Known, Names, are_there, first_of, scored
from delvecore.readers.scores.words import words_of

__all__ = ["automl_benchmark", "iohprofiler", "openml", "resamples", "tabarena", "tabzilla"]


def automl_benchmark(sheet: Sheet, names: Names) -> Known | None:
    if not are_there(names, "id task framework fold result"):
        return None
    values = scored(sheet)
    metrics = {}
    if "metric" in names:  # then losses in `result` have their signs turned
        values = (names["result"], *values)
        metrics = {names["result"]: Metric(names["result"], True)}
    options = ScoreOptions(dataset=names["task"], method=names["framework"], value=values)
    return Known("AutoML benchmark", sheet, options, metrics, plain=True)


def tabarena(sheet: Sheet, names: Names) -> Known | None:
    if not are_there(names, "dataset method fold metricerror"):
        return None
    error = names["metricerror"]
    options = ScoreOptions(dataset=names["dataset"], method=names["method"], value=(error,))
    return Known("TabArena", sheet, options, {error: Metric(error, False, 0.0)}, plain=True)


def openml(sheet: Sheet, names: Names) -> Known | None:
    data = next((names[name] for name in ("dataname", "dataid", "taskid") if name in names), None)
    method = next((names[name] for name in ("flowname", "flowid") if name in names), None)
    if data is None or method is None or not are_there(names, "function value"):
        return None
    options = ScoreOptions(dataset=data, method=method, metric=names["function"], value=(names["value"],))
    return Known("OpenML evaluations", sheet, options)


def iohprofiler(sheet: Sheet, names: Names) -> Known | None:
    function, method = (
        first_of(names, "funcid funcname functionid"),
        first_of(names, "algid algorithmid algname id"),
    )
    if not function or not method or "dim" not in names:
        return None
    parts = [*function, names["dim"], *(names[name] for name in ("target", "budget") if name in names)]
    value = first_of(names, "ert runtime mean" if "target" in names else "ert runtime")
    metrics = {name: Metric(name, False, 0.0) for name in value}
    options = ScoreOptions(dataset="+".join(parts), method=method[0], value=value)
    return Known("IOHprofiler", sheet, options, metrics, plain=bool(value))


def tabzilla(sheet: Sheet, names: Names) -> Known | None:
    if not are_there(names, "datasetfoldid datasetname algname"):
        return None
    codes = sheet.column(names["datasetfoldid"]).codes
    folds = [level.rpartition("_fold_")[2] for level in codes.levels]
    array = pa.DictionaryArray.from_arrays(pa.array(codes.places, mask=codes.places < 0), pa.array(folds))
    sheet = replace(sheet, columns=(*sheet.columns, Column("fold", array)))
    values = tuple(one for one in scored(sheet) if one.endswith("__test") and "time" not in words_of(one))
    options = ScoreOptions(
        dataset=names["datasetname"], method=names["algname"], fold=("fold",), value=values
    )
    return Known("TabZilla", sheet, options, plain=True)


def resamples(sheet: Sheet, names: Names) -> Known | None:
    """Results of the UEA and UCR archives: a file a method, a column a resample."""
    first, *rest = sheet.columns
    counted = [int(column.name) for column in rest if column.name.isdecimal()]
    if len(counted) < max(len(rest), 2) or counted not in (_from(0, counted), _from(1, counted)):
        return None
    if first.kind != "text":
        return None
    kind = "seed" if "seed" in first.name.lower() else "resample"
    groups = {column.name: {"score": column} for column in rest}
    long = melted(sheet, [Column("dataset", first.array)], groups, kind)
    return Known("UEA and UCR archives", long, ScoreOptions(dataset="dataset", value=("score",)), plain=True)


def _from(start: int, numbers: Sequence[int]) -> list[int]:
    return list(range(start, start + len(numbers)))
