"""How good is a method as a classifier on a task? Contingency table, measures, intervals, p, curves.

Texts show shares with three decimals, or as many as two significant digits of the standard error need. CSV
and JSON have full precision.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from delvecore.answers.answer import Answer, Column, Kind, Table, table_of
from delvecore.render.answers import records
from delvecore.render.csv import csv_text
from delvecore.render.json import json_text
from delvecore.render.numbers import (
    counted,
    p_text,
    percent,
    percentage,
    probability_text,
    rounded,
    with_error,
)
from delvecore.render.spans import as_name, strong
from delvecore.render.text import aligned, fold
from delvecore.report import words
from delvecore.stats.classification.contingency import (
    INTERVALS,
    NullTest,
    normal_caution,
    random_split_accuracy,
    share_intervals,
)
from delvecore.stats.classification.mcnemar import mcnemar
from delvecore.stats.classification.roc_curves import coverage_curve, normal_ends, roc_curve
from delvecore.stats.classification.summary import (
    ClassificationSummary,
    PairOfClassifiers,
    Reliability,
    compare_classifiers,
)
from delvecore.stats.interval import Interval
from delvecore.stats.losses.mstats import Estimate
from delvecore.stats.notes import words_of

ALL = "All"
CLASS_FIELDS = {
    "recall": "Recall",
    "specificity": "Specificity",
    "precision": "Precision",
    "f": "F",
    "predicted_positive_rate": "Rate",
}
"""Titles of the measures of a class."""
SPREADS = {"accuracy": "Accuracy", "average recall": "Average recall", "mean AUC": "Mean AUC"}
NULL_FIELDS = {
    "null": "null",
    "p_greater": "greater",
    "p_two_sided": "two_sided",
    "p_greater_normal": "normal_greater",
    "p_two_sided_normal": "normal_two_sided",
}
DECIMALS = 3
AGREEMENT = {"macro_f": "Macro F", "micro_f": "Micro F", "matthews": "Matthews", "kappa": "Kappa"}
CALIBRATION = ("error", "error_lower", "error_upper", "chance", "p")
INDENT = "  "
CsvRow = tuple[int | None, str | None, str, float | None, float | None]
"""Training set or None, class or None, measure, value, and its standard error."""


@dataclass(frozen=True, slots=True)
class TitledSummary:
    """Summary of a method on a task (a full path).

    Attributes
    ----------
    against : tuple[str, PairOfClassifiers | str] or None
        Name of another method, with the comparison on the same test cases, or the reason why there is none.
    """

    method: str
    task: str
    training_size: int
    summary: ClassificationSummary
    against: tuple[str, PairOfClassifiers | str] | None = None


def _answer(
    question: str, sentence: str, columns: Mapping[str, Sequence[Any]], *notes: str, kind: Kind = "number"
) -> Answer:
    names, *others = columns.items()
    fields = (
        Column(names[0], names[0], "name", names[1]),
        *(Column(key, key, kind, one) for key, one in others),
    )
    return Answer(question, sentence, Table(fields), notes)


def overall_measures(summaries: Mapping[str, ClassificationSummary]) -> Answer:
    """How many cases are classified correctly?

    One row per method: means over training sets, with their errors.
    """
    rows: dict[str, list[Any]] = {"Method": list(summaries)}
    for name, title in SPREADS.items():
        rows[title] = [_with_error(summary.spreads.get(name)) for summary in summaries.values()]
    rows["Expected accuracy"] = [_digits(one.expected[0]) for one in summaries.values()]
    for name, title in AGREEMENT.items():
        if name != "micro_f":
            rows[title] = [_digits(getattr(one.table, name)) for one in summaries.values()]
    rows["Most frequent class"] = [_digits(one.null_share) for one in summaries.values()]
    if any(one.null is not None for one in summaries.values()):
        rows["p above it"] = [one.null and p_text(one.null.greater) for one in summaries.values()]
    note = "Means over the training sets; ± gives the standard error over training sets and test cases."
    return _answer("classifiers", "Accuracy, average recall and AUC of each method", rows, note, kind="name")


def _with_error(spread: Estimate | None) -> str:
    return with_error(spread.mean, spread.standard_error, minus="-") if spread else ""


def _digits(value: float | None) -> str:
    return rounded(value, DECIMALS)


def contingency_table(summary: ClassificationSummary) -> Answer:
    """Confusion matrix: test cases by actual (rows) and predicted class, with margins."""
    table = summary.table
    counts = [*table.counts, table.predicted]
    columns: dict[str, list[Any]] = {"Actual class": [*table.classes, ALL]}
    columns |= {f"→ {name}": [row[place] for row in counts] for place, name in enumerate(table.classes)}
    columns[ALL] = [*table.actual, table.total]
    sets = words.count(len(summary.tables), "training set")
    note = f"Rows are actual classes, columns (→) predicted ones; counts are summed over {sets}."
    return _answer("contingency", "Test cases by actual and predicted class", columns, note, kind="count")


def class_measures(summary: ClassificationSummary) -> Answer:
    """How well is each class recognized, against all others?"""
    table = summary.table
    areas: Sequence[float | None] = summary.areas or [None] * len(table.classes)
    columns = (
        Column("class", "Class", "name", table.classes),
        Column("cases", "Cases", "count", table.actual),
        Column("predicted", "Predicted", "count", table.predicted),
        *(Column(key, title, "number", getattr(table, key)) for key, title in CLASS_FIELDS.items()),
        Column("auc", "AUC", "number", areas),
    )
    note = "Each class against all others, all training sets together."
    return Answer("classes", "Recall, precision and F of each class", Table(columns), (note,))


def intervals_of(summary: ClassificationSummary) -> Answer:
    """Return binomial intervals of the accuracy over all training sets, unless the sets share test cases."""
    names: list[tuple[str, str, Kind]] = [("method", "Interval", "name"), ("lower", "From", "number")]
    names += [("upper", "To", "number"), ("caution", "Beware", "name")]
    note = (
        "Intervals are for these classifiers. The standard error after ± also covers new training sets."
        if summary.intervals
        else "There is no binomial interval for all training sets together, because they share test cases. "
        "The table of training sets has an interval for each of them."
    )
    rows = [(name, one.lower, one.upper, caution) for name, one, caution in _named_intervals(summary)]
    return Answer("intervals", "Binomial intervals of the accuracy", table_of(rows, names), (note,))


def _named_intervals(
    summary: ClassificationSummary,
) -> list[tuple[str, Interval[float], str | None]]:
    """Return the intervals of the accuracy with their names, and the reasons not to use them."""
    cautions = (None, None, normal_caution(summary.table.correct, summary.table.total))
    return list(zip(INTERVALS, summary.intervals, cautions, strict=True)) if summary.intervals else []


def measures_by_training_set(summary: ClassificationSummary) -> Answer:
    """How does each training set do? Accuracy with Wilson's interval, and average recall."""
    rows = []
    for one, table in zip(summary.predictions, summary.tables, strict=True):
        wilson = share_intervals(table.correct, table.total, level=summary.level)[0]
        rows.append((one.instance, table.accuracy, wilson.lower, wilson.upper, table.average_recall))
    columns: list[tuple[str, str, Kind]] = [("training_set", "Training set", "count")]
    columns += [("accuracy", "Accuracy", "number"), ("lower", "Wilson from", "number")]
    columns += [("upper", "to", "number"), ("average_recall", "Average recall", "number")]
    return Answer("classified-sets", "Accuracy of each training set", table_of(rows, columns))


