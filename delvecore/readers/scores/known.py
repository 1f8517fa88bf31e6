"""Files of known programs and archives, by the names of their columns: what these hold, which way scores go.

Each is a function that returns the source with its mapping, or None for a table that is not of it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from delvecore.losses.metrics import Metric, known_metric
from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.melting import counted, melted
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.roles import labels, named, without
from delvecore.readers.scores.summaries import PARTS, is_summary

__all__ = ["Known", "known_source"]


@dataclass(frozen=True, eq=False)
class Known:
    """A table of a known source. sheet: as a long table; options: which column is what; metrics: of known
    direction, by name; plain: does no column name metrics?"""

    title: str
    sheet: Sheet
    options: ScoreOptions = field(default_factory=ScoreOptions)
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    plain: bool = False

    def completed(self, options: ScoreOptions) -> ScoreOptions:
        """Return what a user says, with what the source says where the user says nothing."""
        said = {name: value for name, value in vars(options).items() if value not in (None, ())}
        return replace(self.options, **said)


def known_source(sheet: Sheet) -> Known | None:
    """Return the table as one of a known source, None for any other one."""
    names = {words.folded(column.name): column.name for column in sheet.columns}
    return next((found for source in _SOURCES if (found := source(sheet, names)) is not None), None)


Names = Mapping[str, str]
"""Of columns, by what they are folded to."""


def _has(names: Names, wanted: str) -> bool:
    return set(wanted.split()) <= names.keys()


def _scored(sheet: Sheet) -> list[str]:
    """Return the names of the columns of known metrics."""
    costs = {id(one) for one in named(sheet.columns, words.SECONDS)}
    numbers = [one for one in sheet.columns if one.kind == "number" and id(one) not in costs]
    return [one.name for one in numbers if words.is_metric(one.name)]


def _automl_benchmark(sheet: Sheet, names: Names) -> Known | None:
    if not _has(names, "id task framework fold result"):
        return None
    values = _scored(sheet)
    metrics = {}
    if "metric" in names:  # then losses in `result` have their signs turned
        values = [names["result"], *values]
        metrics = {names["result"]: Metric(names["result"], True)}
    options = ScoreOptions(dataset=names["task"], method=names["framework"], value=tuple(values))
    return Known("AutoML benchmark", sheet, options, metrics, plain=True)


def _tabarena(sheet: Sheet, names: Names) -> Known | None:
    if not _has(names, "dataset method fold metricerror"):
        return None
    error = names["metricerror"]
    options = ScoreOptions(dataset=names["dataset"], method=names["method"], value=(error,))
    return Known("TabArena", sheet, options, {error: Metric(error, False, 0.0)}, plain=True)


def _openml(sheet: Sheet, names: Names) -> Known | None:
    data = next((names[name] for name in ("dataname", "dataid", "taskid") if name in names), None)
    method = next((names[name] for name in ("flowname", "flowid") if name in names), None)
    if data is None or method is None or not _has(names, "function value"):
        return None
    options = ScoreOptions(dataset=data, method=method, metric=names["function"], value=(names["value"],))
    return Known("OpenML evaluations", sheet, options)


def _iohprofiler(sheet: Sheet, names: Names) -> Known | None:
    function = next((names[name] for name in ("funcid", "funcname", "functionid") if name in names), None)
    method = next((names[name] for name in ("algid", "algorithmid", "algname", "id") if name in names), None)
    if function is None or method is None or "dim" not in names:
        return None
    parts = [function, names["dim"], *(names[name] for name in ("target", "budget") if name in names)]
    value = next(((names[name],) for name in ("ert", "runtime") if name in names), ())
    metrics = {name: Metric(name, False, 0.0) for name in value}
    return Known(
        "IOHprofiler", sheet, ScoreOptions(dataset="+".join(parts), method=method, value=value), metrics
    )


def _mlr3(sheet: Sheet, names: Names) -> Known | None:
    if not _has(names, "taskid learnerid resamplingid"):
        return None
    folds: tuple[str, ...] = ()
    if "iteration" in names:
        folds = (names["iteration"],)
        plans = sheet.column(names["resamplingid"]).codes.levels
        kind = "fold" if all(plan.endswith("cv") for plan in plans) else "resample"
        sheet = _renamed(sheet, {folds[0]: kind})
        folds = (kind,)
    options = ScoreOptions(dataset=names["taskid"], method=names["learnerid"], fold=folds)
    return Known("mlr3 resampling", sheet, options, plain=True)


def _caret(sheet: Sheet, names: Names) -> Known | None:
    pairs = {column.name: column.name.split("~") for column in sheet.columns if column.name.count("~") == 1}
    if len(pairs) < 2 or len(sheet.columns) - len(pairs) > 2 or not all(map(all, pairs.values())):
        return None
    if not any(words.is_metric(metric) for _, metric in pairs.values()):
        return None
    groups: dict[str, dict[str, Column]] = {}
    for name, (method, metric) in pairs.items():
        groups.setdefault(method, {})[metric] = sheet.column(name)
    kept = [column for column in sheet.columns if column.name not in pairs]
    return Known(
        "caret resamples", melted(sheet, kept, groups, "model"), ScoreOptions(method="model"), plain=True
    )


def _numbered(sheet: Sheet, names: Names) -> Known | None:
    """A column a fold, seed or run: `fold1`, `fold2`, ..."""
    found = {column.name: re.fullmatch(r"(?i)([a-z]+)[ _.-]?(\d+)", column.name) for column in sheet.columns}
    parts = {name: match for name, match in found.items() if match and match[1].lower() in words.INSTANCES}
    kinds = {match[1].lower() for match in parts.values()}
    if len(parts) < 2 or len(kinds) > 1 or not all(sheet.column(name).is_mostly_numbers for name in parts):
        return None
    groups = {match[2]: {"score": sheet.column(name)} for name, match in parts.items()}
    kept = [column for column in sheet.columns if column.name not in parts]
    return Known(
        "a column a run", melted(sheet, kept, groups, kinds.pop()), ScoreOptions(value=("score",)), plain=True
    )


def _paired(sheet: Sheet, names: Names) -> Known | None:
    """A column a method and metric: `A_acc`, `A_f1`, `B_acc`, `B_f1`."""
    numbers = [column for column in sheet.columns if column.is_mostly_numbers]
    if named(sheet.columns, words.METHODS) or len(labels(sheet.columns)) > 1:
        return None
    for joint in ("_", "-", " ", "/", ".", ":"):
        groups: dict[str, dict[str, Column]] = {}
        for column in numbers:
            method, _, metric = column.name.rpartition(joint)
            if method.lower() not in ("", *PARTS) and not is_summary(method) and words.is_metric(metric):
                groups.setdefault(method, {})[metric] = column
        metrics = {tuple(group) for group in groups.values()}
        if len(groups) > 1 and len(metrics) == 1 and len(metrics.pop()) > 1:
            taken = [column for group in groups.values() for column in group.values()]
            kept = without(sheet.columns, taken)
            long = melted(sheet, kept, groups, "method")
            return Known("a column a method and metric", long, ScoreOptions(method="method"), plain=True)
    return None


def _search(sheet: Sheet, names: Names) -> Known | None:
    """cv_results_ of scikit-learn's searches."""
    groups: dict[str, dict[str, Column]] = {}
    for column in sheet.columns:
        if found := re.fullmatch(r"split(\d+)_(test_.+)", column.name):
            groups.setdefault(found[1], {})[found[2]] = column
    if not groups or "params" not in names:
        return None
    kept = [column for column in sheet.columns if column.name in ("params", "mean_fit_time")]
    long = melted(sheet, kept, groups, "fold")
    options = ScoreOptions(method="params", fold=("fold",), value=tuple(next(iter(groups.values()))))
    return Known("scikit-learn cv_results_", long, options, _scorers(options.value), plain=True)


