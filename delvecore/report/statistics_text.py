"""Statistics of losses and of metrics as `mstats` prints them, with additions for shared cases and for the
safe test. Source: DELVE manual, section 8.3 and appendix C.

The layout and the digits are those of DELVE 1.1, which standardized values after rounding to 9 digits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from delvecore.losses.spec import known_loss
from delvecore.measures import Measure
from delvecore.number_format.numbers import format_number, round_number
from delvecore.readers.instances import ListedFacts
from delvecore.render.numbers import percent
from delvecore.render.text import fold
from delvecore.stats.choose import ANALYSES, DEFAULT_LEVEL, ROUGH_P, is_rough
from delvecore.stats.designs import Design
from delvecore.stats.losses.anova import Rows
from delvecore.stats.losses.mstats import (
    Estimate,
    SafeTest,
    overlapping_estimate,
    overlapping_test,
    safe_test,
)
from delvecore.stats.losses.results import standardized_mean, standardized_spread
from delvecore.stats.notes import Note, parsed, words_of

UNDEFINED = "undefined"
NON_STANDARD = "Task instances are not the standard ones."
TITLES = " " * 54 + "Raw value   Standardized"
INDENT = "    "
TRAINING = "SD from training sets & stochastic training:"
SETS, STOCHASTIC = "SD from training sets:", "SD from stochastic training:"
CASES = "SD from test cases:"
RESIDUAL = {
    "hierarchical": "SD from test cases & stoch. pred. & interactions:",
    "common": "SD from interactions & stochastic predictions:",
}


class LossFacts(NamedTuple):
    """Facts about a loss on a task.

    Attributes
    ----------
    constant : float or None
        Constant that standardizes the loss; None prints `undefined`.
    listed : ListedFacts or None
        Facts about instances that are not the standard ones.
    stochastic : Estimate or None
        Variation between runs on the same training sets.
    """

    loss: str
    constant: float | None
    design: str
    training_size: int
    listed: ListedFacts | None = None
    stochastic: Estimate | None = None


def loss_heading(loss: str) -> str:
    """Return the line above the statistics of a loss, such as `Loss: Z0.2N (Zero-one, no guess 0.2)`."""
    return f"Loss: {loss} ({known_loss(loss).name})"


def estimate_text(estimate: Estimate, facts: LossFacts, *, extra: Sequence[str] = ()) -> str:
    """Return the lines of one method's Estimate, and an empty line. `extra`: as for a comparison."""
    lines = [TITLES, "", _mean("Estimated expected loss:", estimate.mean, facts)]
    lines += _errors("Standard error for estimate:", estimate, facts)
    lines += [*extra, ""] if extra else []
    return "\n".join([*lines, *_basis(estimate, facts, blank=""), ""])


def comparison_text(
    comparison: Estimate, names: tuple[str, str], facts: LossFacts, *, extra: Sequence[str] = ()
) -> str:
    """Return the lines that show the comparison of two methods, with an empty line at the end.

    `names` are the displayed names. `extra` has lines that DELVE 1.1 does not print; they follow the line of
    the test.
    """
    lines = [TITLES, ""]
    for name, mean in zip(names, (comparison.mean_a, comparison.mean_b), strict=True):
        lines.append(_mean(f"Estimated expected loss for {name}:", mean, facts))
    lines.append(_spread("Estimated expected difference:", comparison.mean, facts))
    lines += _errors("Standard error for difference estimate:", comparison, facts)
    if comparison.standard_error is not None:
        analysis = "bootstrap" if comparison.test == ANALYSES["bootstrap"].test else facts.design
        test, p = ANALYSES[analysis].name, _probability(comparison)
        lines.append(f"{INDENT}Significance of difference ({test}), p {p}")
    if comparison.standard_error is not None or extra:
        lines += [*extra, ""]
    # DELVE 1.1 leaves a blank after `and` in comparisons on a common test set, and only there.
    lines += _basis(comparison, facts, blank=" " if facts.design == "common" else "")
    return "\n".join([*lines, ""])