def against_others(summaries: Mapping[str, ClassificationSummary], reference: str) -> Answer | str:
    """Which classifies more of the same cases correctly, a method or the reference?

    Gives the reason if they cannot be compared.
    """
    rows, reasons = [], []
    for name, summary in summaries.items():
        if name == reference:
            continue
        try:
            counts, areas = compare_classifiers(summary, summaries[reference])
        except ValueError as error:
            reasons.append(str(error))
            continue
        area = next(iter(areas), None)
        ends = (_digits(area.mean), p_text(area.p)) if area else ("", "")
        rows.append((name, *counts, p_text(mcnemar(*counts)[1]), *ends))
    if not rows:
        return " ".join(dict.fromkeys(reasons))
    titles = (
        "Method",
        "Only this method right",
        f"Only {reference} right",
        "McNemar p",
        "AUC difference",
        "DeLong p",
    )
    columns = {title: list(column) for title, column in zip(titles, zip(*rows, strict=True), strict=True)}
    note = (
        f"Against {strong(as_name(reference))}: cases that only one of the two has right (McNemar’s mid-p), "
        "and areas under the ROC curves of the first class (DeLong). The results hold for these "
        "classifiers and cases, not for new training sets; p is not adjusted."
    )
    return _answer("mcnemar", "Methods against the reference, case by case", columns, note)