def _cross_validate(sheet: Sheet, names: Names) -> Known | None:
    values = tuple(name for name in names.values() if name.startswith("test_"))
    if not values or not _has(names, "fittime scoretime"):
        return None
    if not named(sheet.columns, words.INSTANCES):
        folds = Column("fold", counted(sheet.rows))
        sheet = replace(sheet, columns=(*sheet.columns, folds))
    return Known(
        "scikit-learn cross_validate", sheet, ScoreOptions(value=values), _scorers(values), plain=True
    )


def _scorers(values: Sequence[str]) -> dict[str, Metric]:
    """Of scikit-learn's scorers higher is better, whatever they are."""
    known = {name: known_metric(name) for name in values}
    return {
        name: metric if metric and metric.higher_is_better else Metric(name, True)
        for name, metric in known.items()
    }


def _resamples(sheet: Sheet, names: Names) -> Known | None:
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


def _tracked(sheet: Sheet, names: Names) -> Known | None:
    """Runs as MLflow and Weights & Biases export them."""
    mlflow = any(column.name.startswith(("metrics.", "params.")) for column in sheet.columns)
    nested = any(column.name.startswith(("config.", "summary.")) for column in sheet.columns)
    if not mlflow and not nested and not (_has(names, "name state") or _has(names, "runtime step")):
        return None
    plain = {column.name: _PREFIXES.sub("", column.name) for column in sheet.columns}
    taken = list(plain.values())
    sheet = _renamed(sheet, {name: short for name, short in plain.items() if taken.count(short) == 1})
    own = [column for column in sheet.columns if not column.name.startswith("_")]
    sheet = replace(sheet, columns=tuple(own))
    last = [column.name for column in own if column.name.lower() in ("name", "runname")]
    method = last[0] if last and not named(own, words.METHODS) else None
    title = "MLflow runs" if mlflow else "Weights & Biases runs"
    return Known(title, sheet, ScoreOptions(method=method), plain=True)


_PREFIXES = re.compile(r"^(metrics|params|tags|config|summary)\.(mlflow\.)?")
_SOURCES: tuple[Callable[[Sheet, Names], Known | None], ...] = (
    _automl_benchmark,
    _tabarena,
    _openml,
    _iohprofiler,
    _mlr3,
    _caret,
    _search,
    _cross_validate,
    _resamples,
    _tracked,
    _numbered,
    _paired,
)


def _renamed(sheet: Sheet, names: Mapping[str, str]) -> Sheet:
    columns = [Column(names.get(column.name, column.name), column.array) for column in sheet.columns]
    return replace(sheet, columns=tuple(columns))