def safe_line(test: SafeTest | None) -> str:
    """Return the line that shows a SafeTest."""
    if test is None:
        return f"{INDENT}Safe test, p = {UNDEFINED}"
    p, lower, upper = map(format_number, test)
    return f"{INDENT}Safe test, p = {p}, {percent(DEFAULT_LEVEL)} interval {lower} to {upper}"


def _mean(title: str, value: float | None, facts: LossFacts) -> str:
    return _row(title, value, standardized_mean(facts.loss, _rounded(value), facts.constant))


def _spread(title: str, value: float | None, facts: LossFacts) -> str:
    return _row(title, value, standardized_spread(facts.loss, _rounded(value), facts.constant))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round_number(value)


def _row(title: str, value: float | None, standardized: float | None) -> str:
    shown = [UNDEFINED if number is None else format_number(number) for number in (value, standardized)]
    return f"{title:>49}{shown[0]:>13}{shown[1]:>14}"


def _errors(title: str, result: Estimate, facts: LossFacts) -> list[str]:
    """Return the lines on errors and variances, or the reason why there are none."""
    if result.standard_error is None:
        return ["", *fold(f"No standard error: {words_of(filter(None, [result.reason]))}.", INDENT), ""]
    lines = [_spread(title, result.standard_error, facts), ""]
    if training := facts.stochastic:
        lines += [
            _spread(SETS, training.sd_training, facts),
            _spread(STOCHASTIC, training.sd_stochastic, facts),
        ]
        p = UNDEFINED if training.p is None else format_number(training.p)
        lines.append(f"{INDENT}Significance of stochastic training (F-test), p = {p}")
    else:
        lines.append(_spread(TRAINING, result.sd_training, facts))
    lines += [_spread(CASES, result.sd_cases, facts)] if facts.design == "common" else []
    return [*lines, _spread(RESIDUAL[facts.design], result.sd_residual, facts), ""]


def _probability(comparison: Estimate) -> str:
    p = comparison.p
    if p is None:
        return f"= {UNDEFINED}"
    is_small = is_rough(p, test=comparison.test, instances=comparison.instances)
    return f"< {ROUGH_P}" if is_small else f"= {format_number(p)}"


def _basis(result: Estimate, facts: LossFacts, *, blank: str) -> list[str]:
    """Return the lines on the number and kind of training and test sets."""
    count, listed = result.instances, facts.listed
    training_cases, test_cases = f"{facts.training_size} cases", f"{result.test_cases} cases"
    training_kind = test_kind = "disjoint {} sets"
    if listed:
        training_cases, training_kind = _range(listed.training_sizes), _kind(listed.training_disjoint)
        test_kind = _kind(listed.test_disjoint)
        test_cases = _range(listed.test_sizes) if result.test_cases is None else test_cases
    training = f"{count} {training_kind.format('training')}, each containing {training_cases}"
    test = f"{count} {test_kind.format('test')}, each containing {test_cases}."
    if count == 1:
        training = f"one training set containing {training_cases}"
    if facts.design == "common" or count == 1:
        test = f"one {'common ' * (facts.design == 'common')}test set containing {test_cases}."
    lines = [f"{INDENT}Based on {training} and{blank}", f"{INDENT}         {test}"]
    if listed and listed.runs > 1:
        lines.append(f"{INDENT}Up to {listed.runs} runs on each training set are averaged.")
    return [*lines, f"{INDENT}{NON_STANDARD}"] if listed else lines


def _kind(disjoint: bool) -> str:
    return "disjoint {} sets" if disjoint else "{} sets that share cases"