def calibration_of(summary: ClassificationSummary, method: str) -> Answer:
    """Are the probabilities calibrated?

    No figure if every test case is used repeatedly. The text is Markdown.
    """
    calibration, name = summary.calibration, as_name(method)
    if calibration is None:
        sentence = f"There are no probabilities of {name} for test cases that are used once."
        return Answer("reliability", sentence, Table(()))
    sure = (
        "more than chance explains" if calibration.p < 1 - calibration.level else "which chance may explain"
    )
    error = probability_text(calibration.error)
    sentence = (
        f"{strong(f'The probabilities of {name} are off by {error} on average')} "
        f"({_error_ends(calibration)}), {sure} (by chance {probability_text(calibration.chance)}, "
        f"{words.p_value(calibration.p)})."
    )
    bins = _bins(calibration)
    came_true = "; ".join(
        f"predicted {percentage(probability)}, {percentage(right)} right in {words.count(cases, 'case')}"
        for cases, probability, right, *_ in bins.rows
    )
    alt = f"Reliability of the probabilities of {method}: {came_true}"
    return Answer("reliability", sentence, bins, (), None, alt=alt)


def _error_ends(calibration: Reliability) -> str:
    """Return the interval of a calibration error, or the reason why there is none."""
    if math.isnan(calibration.error_upper):
        return "no interval: the error is the same for all cases"
    return f"{rounded(calibration.error_lower, DECIMALS)} to {rounded(calibration.error_upper, DECIMALS)}"


def _bins(calibration: Reliability) -> Table:
    """Return bins of cases with similar probability of the predicted class: mean probability and observed
    share.
    """
    keys = ("cases", "said", "held", "lower", "upper")
    return Table(tuple(Column(key, key, "number", getattr(calibration, key).tolist()) for key in keys))


def rankings_of(summary: ClassificationSummary, method: str, name: str, *, in_counts: bool) -> Answer:
    """How well do the probabilities rank the cases of a class?

    name: name of the class; the figure is the unit.
    """
    place, points, areas = summary.classes.index(name), [], []
    for one in summary.predictions:
        positive = one.actual == place
        if one.probabilities is None or positive.all() or not positive.any():
            continue
        curve, title = coverage_curve(one.probabilities[:, place], positive), f"training set {one.instance}"
        rates = roc_curve(*curve)
        area, (x, y) = float(np.trapezoid(*rates[::-1])), curve if in_counts else rates
        points += [(title, *point, area) for point in zip(x.tolist(), y.tolist(), strict=True)]
        areas.append(f"{title}, area {rounded(area, DECIMALS)}")
    titles = ("training_set", "false_positives", "true_positives", "area")
    table = table_of(points, [(title, title, "number") for title in titles])
    headline = f"Ranking of the cases of {name} by {method}: {'; '.join(areas)}"
    return Answer("ranking", headline, table, (), "cases" if in_counts else "rate")


def classification_text(summaries: Sequence[TitledSummary], form: str) -> str:
    """Return the summaries in one of FORMATS; KeyError for another format."""
    return FORMATS[form](summaries)


