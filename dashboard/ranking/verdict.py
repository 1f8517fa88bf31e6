"""What a ranking says, in one sentence that a paper could print, and what it does not say, in a few more.

Sentences are Markdown with escaped names.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dashboard.frame import words
from dashboard.ranking.choice import CONTROL, NEMENYI, WILCOXON
from dashboard.ranking.data import different_pairs
from dashboard.ranking.figures.rank_pairs import RankPairs
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.rank_intervals import LeftOut
from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = [
    "Basis",
    "Caveat",
    "caveats",
    "leave_out_sentence",
    "pair_sentence",
    "ranking_sentence",
    "why_nothing",
]

MOST_NAMED = 6
FEW_TASKS = 10
MOST_NEEDED = 10_000
Caveat = tuple[str, bool]
"""A sentence, and whether it touches what is said first."""
TEST_WORDS = {
    NEMENYI: "Nemenyi’s test",
    WILCOXON: "Wilcoxon’s signed-rank test with Holm’s adjustment",
    CONTROL: "the Bonferroni-Dunn test",
}


@dataclass(frozen=True, slots=True)
class Basis:
    """What the tasks are, for the sentence and its caveats. quantity: such as `standardized squared error`.

    of_datasets: from how many datasets the tasks come, None where that is not known. left_out: tasks of the
    visitor's table that the archive does not have. families: of datasets that come from one simulator or
    one survey; a dataset without any is its own.
    """

    quantity: str
    of_datasets: int | None
    left_out: int = 0
    families: tuple[str, ...] = ()


def _global_test(found: Analysis) -> str:
    """`Friedman’s test, p < 0.0001`; the exact p where there is one."""
    test = found.friedman
    if test.exact_p is not None:
        return f"Friedman’s exact test, {words.p_value(test.exact_p)}"
    return f"Friedman’s test, {words.p_value(test.p)}"


def ranking_sentence(found: Analysis, test: str, basis: Basis) -> str:
    """Which method is best, over what, and from which others is it told apart?"""
    best, others = _best(found)
    tasks = words.count(len(found.table.tasks), "task")
    if basis.of_datasets is not None:
        tasks += f" of {words.count(basis.of_datasets, 'dataset')}"
    rank = f"{found.ranks.average.min():.2f}"
    have = "share" if len(best) > 1 else "has"
    lead = f"{_named(best)} {have} the best mean rank, {rank} of {len(found.table.methods)}"
    place = f"over {tasks} by {words.escape(basis.quantity)}"
    if not found.is_significant:
        return (
            f"**No method is shown to be best** {place}: no difference between the "
            f"{words.count(len(found.table.methods), 'method')} is found ({_global_test(found)}). {lead}."
        )
    start = f"**{lead},** {place}; the methods differ ({_global_test(found)})."
    if test == CONTROL and found.control is not None:
        return f"{start} {_against_control(found, found.control)}"
    return f"{start} {_against_best(found, test, others)}"


def _best(found: Analysis) -> tuple[list[str], list[int]]:
    """Return (names with the best mean rank, places of the others, best first)."""
    average = found.ranks.average
    lowest = average.min()
    best = [found.table.methods[place] for place in found.order if average[place] == lowest]
    return best, [place for place in found.order if average[place] > lowest]


def _named(names: Sequence[str]) -> str:
    shown = [words.escape(name) for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        shown.append(f"{len(names) - MOST_NAMED} more")
    return words.and_list(shown)


def _against_best(found: Analysis, test: str, others: list[int]) -> str:
    apart = _apart(found, test, found.order[0])
    better = [found.table.methods[place] for place in others if place in apart]
    alike = [found.table.methods[place] for place in others if place not in apart]
    lead = f"By {TEST_WORDS[test]} at {found.alpha:g} it"
    if not alike:
        return f"{lead} **is better than every other**."
    if not better:
        return f"{lead} **is not told apart from any other**."
    verb = "is better than" if len(better) <= len(alike) or len(better) <= MOST_NAMED else None
    said = f"{verb} {_named(better)}" if verb else f"is better than {len(better)} others"
    return f"{lead} {said}, **but not told apart from {_named(alike)}**."


def _apart(found: Analysis, test: str, place: int) -> set[int]:
    """Return the places of the methods that a test tells apart from one."""
    different = different_pairs(found, test)
    first, second = found.scan.first, found.scan.second
    other = np.where(first == place, second, first)
    return set(other[different & ((first == place) | (second == place))].tolist())


def _against_control(found: Analysis, control: int) -> str:
    dunn, names = found.bonferroni_dunn, found.table.methods
    groups: dict[str, list[str]] = {"better": [], "worse": [], "not told apart": []}
    for place in found.order:
        if dunn is None or place == control:
            continue
        verdict = "better" if dunn.difference[place] < 0 else "worse"
        groups[verdict if dunn.different[place] else "not told apart"].append(names[place])
    said = [f"**{verdict}**: {_named(members)}" for verdict, members in groups.items() if members]
    return (
        f"Against the control **{words.escape(names[control])}** by {TEST_WORDS[CONTROL]} at "
        f"{found.alpha:g}, {'; '.join(said)}."
    )


def caveats(found: Analysis, test: str, basis: Basis) -> list[Caveat]:
    """Return what is to be kept in mind, each with whether it touches what the sentence says."""
    said = [*_missing(found, basis), *_related(found, basis), *_few(found)]
    if test in (NEMENYI, CONTROL) and len(found.table.methods) > 2:
        said.append(
            (
                "Mean ranks, and with them this test, depend on which methods are compared; the matrix of "
                "pairs does not.",
                False,
            )
        )
    tied = int((found.ranks.tie_terms > 0).sum())
    if tied:
        text = f"Methods tie on {words.count(tied, 'task')}; tied methods share the mean of their ranks."
        said.append((text, False))
    return said


def _missing(found: Analysis, basis: Basis) -> list[Caveat]:
    said = []
    if found.dropped_tasks:
        total = len(found.given.tasks)
        text = (
            f"{len(found.dropped_tasks)} of {words.count(total, 'task')} are left out, as results are "
            f"missing there: {_lacking(found.given)}. Nothing is filled in."
        )
        said.append((text, 2 * len(found.dropped_tasks) > total))
    if found.dropped_methods:
        names = _named(found.dropped_methods)
        said.append((f"Left out, as results are missing on some of these tasks: {names}.", True))
    if basis.left_out:
        tasks = words.count(basis.left_out, "task")
        are = "is" if basis.left_out == 1 else "are"
        said.append((f"{tasks} of your table {are} left out, not being among those chosen here.", False))
    return said


def _lacking(table: ScoreTable) -> str:
    """`a lacks 12, b lacks 3`: most first."""
    counts = np.isnan(table.values).sum(axis=0).tolist()
    pairs = sorted(zip(table.methods, counts, strict=True), key=lambda pair: -pair[1])
    named = [f"{words.escape(name)} lacks {count}" for name, count in pairs if count]
    more = f" and {len(named) - MOST_NAMED} more methods" if len(named) > MOST_NAMED else ""
    return ", ".join(named[:MOST_NAMED]) + more


def why_nothing(table: ScoreTable, reason: str) -> str:
    """Say why a table has no ranking. reason: why the analysis refused it, where it is not for its shape."""
    tasks, methods = len(table.tasks), len(table.methods)
    have = f"{words.count(methods, 'method')} on {words.count(tasks, 'task')}"
    if tasks < 2 or methods < 2:
        return f"There are results of {have}."
    if table.missing:
        return f"There are results of {have}, but too many are missing: {_lacking(table)}."
    return words.escape(f"{reason[:1].upper()}{reason[1:]}.")


def _related(found: Analysis, basis: Basis) -> list[Caveat]:
    tasks = len(found.table.tasks)
    if basis.of_datasets is None or basis.of_datasets >= tasks:
        return []
    if basis.of_datasets == 1:
        text = (
            f"All {tasks} tasks are of one dataset: they are related, so nothing follows for other data, and "
            "p-values are too small."
        )
    elif len(basis.families) == 1:
        text = (
            f"All {tasks} tasks are of one family, {_named(basis.families)}: they are related, so nothing "
            "follows for other data, and p-values are too small."
        )
    elif basis.families and len(basis.families) < basis.of_datasets:
        families = words.count(len(basis.families), "family", "families")
        text = (
            f"The {tasks} tasks come from {basis.of_datasets} datasets of {families} "
            f"({_named(basis.families)}): tasks of one family are related, not an independent sample, so "
            "p-values are smaller than they should be."
        )
    else:
        text = (
            f"The {tasks} tasks come from {basis.of_datasets} datasets: tasks of one dataset are related, "
            "not an independent sample, so p-values are smaller than they should be."
        )
    return [(text, True)]


def _few(found: Analysis) -> list[Caveat]:
    tasks = len(found.table.tasks)
    if tasks >= FEW_TASKS:
        return []
    return [(f"{words.count(tasks, 'task')} are few: only large differences can be found.", False)]


def pair_sentence(pairs: RankPairs, pair: tuple[str, str], needed: float) -> str:
    """Which of two methods is better, on how many tasks, and is it settled?

    needed: how many tasks would settle it; not a number where that cannot be told.
    """
    place = tuple(pairs.methods.index(name) for name in pair)
    a, b = (words.escape(name) for name in pair)
    wins, ties, losses = (int(part[place]) for part in (pairs.wins, pairs.ties, pairs.losses))
    said = f"**{a} is better than {b} on {wins} of {wins + ties + losses} tasks**"
    said += f", as good on {ties}" if ties else ""
    verdict = pairs.verdict[place]
    settled = {"better": f"{a} is better", "worse": f"{b} is better"}.get(verdict, verdict)
    return (
        f"{said}; mean difference {words.number(pairs.difference[place], digits=2)}, "
        f"{words.p_value(pairs.p[place])} by Wilcoxon’s test of this pair alone: **{settled}**."
        + (_needed(needed) if settled == verdict else "")
    )


def _needed(tasks: float) -> str:
    """Say how many tasks would settle it."""
    if math.isnan(tasks):
        return ""
    if tasks > MOST_NEEDED:
        return " Were it as small as it seems, more tasks would hardly ever settle it."
    return (
        f" Were the difference as it seems, about {words.count(int(tasks), 'task')} would be needed to find "
        "it in four of five studies."
    )


def leave_out_sentence(methods: Sequence[str], left: Sequence[LeftOut]) -> str:
    """Does the best method, and does the order, stay the same without each family of tasks?"""
    changed = [
        f"{words.escape(one.group)} (then {words.escape(methods[int(one.average.argmin())])})"
        for one in left
        if not one.same_best
    ]
    moved = [one for one in left if one.moved]
    if changed:
        more = f" and {len(changed) - 6} more" if len(changed) > 6 else ""
        named = ", ".join(changed[:6]) + more if more else words.and_list(changed)
        return f"**The best method changes** without {named}."
    if moved:
        most = max(moved, key=lambda one: one.moved)
        return (
            f"**The best method stays the same** whichever family is left out; {len(moved)} of {len(left)} "
            f"times others change places, most without {words.escape(most.group)}."
        )
    return "**The order stays the same** whichever family is left out."
