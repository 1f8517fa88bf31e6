"""Statistics of losses as `mstats` prints them. Source: DELVE manual, section 8.3 and appendix C.

The layout and the digits are those of DELVE 1.1, which standardized what it had rounded to 9 digits."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from delvecore.number_format.numbers import format_number, round_number
from delvecore.readers.instances import ListedFacts
from delvecore.report.writers.text import fold
from delvecore.stats.choose import ANALYSES, ROUGH_P, is_rough, percent
from delvecore.stats.losses.mstats import Comparison, Estimate, SafeTest
from delvecore.stats.losses.standardization import loss_title, standardized_mean, standardized_spread
from delvecore.stats.notes import words_of

__all__ = ["LossFacts", "comparison_text", "estimate_text", "loss_heading", "safe_line"]

UNDEFINED = "undefined"
NON_STANDARD = "Task instances are not the standard ones."
TITLES = " " * 54 + "Raw value   Standardized"
INDENT = "    "
TRAINING = "SD from training sets & stochastic training:"
CASES = "SD from test cases:"
RESIDUAL = {
    "hierarchical": "SD from test cases & stoch. pred. & interactions:",
    "common": "SD from interactions & stochastic predictions:",
}


class LossFacts(NamedTuple):
    """What statistics are of. constant: what standardizes the loss, from `Test-set-stats`, or None, which
    prints `undefined`; listed: of instances that are not the standard ones, or None."""

    loss: str
    constant: float | None
    design: str
    training_size: int
    listed: ListedFacts | None = None


def loss_heading(loss: str) -> str:
    """Return the line that stands above the statistics of a loss, such as `Loss: S (Squared error)` or
    `Loss: Z0.2N (Zero-one, no guess 0.2)`."""
    return f"Loss: {loss} ({loss_title(loss)})"


def estimate_text(estimate: Estimate, facts: LossFacts, *, extra: Sequence[str] = ()) -> str:
    """Return the lines that show one method's Estimate, an empty one last. extra: as for a comparison."""
    lines = [TITLES, "", _mean("Estimated expected loss:", estimate.mean, facts)]
    lines += _errors("Standard error for estimate:", estimate, facts)
    lines += [*extra, ""] if extra else []
    return "\n".join([*lines, *_basis(estimate, facts, blank=""), ""])


def comparison_text(
    comparison: Comparison, names: tuple[str, str], facts: LossFacts, *, extra: Sequence[str] = ()
) -> str:
    """Return the lines that show the Comparison of two methods, an empty one last. names: as to be shown;
    extra: lines that DELVE 1.1 does not print, behind that of its test."""
    lines = [TITLES, ""]
    for name, mean in zip(names, (comparison.mean_a, comparison.mean_b), strict=True):
        lines.append(_mean(f"Estimated expected loss for {name}:", mean, facts))
    lines.append(_spread("Estimated expected difference:", comparison.difference, facts))
    lines += _errors("Standard error for difference estimate:", comparison, facts)
    if comparison.standard_error is not None:
        analysis = "bootstrap" if comparison.test == ANALYSES["bootstrap"].test else facts.design
        test, p = ANALYSES[analysis].name, _probability(comparison)
        lines.append(f"{INDENT}Significance of difference ({test}), p {p}")
    if comparison.standard_error is not None or extra:
        lines += [*extra, ""]
    # DELVE 1.1 leaves a blank behind `and` in comparisons on a common test set, and only there.
    lines += _basis(comparison, facts, blank=" " if facts.design == "common" else "")
    return "\n".join([*lines, ""])


def safe_line(found: SafeTest | None) -> str:
    """Return the line that shows a SafeTest."""
    if found is None:
        return f"{INDENT}Safe test, p = {UNDEFINED}"
    p, lower, upper = map(format_number, found[:3])
    return f"{INDENT}Safe test, p = {p}, {percent(found.level)} interval {lower} to {upper}"


def _mean(title: str, value: float | None, facts: LossFacts) -> str:
    return _row(title, value, standardized_mean(facts.loss, _rounded(value), facts.constant))


def _spread(title: str, value: float | None, facts: LossFacts) -> str:
    return _row(title, value, standardized_spread(facts.loss, _rounded(value), facts.constant))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round_number(value)


def _row(title: str, value: float | None, standardized: float | None) -> str:
    shown = [UNDEFINED if number is None else format_number(number) for number in (value, standardized)]
    return f"{title:>49}{shown[0]:>13}{shown[1]:>14}"


def _errors(title: str, result: Estimate | Comparison, facts: LossFacts) -> list[str]:
    """Return the lines on errors and variances, or those that say why there are none."""
    if result.standard_error is None:
        return ["", *fold(f"No standard error: {words_of(filter(None, [result.reason]))}.", INDENT), ""]
    lines = [_spread(title, result.standard_error, facts), "", _spread(TRAINING, result.sd_training, facts)]
    lines += [_spread(CASES, result.sd_cases, facts)] if facts.design == "common" else []
    return [*lines, _spread(RESIDUAL[facts.design], result.sd_residual, facts), ""]


def _probability(comparison: Comparison) -> str:
    p = comparison.p
    if p is None:
        return f"= {UNDEFINED}"
    is_small = is_rough(p, test=comparison.test, instances=comparison.instances)
    return f"< {ROUGH_P}" if is_small else f"= {format_number(p)}"


def _basis(result: Estimate | Comparison, facts: LossFacts, *, blank: str) -> list[str]:
    """Return the two lines that say how many training and test sets there were, and a third one where these
    are not the standard ones."""
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
    return [*lines, f"{INDENT}{NON_STANDARD}"] if listed else lines


def _kind(disjoint: bool) -> str:
    return "disjoint {} sets" if disjoint else "{} sets that share cases"


def _range(sizes: Iterable[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low} cases" if low == high else f"{low} to {high} cases"