def _lines(one: TitledSummary) -> list[str]:
    summary, table = one.summary, one.summary.table
    own = "each with its own test set" if summary.independent else "all with the same test set"
    own = "with test sets that overlap" if summary.notes and not summary.independent else own
    basis = (
        "Test cases by actual class (rows) and predicted class (columns), summed over "
        f"{counted(len(summary.tables), 'training set')} of {one.training_size} cases, {own}."
    )
    rows = [["", *table.classes, ALL], *([*map(str, row)] for row in contingency_table(summary).table.rows)]
    lines = [f"{one.method} on {one.task}", *fold(basis, ""), "", *aligned(rows, indent=INDENT)]
    classes = class_measures(summary).table
    shares = aligned(_cells(classes if summary.areas else classes.drop("auc")), indent=INDENT)
    for part in (_overall(summary), shares, _instances(summary)):
        lines += ["", *part]
    if one.against:
        lines += ["", *_against(one.method, *one.against, classes=summary.classes, level=summary.level)]
    return [*lines, "", *_notes(summary)]


def _overall(summary: ClassificationSummary) -> list[str]:
    (expected, spread_of_it), test, table = summary.expected, summary.null, summary.table
    rows = {}
    for name, spread in summary.spreads.items():
        has_error = spread.standard_error is not None
        rows[name[0].upper() + name[1:]] = _with_error(spread) if has_error else _share(spread.mean)
    deviation = f"standard deviation {_share(spread_of_it)}"
    name = "Expected accuracy, every class distribution equally likely"
    rows[name] = f"{_share(expected)}, {deviation}"
    if summary.areas is not None and len(summary.classes) == 2:
        cases, positive = round(table.total / len(summary.tables)), table.actual[0] / table.total
        split = random_split_accuracy(summary.areas[0], cases=cases, positive_share=positive)
        rows["Expected accuracy, ranking split at random"] = _share(split)
    for method, interval, caution in _named_intervals(summary):
        name = f"{percent(summary.level)} interval of the accuracy, {method}"
        more = f" ({caution})" if caution else ""
        rows[name] = f"{_share(interval.lower)} to {_share(interval.upper)}{more}"
    if test is not None:
        name = f"p, accuracy above {_share(test.null)} (one-sided, exact; normal, as in Flach)"
        rows[name] = f"{p_text(test.greater)}; {p_text(test.normal_greater)}"
        name = f"p, accuracy other than {_share(test.null)} (two-sided, exact; normal)"
        rows[name] = f"{p_text(test.two_sided)}; {p_text(test.normal_two_sided)}"
    rows |= _agreement(summary)
    width = max(map(len, rows))
    return [f"{INDENT}{name:<{width}}  {value}" for name, value in rows.items()]


def _against(
    method: str, other: str, comparison: PairOfClassifiers | str, classes: Sequence[str], level: float
) -> list[str]:
    """Return the comparison with another method on the same test cases."""
    if isinstance(comparison, str):
        return fold(f"Against {other}: {comparison}.", "")
    (only_a, only_b), areas = comparison
    exact, mid_p = mcnemar(only_a, only_b)
    sentence = (
        f"Against {other}: {counted(only_a, 'test case')} that only {method} has right, {only_b} that "
        f"only {other} has; McNemar's mid-p {p_text(mid_p)}, exact p {p_text(exact)}."
    )
    rows = [["Class", "AUC difference", "from", "to", "p (DeLong)"]]
    for name, area in zip(classes, areas, strict=True):
        if area is not None:
            numbers = [_share(value) for value in (area.mean, *normal_ends(area, level=level))]
            rows.append([name, *numbers, p_text(area.p)])
    return [*fold(sentence, ""), *(aligned(rows, indent=INDENT) if len(rows) > 1 else [])]


def _agreement(summary: ClassificationSummary) -> dict[str, str]:
    """F, Matthews correlation, kappa, and the calibration of the probabilities."""
    calibration = summary.calibration
    rows = {title: _share(getattr(summary.table, name)) for name, title in AGREEMENT.items()}
    if calibration is not None:
        ends = _error_ends(calibration)
        chance = f"{_share(calibration.chance)} by chance, p {p_text(calibration.p)}"
        rows["Calibration error"] = f"{_share(calibration.error)} ({ends}; {chance})"
    return rows


def _share(value: float | None) -> str:
    return "undefined" if value is None or math.isnan(value) else rounded(value, DECIMALS)