def _range(sizes: Iterable[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low} cases" if low == high else f"{low} to {high} cases"


def design_of(listed: ListedFacts | None) -> Design | None:
    """Describe the shared cases of listed instances; None if they share none."""
    design = Design(listed.design, listed.scheme, listed.share) if listed else None
    return design if design and design.note else None


def corrected_estimate(estimate: Estimate, rows: Rows, design: Design) -> tuple[Estimate, list[str]]:
    """Return the estimate to show, and lines with the error corrected for shared cases."""
    corrected = overlapping_estimate(rows, design)
    error = corrected.standard_error
    lines = fold(f"{words_of(filter(None, [design.note]))}.", INDENT)
    if design.by_samples:
        return corrected, lines
    if error is not None:
        lines = [f"{INDENT}Standard error that allows for shared cases: {format_number(error)}", *lines]
    return estimate, lines


def corrected_comparison(
    comparison: Estimate, rows: Rows, others: Rows, design: Design | None, *, names: tuple[str, str]
) -> tuple[Estimate, list[str]]:
    """Return the comparison to show, and lines on the safe test and its correction for shared cases."""
    if design is None:
        return comparison, [safe_line(safe_test(comparison.pair) if comparison.pair else None)]
    test, remarks = overlapping_test(rows, others, design)
    if design.by_samples:
        both = overlapping_estimate([a - b for a, b in zip(rows, others, strict=True)], design)
        comparison = both._replace(
            mean_a=overlapping_estimate(rows, design).mean,
            mean_b=overlapping_estimate(others, design).mean,
            test=ANALYSES["bootstrap"].test,
            p=test[0] if test else None,
        )
    lines = fold(f"{words_of(remarks, methods=names)}.", INDENT)
    return comparison, [safe_line(test), *lines]


TESTS = {one.test: one.name for one in ANALYSES.values()}
"""Names of tests by their codes."""
Row = Mapping[str, Any]


def metric_heading(metric: Measure) -> str:
    """Return `Metric: auc (area under the ROC curve, higher is better)`."""
    from delvecore.metrics.registry import spec_named

    spec = spec_named(metric.title.partition(":")[0])
    about = [*([spec.title] if spec else []), metric.direction]
    return f"Metric: {metric.title} ({', '.join(about)})"


def metric_estimate(estimate: Estimate, notes: Sequence[Note], metric: Measure) -> str:
    """Return the lines that show a method's mean over the instances."""
    lines = [_line(f"Estimated expected {metric.title}:", estimate.mean)]
    lines.append(_line("Standard error for estimate:", estimate.standard_error))
    return "\n".join(["", *lines, "", *_metric_basis(estimate.instances, notes), ""])


def metric_comparison(row: Row, metric: Measure) -> str:
    """Return the lines that compare two methods by a metric. row: a row of an archive's comparisons."""
    lines = [
        _line(f"Estimated expected {metric.title} for /{row[f'method_{side}']}:", row[f"mean_{side}"])
        for side in "ab"
    ]
    lines.append(_line("Estimated expected difference:", row["difference"]))
    lines.append(_line("Standard error for difference estimate:", row["standard_error"]))
    return "\n".join(
        ["", *lines, "", *_test(row), *_metric_basis(row["instances"], parsed(row["notes"])), ""]
    )


def _test(row: Row) -> Iterator[str]:
    if row["p"] is not None:
        test, p = TESTS[row["test"]], format_number(row["p"])
        yield f"{INDENT}Significance of difference ({test}), p = {p}"
    if row["lower"] is not None:
        low, high = format_number(row["lower"]), format_number(row["upper"])
        yield f"{INDENT}{percent(DEFAULT_LEVEL)} interval {low} to {high}"
        yield ""


def _line(title: str, value: float | None) -> str:
    return f"{title:>49} {'undefined' if value is None else format_number(value):>12}"


def _metric_basis(count: int, notes: Sequence[Note]) -> Iterator[str]:
    yield f"{INDENT}Based on {count} training set{'s' * (count != 1)}, with one value of the metric per set."
    if text := words_of(notes):
        yield from fold(f"{text[0].upper()}{text[1:]}.", INDENT)
