"""What must be said beside a ranking: direction, what was left out, what the tests assume."""

from delvecore.statistics.ranking.analysis import Analysis

__all__ = ["ranking_notes"]


def ranking_notes(found: Analysis) -> list[str]:
    """Return sentences for below a table or diagram, those that hold in every case last."""
    return [*_left_out(found), *_global(found), *_groups(found), *_always(found)]


def _left_out(found):
    notes = []
    if found.dropped_tasks:
        notes.append(
            f"{_some(len(found.dropped_tasks), 'task')} of {len(found.given.tasks)} left out, where a method "
            f"has no value: {_listed(found.dropped_tasks)}."
        )
    if found.dropped_methods:
        notes.append(f"Methods left out, without a value on every task: {_listed(found.dropped_methods)}.")
    return notes


def _global(found):
    if found.is_significant:
        return []
    p = found.friedman.p if found.friedman.exact_p is None else found.friedman.exact_p
    return [
        f"The global test finds no difference at {found.alpha:g} (p = {p:.3g}): differences of pairs are to "
        "be read with that in mind."
    ]


def _groups(found):
    if found.cliques.complete:
        return []
    return [f"Only the first {len(found.cliques.members)} groups of Wilcoxon's test are listed."]


def _always(found):
    better = "higher" if found.table.higher_is_better else "lower"
    zeros = (
        "ranked with the others, and their ranks left out (Pratt)"
        if found.wilcoxon.zeros_treatment == ("pratt")
        else "dropped"
    )
    return [
        f"Ranks: 1 is best, {better} values are better; equal values share the mean of their ranks.",
        "Mean ranks, and Nemenyi's and Bonferroni-Dunn's tests of them, depend on which methods are in the "
        "table; wins, Wilcoxon's test and the t-test of a pair do not.",
        f"Wilcoxon: two-sided, differences of zero {zeros}; exact up to 50 others, then normal. p is "
        "adjusted by Holm's method over all pairs.",
        "All p-values take the tasks for independent; those of one dataset are not quite.",
    ]


def _some(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _listed(names, most=10):
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