def _cells(table: Table) -> list[list[str]]:
    """Return titles and rows as texts; shares without a value are undefined."""
    rows = (zip(table.columns, row, strict=True) for row in table.rows)
    cells = [[_share(one) if column.kind == "number" else str(one) for column, one in row] for row in rows]
    return [[column.title for column in table.columns], *cells]


def _instances(summary: ClassificationSummary) -> list[str]:
    test = next(filter(None, summary.set_nulls), None)
    rows = [["Training set", "Accuracy", "Wilson's interval", "Average recall"]]
    rows[0] += [f"p above {_share(test.null)}"] if test else []
    _, *sets = _cells(measures_by_training_set(summary).table)
    for (number, accuracy, lower, upper, recall), null in zip(sets, summary.set_nulls, strict=True):
        p = [p_text(null.greater)] if null else []
        rows.append([number, accuracy, f"{lower} to {upper}", recall, *p])
    return aligned(rows, indent=INDENT)


def _notes(summary: ClassificationSummary) -> list[str]:
    notes = [
        "Recall: the share of the cases of the class that are predicted as this class (true positive rate). "
        "Specificity: the share of other cases that are not predicted as this class. Precision: the share of "
        "predictions of the class that are right. F: harmonic mean of precision and recall. Rate: share of "
        "all predictions that are of the class (predicted positive rate). The measures of a class combine "
        "all training sets.",
        "± gives the standard error over training sets and test cases.",
    ]
    if summary.areas is not None:
        notes.append("AUC: of the class against all others, mean over the training sets; ties count half.")
    if any(test and test.null == summary.null_share for test in summary.set_nulls):
        notes.append(
            f"{_share(summary.null_share)} is the share of the most frequent class among the test cases: the "
            "accuracy of always guessing it."
        )
    if not summary.independent and len(summary.tables) > 1:
        notes.append(
            "Training sets share their test cases. So each has its own binomial interval and one-sided exact "
            "p; there is none for all training sets together."
        )
    notes += [f"{words_of([note])}." for note in summary.notes]
    notes.append(
        "Binomial intervals and p are about the accuracy of these classifiers. The standard error after ± "
        "also covers new training sets."
    )
    if summary.calibration is not None:
        notes.append(
            "Calibration error: mean distance between the probability of the predicted class and the share "
            "that is right, in ten bins. Even correct probabilities have an error by chance; p is the "
            "probability of an error at least as large."
        )
    return [line for note in notes for line in fold(note, "")]


def _csv(summaries: Sequence[TitledSummary]) -> str:
    """Return one line per measure: of all training sets, of a class, or of one training set."""
    header = ["method", "task", "training_set", "class", "measure", "value", "standard_error"]
    rows = [(one, row) for one in summaries for row in (*_csv_rows(one.summary), *_csv_against(one))]
    return csv_text(header, [[one.method, one.task, *row] for one, row in rows])


def _csv_rows(summary: ClassificationSummary) -> Iterator[CsvRow]:
    for name, spread in summary.spreads.items():
        yield None, None, name, spread.mean, spread.standard_error
    yield None, None, "expected accuracy", summary.expected[0], None
    for key, title in AGREEMENT.items():
        yield None, None, title, getattr(summary.table, key), None
    if summary.calibration is not None:
        for key in CALIBRATION:
            yield None, None, f"calibration {key.replace('_', ' ')}", getattr(summary.calibration, key), None
    for method, interval, _ in _named_intervals(summary):
        yield None, None, f"lower end, {method}", interval.lower, None
        yield None, None, f"upper end, {method}", interval.upper, None
    yield from _csv_null(None, summary.null)
    for one in records(class_measures(summary).table):
        for key in [*one][1:] if summary.areas else [*one][1:-1]:
            yield None, one["class"], "AUC" if key == "auc" else key.replace("_", " "), one[key], None
    parts = zip(summary.predictions, summary.tables, summary.set_nulls, strict=True)
    for instance, table, null in ((one.instance, table, null) for one, table, null in parts):
        yield instance, None, "accuracy", table.accuracy, None
        yield instance, None, "average recall", table.average_recall, None
        yield from _csv_null(instance, null)
        for name, row in zip(table.classes, table.counts, strict=True):
            for other, count in zip(table.classes, row, strict=True):
                yield instance, name, f"predicted {other}", count, None


