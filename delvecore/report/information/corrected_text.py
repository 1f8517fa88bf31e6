"""What `mstats` adds where instances share cases, and where the safe test is asked for."""

from delvecore.number_format.numbers import format_number
from delvecore.readers.instances import ListedFacts
from delvecore.report.information.statistics_text import safe_line
from delvecore.report.writers.text import fold
from delvecore.stats.choose import ANALYSES
from delvecore.stats.designs import Design
from delvecore.stats.losses.mean_squares import Rows
from delvecore.stats.losses.mstats import (
    Comparison,
    Estimate,
    overlapping_estimate,
    overlapping_test,
    safe_test,
)
from delvecore.stats.notes import words_of

__all__ = ["corrected_comparison", "corrected_estimate", "design_of"]

INDENT = "    "


def design_of(listed: ListedFacts | None) -> Design | None:
    """Return how listed instances share cases; None where they share none."""
    design = Design(listed.design, *listed.overlap) if listed else None
    return design if design and design.note else None


def corrected_estimate(estimate: Estimate, rows: Rows, design: Design) -> tuple[Estimate, list[str]]:
    """Return the estimate to show, and lines with the error that allows for shared cases. Of bootstrap
    samples nothing else has a meaning."""
    found = overlapping_estimate(rows, design)
    error = found.standard_error
    lines = fold(f"{words_of(filter(None, [design.note]))}.", INDENT)
    if design.by_samples:
        return found, lines
    if error is not None:
        lines = [f"{INDENT}Standard error that allows for it: {format_number(error)}", *lines]
    return estimate, lines


def corrected_comparison(
    comparison: Comparison, rows: Rows, others: Rows, design: Design | None, *, names: tuple[str, str]
) -> tuple[Comparison, list[str]]:
    """Return the comparison to show, and lines with the safe test, and how it allows for shared cases."""
    if design is None:
        return comparison, [safe_line(safe_test(comparison.pair) if comparison.pair else None)]
    found, said = overlapping_test(rows, others, design)
    if design.by_samples:
        both = overlapping_estimate([a - b for a, b in zip(rows, others, strict=True)], design)
        comparison = Comparison(
            both.instances,
            both.test_cases,
            mean_a=overlapping_estimate(rows, design).mean,
            mean_b=overlapping_estimate(others, design).mean,
            difference=both.mean,
            standard_error=both.standard_error,
            test=ANALYSES["bootstrap"].test,
            p=found.p if found else None,
        )
    lines = fold(f"{words_of(said, methods=names)}.", INDENT)
    return comparison, [safe_line(found), *lines]
