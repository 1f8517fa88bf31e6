"""Sentences on failed runs that are concentrated in some methods.

They say whom common runs favor, and what changes if each failed run has the worst value."""

from collections.abc import Sequence
from typing import Any

from delvecore.render.numbers import p_words
from delvecore.render.spans import as_name, plain
from delvecore.render.text import and_list
from delvecore.report.verdict_words import PHRASES, THAN
from delvecore.stats.choose import Verdict
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.failed_runs import Concentration, failure_concentration
from delvecore.stats.ranking.score_table import CommonRuns
from delvecore.stats.verdicts import PairVerdicts, RankTest, pair_verdicts, verdict_row

MOST_NAMED = 3
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def favored_words(runs: CommonRuns | None, methods: tuple[str, ...] | None = None) -> str:
    """Say in which methods failed runs are concentrated, and that common runs may favor them; empty for none.

    methods: those that are compared, None for all that share the runs; name: writes the name of a method."""
    found = runs and failure_concentration(runs, methods)
    if not found:
        return ""
    who, owner = _listed(found.methods), "its" if len(found.methods) == 1 else "their"
    return (
        f"Failed runs are concentrated in {who}. Comparing on common runs may favor {who}: "
        f"{found.failed:,} of {found.of:,} failed runs are {owner} own (exact {p_words(found.p)})."
    )


def failed_ranking_words(found: Analysis, test: RankTest) -> str:
    """Say the same of a ranking, and how its verdicts change with the worst value for each failed run."""
    concentration, worst = concentration_of(found), found.with_failed_worst
    if concentration is None:
        return ""
    favored = favored_words(found.given.runs, found.table.methods)
    changes = [] if worst is None else _with_worst(found, worst, concentration.methods, test)
    return " ".join([favored, *changes])


def concentration_of(found: Analysis) -> Concentration | None:
    """Return the ranked methods in which failed runs are concentrated."""
    runs = found.given.runs
    return None if runs is None else failure_concentration(runs, found.table.methods)


def failure_record(found: Analysis, test: RankTest) -> dict[str, Any] | None:
    """Return the same for JSON; None if failed runs are not concentrated."""
    concentration, worst = concentration_of(found), found.with_failed_worst
    if concentration is None:
        return None
    return {
        **concentration._asdict(),
        "average_ranks_with_worst": worst and worst.average_ranks,
        "text": plain(failed_ranking_words(found, test)),
    }


def _with_worst(
    found: Analysis,
    worst: Analysis,
    methods: Sequence[str],
    test: RankTest,
) -> list[str]:
    """Return sentences on the ranking with the worst value for each failed run of these methods."""
    names = found.table.methods
    favored = next(names[place] for place in found.order if names[place] in methods)
    place, before = _place(worst, favored), _place(found, favored)
    still = "still " if place == before else ""
    rank = ORDINALS[place - 1] if place <= len(ORDINALS) else f"number {place}"
    has = "has the best mean rank" if place == 1 else f"ranks {rank} of {len(worst.table.methods)}"
    given = found.given
    # The option also ranks the methods that are left out for their failed runs.
    is_option = given.paths and not (given.runs and given.runs.unranked)
    lead = "With --failed worst" if is_option else "With the worst value for each failed run"
    claim = _claim(favored, found, worst, test)
    sentences = [f"{lead}, {as_name(favored)} {still}{has}{claim}."]
    first, then = names[found.order[0]], worst.table.methods[worst.order[0]]
    if then != favored:
        still = "still has" if then == first else "then has"
        sentences.append(f"{as_name(then)} {still} the best mean rank.")
    return sentences


def _claim(method: str, found: Analysis, worst: Analysis, test: RankTest) -> str:
    """Return the verdicts on a method with the worst value, compared with those on common runs."""
    verdicts = pair_verdicts(worst, test)
    if not verdicts.is_testable:
        return f"; differences are {PHRASES[Verdict.NOT_TESTED]}"
    before, after = _groups(found, pair_verdicts(found, test), method), _groups(worst, verdicts, method)
    better, below = after[Verdict.BETTER], after[Verdict.WORSE]
    others = len(worst.table.methods) - 1
    parts = []
    if below:
        parts.append(f"is {THAN[Verdict.WORSE]} {_others(below, others)}")
    if better:
        still = "still " if better == before[Verdict.BETTER] else ""
        parts.append(f"is {still}{THAN[Verdict.BETTER]} {_others(better, others)}")
    if parts:
        return f" and {' but '.join(parts)}"
    control = worst.table.methods[verdicts.control or 0]
    is_against = verdicts.control is not None and control != method
    whom = f"the control {as_name(control)}" if is_against else "any other"
    if before[Verdict.BETTER]:
        return f", but is no longer {THAN[Verdict.BETTER]} {whom}"
    return f" and is {THAN[Verdict.NOT_SIGNIFICANT]} {whom}"


def _groups(found: Analysis, said: PairVerdicts, method: str) -> dict[Verdict, list[str]]:
    """Return the other methods, in the order of the table, by the verdict on one method against them."""
    names = found.table.methods
    groups: dict[Verdict, list[str]] = {one: [] for one in Verdict}
    for other, verdict in zip(names, verdict_row(found, said, names.index(method)), strict=True):
        if other != method:
            groups[verdict].append(other)
    return groups


def _place(found: Analysis, method: str) -> int:
    average = found.ranks.average
    return 1 + int((average < average[found.table.methods.index(method)]).sum())


def _others(names: Sequence[str], others: int) -> str:
    if len(names) <= MOST_NAMED:
        return _listed(names)
    return "every other" if len(names) == others else f"{len(names)} of the {others} others"


def _listed(names: Sequence[str]) -> str:
    shown = [as_name(one) for one in names[:MOST_NAMED]]
    return and_list([*shown, f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else shown)