def _csv_null(training_set: int | None, test: NullTest | None) -> Iterator[CsvRow]:
    if test is not None:
        yield training_set, None, "null hypothesis", test.null, None
        yield training_set, None, "p one-sided exact", test.greater, None
        yield training_set, None, "p two-sided exact", test.two_sided, None


def _csv_against(one: TitledSummary) -> Iterator[CsvRow]:
    if one.against is None or isinstance(one.against[1], str):
        return
    other, (counts, areas) = one.against[0], one.against[1]
    for name, value in _mcnemar_record(counts).items():
        yield None, None, f"against {other}: {name.replace('_', ' ')}", value, None
    for name, area in zip(one.summary.classes, areas, strict=True):
        if area is not None:
            yield None, name, f"against {other}: AUC difference", area.mean, area.standard_error
            yield None, name, f"against {other}: p of AUC difference", area.p, None


def _record(one: TitledSummary) -> dict[str, Any]:
    summary = one.summary
    table = summary.table
    return {
        "method": one.method,
        "task": one.task,
        "training_size": one.training_size,
        "own_test_sets": summary.independent,
        "notes": list(map(str, summary.notes)),
        "classes": summary.classes,
        "counts": table.counts,
        "actual": table.actual,
        "predicted": table.predicted,
        "measures": {
            name.replace(" ", "_"): {
                "mean": one.mean,
                "standard_error": one.standard_error,
                "training_sets": one.instances,
            }
            for name, one in summary.spreads.items()
        },
        "expected_accuracy": dict(zip(("mean", "standard_deviation"), summary.expected, strict=True)),
        "agreement": {key: getattr(summary.table, key) for key in AGREEMENT},
        "calibration": _calibration(summary),
        "by_class": records(class_measures(summary).table),
        "intervals": [
            {"method": method, "level": summary.level, "lower": one.lower, "upper": one.upper}
            for method, one, _ in _named_intervals(summary)
        ],
        "null": _null_record(summary.null),
        "against": _against_record(one),
        "training_sets": [
            {
                "training_set": part.instance,
                "counts": part_table.counts,
                "accuracy": part_table.accuracy,
                "average_recall": part_table.average_recall,
                "auc": areas,
                "null": _null_record(null),
            }
            for part, part_table, areas, null in zip(
                summary.predictions, summary.tables, summary.set_areas, summary.set_nulls, strict=True
            )
        ],
    }


def _mcnemar_record(counts: tuple[int, int]) -> dict[str, float]:
    exact, mid_p = mcnemar(*counts)
    return {"only_a": counts[0], "only_b": counts[1], "exact": exact, "mid_p": mid_p}


def _null_record(test: NullTest | None) -> dict[str, float] | None:
    return None if test is None else {key: getattr(test, name) for key, name in NULL_FIELDS.items()}


def _against_record(one: TitledSummary) -> dict[str, Any] | None:
    if one.against is None:
        return None
    other, comparison = one.against
    if isinstance(comparison, str):
        return {"method": other, "reason": comparison}
    level = one.summary.level
    areas = [area and _area_record(area, level) for area in comparison[1]]
    return {"method": other, "mcnemar": _mcnemar_record(comparison[0]), "areas": areas}


def _area_record(area: Estimate, level: float) -> dict[str, float | None]:
    lower, upper = normal_ends(area, level=level)
    ends = {"level": level, "area_a": area.mean_a, "area_b": area.mean_b, "difference": area.mean}
    return {**ends, "standard_error": area.standard_error, "lower": lower, "upper": upper, "p": area.p}


def _calibration(summary: ClassificationSummary) -> dict[str, Any] | None:
    calibration = summary.calibration
    if calibration is None:
        return None
    return {name: getattr(calibration, name) for name in CALIBRATION} | {"bins": records(_bins(calibration))}


FORMATS: Mapping[str, Callable[[Sequence[TitledSummary]], str]] = {
    "text": lambda summaries: "\n\n".join("\n".join(_lines(one)) for one in summaries) + "\n",
    "csv": _csv,
    "json": lambda summaries: json_text(list(map(_record, summaries))),
}
