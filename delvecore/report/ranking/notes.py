"""What is to be known of a ranking's numbers, in sentences for below its tables."""

from collections.abc import Sequence

from delvecore.report.ranking.units import unit_source, units_name
from delvecore.report.rounding import p_words
from delvecore.report.writers.text import counted
from delvecore.statistics.choose import adjustment_words
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.units import DATASET, TASK, holds_several

__all__ = ["listed", "ranking_notes"]


def ranking_notes(found: Analysis) -> list[str]:
    """Return sentences for below a table, those that hold in every case last."""
    notes = []
    if found.dropped_tasks:
        notes.append(
            f"{counted(len(found.dropped_tasks), 'task')} of {len(found.given.tasks)} left out, where a "
            f"method has no value: {listed(found.dropped_tasks)}."
        )
    if found.dropped_methods:
        notes.append(f"Methods left out, without a value on every task: {listed(found.dropped_methods)}.")
    if not found.is_significant:
        p = found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
        notes.append(
            f"The global test finds no difference at {found.alpha:g} ({p_words(p)}): differences of pairs "
            "are to be read with that in mind."
        )
    better = "higher" if found.table.higher_is_better else "lower"
    is_pratt = found.wilcoxon.zeros_treatment == "pratt"
    zeros = "ranked with the others, and their ranks left out (Pratt)" if is_pratt else "dropped"
    return [
        *notes,
        f"Ranks: 1 is best, {better} values are better; equal values share the mean of their ranks.",
        "Mean ranks, and Nemenyi's and Bonferroni-Dunn's tests of them, depend on which methods are in the "
        "table; wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        f"{adjustment_words(found.adjustment)}.",
        "Nemenyi's test allows for all pairs by the studentized range, sign flips do by the largest "
        "statistic where p is adjusted so as to hold the probability of any error.",
        *filter(None, [_on_units(found), unit_source(found)]),
    ]


def _on_units(found: Analysis) -> str:
    """Say what counts once, and what is taken for independent."""
    if holds_several(found.table, found.unit):
        name = found.unit
        return (
            f"Ranks, and values, are averaged over the tasks of each {name} before all tests; intervals of "
            f"mean ranks are drawn from {units_name(found)}, which are taken for independent."
        )
    text = f"All p-values take the {units_name(found)} for independent"
    related = found.unit == TASK and holds_several(found.table, DATASET)
    return f"{text}{'; those of one dataset are not, and p is too small' if related else ''}."


def listed(names: Sequence[str], most: int = 10) -> str:
    """Return `a, b, c`, or the first of them and how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
