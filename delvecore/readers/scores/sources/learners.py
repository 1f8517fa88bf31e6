"""Tables that libraries of learners write.

Each function returns the table with its mapping, or None for a table that is not of it."""

import re
from collections.abc import Sequence

from delvecore.losses.metrics import Metric, known_metric
from delvecore.readers.scores import words
from delvecore.readers.scores.columns import Column, Sheet
from delvecore.readers.scores.melting import melted
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.sources.known import Known, Names, are_there, first_of, renamed, scored

__all__ = ["autogluon", "caret", "cross_validate", "mlr3", "search", "tidymodels", "weka"]


def mlr3(sheet: Sheet, names: Names) -> Known | None:
    if not are_there(names, "taskid learnerid resamplingid"):
        return None
    folds: tuple[str, ...] = ()
    if "iteration" in names:
        folds = (names["iteration"],)
        plans = sheet.column(names["resamplingid"]).codes.levels
        kind = "fold" if all(plan.endswith("cv") for plan in plans) else "resample"
        sheet = renamed(sheet, {folds[0]: kind})
        folds = (kind,)
    options = ScoreOptions(dataset=names["taskid"], method=names["learnerid"], fold=folds)
    return Known("mlr3 resampling", sheet, options, plain=True)


def caret(sheet: Sheet, names: Names) -> Known | None:
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


def search(sheet: Sheet, names: Names) -> Known | None:
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


def cross_validate(sheet: Sheet, names: Names) -> Known | None:
    values = tuple(name for name in names.values() if name.startswith("test_"))
    if not values or not are_there(names, "fittime scoretime"):
        return None
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


def autogluon(sheet: Sheet, names: Names) -> Known | None:
    """Leaderboards: of each metric higher is better there, since errors stand with their signs turned."""
    if not are_there(names, "model scoreval") or not first_of(names, "fitorder predtimeval fittimemarginal"):
        return None
    value = first_of(names, "scoretest scoreval")
    options = ScoreOptions(method=names["model"], value=value)
    return Known("AutoGluon leaderboard", sheet, options, {value[0]: Metric(value[0], True)}, plain=True)


def tidymodels(sheet: Sheet, names: Names) -> Known | None:
    value, method = first_of(names, "estimate mean"), first_of(names, "wflowid model config")
    if not value or not method or not any(column.name == ".metric" for column in sheet.columns):
        return None
    kinds = {names[one]: _kind_of(sheet.column(names[one])) for one in ("id", "id2") if one in names}
    options = ScoreOptions(method=method[0], metric=".metric", value=value, fold=tuple(kinds.values()))
    return Known("tidymodels", renamed(sheet, kinds), options)


def _kind_of(column: Column) -> str:
    """Return what a column of labels such as `Fold01` or `Repeat2` counts."""
    start = next(iter(column.codes.levels), "").lower()
    kinds = {"fold": "fold", "repeat": "repeat", "validation": "split"}
    return next((kind for word, kind in kinds.items() if start.startswith(word)), "resample")


def weka(sheet: Sheet, names: Names) -> Known | None:
    """Results of the Experimenter."""
    if not are_there(names, "keydataset keyrun keyscheme"):
        return None
    plain = {name: name.removeprefix("Key_") for name in names.values()}
    sheet = renamed(sheet, plain)
    options = ScoreOptions(
        dataset=plain[names["keydataset"]], method=plain[names["keyscheme"]], value=scored(sheet)
    )
    return Known("Weka Experimenter", sheet, options, plain=True)
