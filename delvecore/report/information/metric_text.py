"""What `mstats` prints of a metric, of which an instance has one number."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from delvecore.losses.metric_specs import spec_named
from delvecore.losses.metrics import Metric
from delvecore.losses.spec import metric_of
from delvecore.number_format.numbers import format_number
from delvecore.report.writers.text import fold
from delvecore.stats.choose import ANALYSES, DEFAULT_LEVEL, percent
from delvecore.stats.notes import Note, parsed, words_of

__all__ = ["metric_comparison", "metric_estimate", "metric_heading"]

INDENT = "    "
TESTS = {one.test: one.name for one in ANALYSES.values()}
"""What tests are called, by their codes."""
Row = Mapping[str, Any]


def metric_heading(loss: str) -> str:
    """Return `Metric: auc (area under the ROC curve, higher is better)`. loss: that is kept of it."""
    metric = _metric(loss)
    spec = spec_named(metric.name.partition(":")[0])
    about = [*([spec.title] if spec else []), metric.direction]
    return f"Metric: {metric.name} ({', '.join(about)})"


def metric_estimate(row: Row) -> str:
    """Return the lines that show a method's mean over the instances. row: of an archive's results."""
    metric = _metric(row["loss"])
    lines = [_line(f"Estimated expected {metric.name}:", float(metric.values_of(row["mean"])))]
    lines.append(_line("Standard error for estimate:", row["standard_error"]))
    return "\n".join(["", *lines, "", *_basis(row, parsed(row["notes"])), ""])


def metric_comparison(row: Row, *, first: str) -> str:
    """Return the lines that compare two methods: values of the metric, and the first less the second. row: of
    an archive's comparisons."""
    metric, is_turned = _metric(row["loss"]), row["method_a"] != first
    sign = metric.sign * (-1 if is_turned else 1)
    lines = []
    for side in "ba" if is_turned else "ab":
        title = f"Estimated expected {metric.name} for /{row[f'method_{side}']}:"
        lines.append(_line(title, float(metric.values_of(row[f"mean_{side}"]))))
    lines.append(_line("Estimated expected difference:", _times(sign, row["difference"])))
    lines.append(_line("Standard error for difference estimate:", row["standard_error"]))
    notes = [note.turned for note in parsed(row["notes"])] if is_turned else parsed(row["notes"])
    return "\n".join(["", *lines, "", *_test(row, sign), *_basis(row, notes), ""])


def _metric(loss: str) -> Metric:
    if (metric := metric_of(loss)) is None:
        raise ValueError(f"{loss} is the loss of no metric")
    return metric


def _times(sign: int, value: float | None) -> float | None:
    return None if value is None else sign * value


def _test(row: Row, sign: int) -> Iterator[str]:
    if row["p"] is not None:
        test, p = TESTS[row["test"]], format_number(row["p"])
        yield f"{INDENT}Significance of difference ({test}), p = {p}"
    if row["lower"] is not None:
        low, high = (format_number(end) for end in sorted((sign * row["lower"], sign * row["upper"])))
        yield f"{INDENT}{percent(DEFAULT_LEVEL)} interval {low} to {high}"
        yield ""


def _line(title: str, value: float | None) -> str:
    return f"{title:>49} {'undefined' if value is None else format_number(value):>12}"


def _basis(row: Row, notes: Sequence[Note]) -> Iterator[str]:
    count = row["instances"]
    yield f"{INDENT}Based on {count} training set{'s' * (count != 1)}, a value of the metric each."
    if said := words_of(notes):
        yield from fold(f"{said[0].upper()}{said[1:]}.", INDENT)
