"""Statistics of losses as `mstats` prints them. Source: DELVE manual, section 8.3 and appendix C.

The layout and the digits are those of DELVE 1.1, which standardized what it had rounded to 9 digits.
"""

from collections.abc import Callable, Iterable

from delvecore.numerals.numbers import format_number, round_number
from delvecore.readers.instances import ListedFacts
from delvecore.report.writers.text import fold
from delvecore.statistics.choose import ANALYSES, ROUGH_P, is_rough
from delvecore.statistics.losses.records import Comparison, Estimate
from delvecore.statistics.losses.standardization import (
    loss_title,
    standardized_mean,
    standardized_spread,
)
from delvecore.statistics.notes import words_of

__all__ = ["comparison_text", "estimate_text", "loss_heading"]

Standardize = Callable[[str, float | None, float | None], float | None]
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


def loss_heading(loss: str) -> str:
    """Return the line that stands above the statistics of a loss, such as `Loss: S (Squared error)` or
    `Loss: Z0.2N (Zero-one, no guess 0.2)`."""
    return f"Loss: {loss} ({loss_title(loss)})"


def estimate_text(
    estimate: Estimate,
    *,
    loss: str,
    design: str,
    training_size: int,
    constant: float | None,
    listed: ListedFacts | None = None,
) -> str:
    """Return the lines that show one method's Estimate, an empty one last.

    constant: what standardizes the loss, from `Test-set-stats`, or None, which prints `undefined`; listed:
    the ListedFacts of instances that are not the standard ones, or None.
    """
    lines = [TITLES, "", _row("Estimated expected loss:", loss, estimate.mean, constant, standardized_mean)]
    lines += _errors("Standard error for estimate:", estimate, loss=loss, design=design, constant=constant)
    lines += _basis(estimate, design, training_size, listed, blank="")
    return "\n".join([*lines, ""])


def comparison_text(
    comparison: Comparison,
    names: tuple[str, str],
    *,
    loss: str,
    design: str,
    training_size: int,
    constant: float | None,
    listed: ListedFacts | None = None,
) -> str:
    """Return the lines that show the Comparison of two methods, an empty one last.

    names: of the two methods as they are to be shown; constant, listed: as for `estimate_text`.
    """
    means = (comparison.mean_a, comparison.mean_b)
    lines = [TITLES, ""]
    for name, mean in zip(names, means, strict=True):
        lines.append(_row(f"Estimated expected loss for {name}:", loss, mean, constant, standardized_mean))
    lines.append(_spread("Estimated expected difference:", loss, comparison.difference, constant))
    lines += _errors(
        "Standard error for difference estimate:", comparison, loss=loss, design=design, constant=constant
    )
    if comparison.standard_error is not None:
        p = _probability(comparison)
        lines += [f"{INDENT}Significance of difference ({ANALYSES[design].name}), p {p}", ""]
    # DELVE 1.1 leaves a blank behind `and` in comparisons on a common test set, and only there.
    lines += _basis(comparison, design, training_size, listed, blank=" " if design == "common" else "")
    return "\n".join([*lines, ""])


def _row(title: str, loss: str, value: float | None, constant: float | None, standardize: Standardize) -> str:
    if value is None:
        return f"{title:>49}{UNDEFINED:>13}{UNDEFINED:>14}"
    standardized = standardize(loss, round_number(value), constant)
    shown = UNDEFINED if standardized is None else format_number(standardized)
    return f"{title:>49}{format_number(value):>13}{shown:>14}"


def _spread(title: str, loss: str, value: float | None, constant: float | None) -> str:
    return _row(title, loss, value, constant, standardized_spread)


def _errors(
    title: str, result: Estimate | Comparison, *, loss: str, design: str, constant: float | None
) -> list[str]:
    """Return the lines on errors and variances, or those that say why there are none."""
    if result.standard_error is None:
        return ["", *fold(f"No standard error: {words_of(filter(None, [result.reason]))}.", INDENT), ""]
    lines = [
        _spread(title, loss, result.standard_error, constant),
        "",
        _spread(TRAINING, loss, result.sd_training, constant),
    ]
    if design == "common":
        lines.append(_spread(CASES, loss, result.sd_cases, constant))
    return [*lines, _spread(RESIDUAL[design], loss, result.sd_residual, constant), ""]


def _probability(comparison: Comparison) -> str:
    p = comparison.p
    if p is None:
        return f"= {UNDEFINED}"
    if is_rough(p, test=comparison.test, instances=comparison.instances):
        return f"< {ROUGH_P}"
    return f"= {format_number(p)}"


def _basis(
    result: Estimate | Comparison, design: str, training_size: int, listed: ListedFacts | None, *, blank: str
) -> list[str]:
    """Return the two lines that say how many training and test sets there were, and a third one where these
    are not the standard ones. listed: the ListedFacts of the instances, or None."""
    count = result.instances
    training_cases, test_cases = f"{training_size} cases", f"{result.test_cases} cases"
    training_kind = test_kind = "disjoint {} sets"
    if listed:
        training_cases, training_kind = _range(listed.training_sizes), _kind(listed.training_disjoint)
        test_kind = _kind(listed.test_disjoint)
        if result.test_cases is None:
            test_cases = _range(listed.test_sizes)
    if count == 1:
        training = f"one training set containing {training_cases}"
    else:
        training = f"{count} {training_kind.format('training')}, each containing {training_cases}"
    if design == "common" or count == 1:
        kind = "common test set" if design == "common" else "test set"
        test = f"one {kind} containing {test_cases}."
    else:
        test = f"{count} {test_kind.format('test')}, each containing {test_cases}."
    lines = [f"{INDENT}Based on {training} and{blank}", f"{INDENT}         {test}"]
    return [*lines, f"{INDENT}{NON_STANDARD}"] if listed else lines


def _kind(disjoint: bool) -> str:
    return "disjoint {} sets" if disjoint else "{} sets that share cases"


def _range(sizes: Iterable[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low} cases" if low == high else f"{low} to {high} cases"
