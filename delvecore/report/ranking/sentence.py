"""What a ranking says, in one sentence that a paper could print: the same on the page and in the command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from delvecore.report.ranking.units import (
    adjustment_name,
    basis_words,
    unit_count,
    units_name,
    untestable_words,
)
from delvecore.report.rounding import p_words
from delvecore.report.verdict_words import PHRASES, THAN, not_tested, test_words
from delvecore.report.writers.text import and_list, counted
from delvecore.stats.choose import RankTest, Verdict, turned_verdict
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.combined import CombinedPairs
from delvecore.stats.ranking.pair_verdicts import PairVerdicts, pair_verdicts, verdict_row

__all__ = [
    "MOST_NAMED",
    "PLAIN",
    "TaskCounts",
    "Wording",
    "best_words",
    "named",
    "ranking_sentence",
    "rival_words",
]
__all__ += ["task_counts_sentence"]

MOST_NAMED = 6
Groups = dict[Verdict, list[str]]
"""Names of methods by what is said of them."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a sentence is written where it is read: what is done to names from files, and to what matters
    most."""

    name: Callable[[str], str] = str
    strong: Callable[[str], str] = str
    apostrophe: str = "’"

    def test(self, said: PairVerdicts) -> str:
        """Return the test of verdicts: `sign flips of signed ranks`."""
        return test_words(said.test, said.statistic).replace("’", self.apostrophe)


PLAIN = Wording(apostrophe="'")
"""For a terminal, and for files."""


def ranking_sentence(
    found: Analysis, said: PairVerdicts, *, quantity: str = "", wording: Wording = PLAIN
) -> str:
    """Say which method is best over what, and than how many others it is significantly better: on these
    units, and where each family counts once. said: by the test chosen; quantity: what the values are, empty
    where nobody knows."""
    average, names = found.ranks.average, found.table.methods
    best = [names[place] for place in found.order if average[place] == average.min()]
    have = "share" if len(best) > 1 else "has"
    lead = f"{named(best, wording)} {have} the best mean rank, {average.min():.2f} of {len(names)}"
    over = basis_words(found)
    over += f"{',' if ';' in over else ''} by {wording.name(quantity)}" if quantity else ""
    how = f"{wording.test(said)}, {adjustment_name(said)}, at {found.alpha:g}"
    if not said.is_testable:
        untested = not_tested(untestable_words(found))
        claim = f"Which methods differ is {wording.strong(untested)} by {how}."
    elif said.test == RankTest.CONTROL:
        claim = _against_control(found, said, wording)
    else:
        shared = wording.name(names[found.order[0]]) if len(best) > 1 else "it"
        claim = f"By {how}, {shared} is {best_words(found, said, wording)}."
    left = len(found.dropped_methods)
    all_methods = counted(len(found.given.methods), "method")
    not_ranked = f"Without a value on some task {left} of {all_methods} are not ranked." if left else ""
    first = f"{wording.strong(f'{lead},')} over {over}. {claim}"
    return " ".join(filter(None, [first, not_ranked, _friedman_words(found, wording)]))


def _friedman_words(found: Analysis, wording: Wording) -> str:
    """Say whether the global test finds any difference."""
    friedman = found.friedman
    p, kind = (friedman.p, "test") if friedman.exact_p is None else (friedman.exact_p, "exact test")
    finds = "finds that the methods differ" if found.is_significant else "finds no difference between methods"
    return f"Friedman{wording.apostrophe}s {kind} of all methods {finds} ({p_words(p)})."


def best_words(found: Analysis, said: PairVerdicts, wording: Wording = PLAIN) -> str:
    """Say what the verdicts are on the method of the best mean rank: `significantly better than 9 of the 11
    others on these datasets, than 4 of them also where each of 8 families counts once, and not significantly
    different from a and b`."""
    groups, count = _groups(found, said, found.order[0]), len(found.table.methods) - 1
    better, worse, alike = (groups[one] for one in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT))
    if not better and not worse:
        return wording.strong(f"{THAN[Verdict.NOT_SIGNIFICANT]} any other")
    parts = []
    if better:
        few = f"{wording.name(better[0])}, the only other," if count == 1 else "every other"
        many = few if len(better) == count else f"{len(better)} of the {count} others"
        parts.append(f"{wording.strong(f'{THAN[Verdict.BETTER]} {many}')} on these {units_name(found)}")
        parts += [family] if (family := _family_claim(found, said, better)) else []
    parts += [wording.strong(f"{THAN[Verdict.WORSE]} {named(worse, wording)}")] if worse else []
    parts += [f"{THAN[Verdict.NOT_SIGNIFICANT]} {wording.strong(named(alike, wording))}"] if alike else []
    return and_list(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _family_claim(found: Analysis, said: PairVerdicts, better: Sequence[str]) -> str:
    """Say of how many others the verdict holds where each family counts once; empty without families."""
    again = found.by_family
    if again is None:
        return ""
    once = f"where each of {unit_count(again)} counts once"
    by_family = pair_verdicts(again, said.test)
    if not by_family.is_testable:
        return f"{not_tested(untestable_words(again))} {once}"
    best = again.table.methods.index(found.table.methods[found.order[0]])
    holds = {
        name
        for name, verdict in zip(again.table.methods, verdict_row(again, by_family, best), strict=True)
        if verdict == Verdict.BETTER
    }
    kept = len(holds.intersection(better))
    them = f"{kept} of them" if len(better) > 1 else "it"
    if kept == len(better):
        return f"than {'all of them' if len(better) > 1 else 'it'} also {once}"
    return f"than {them if kept else 'none of them' if len(better) > 1 else 'it not'} {once}"


def named(names: Sequence[str], wording: Wording = PLAIN) -> str:
    """Return `a, b and c`, or the first few and how many more there are."""
    shown = [wording.name(name) for name in names[:MOST_NAMED]]
    return and_list([*shown, f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else shown)


def _groups(found: Analysis, said: PairVerdicts, against: int, *, turned: bool = False) -> Groups:
    """Return the names of the other methods, best first, by what is said of one method against them; turned:
    of them against it."""
    verdicts = verdict_row(found, said, against)
    if turned:
        verdicts = [turned_verdict(one) for one in verdicts]
    groups: Groups = {one: [] for one in Verdict}
    for place in found.order:
        if place != against:
            groups[verdicts[place]].append(found.table.methods[place])
    return groups


def _against_control(found: Analysis, said: PairVerdicts, wording: Wording) -> str:
    control = found.control or 0
    groups = _groups(found, said, control, turned=True)
    parts = [
        f"{wording.strong(words)}: {named(groups[one], wording)}"
        for one, words in PHRASES.items()
        if groups[one]
    ]
    start = f"Against the control {wording.strong(wording.name(found.table.methods[control]))}"
    return f"{start} by {wording.test(said)} at {found.alpha:g}, {'; '.join(parts)}."


class TaskCounts(NamedTuple):
    """On how many tasks is one method better than another, by each task's own test?

    better, worse: significantly; neither: also without a test; better_over_tasks, worse_over_tasks:
    with p adjusted over the tasks, too; expected: how many tasks are significant by chance at most."""

    better: int
    worse: int
    neither: int
    better_over_tasks: int
    worse_over_tasks: int
    expected: float

    @property
    def turned(self) -> "TaskCounts":
        """The same of the second method against the first."""
        return TaskCounts(
            self.worse,
            self.better,
            self.neither,
            self.worse_over_tasks,
            self.better_over_tasks,
            self.expected,
        )


def task_counts_sentence(pair: tuple[str, str], counts: TaskCounts, *, wording: Wording = PLAIN) -> str:
    """Say what the tests of single tasks find between two methods: what leads what is said of a pair.

    Without an adjustment over tasks some of many tests are significant by chance: how many is said, and what
    is left with Benjamini and Hochberg's adjustment."""
    a, b = map(wording.name, pair)
    total = counted(counts.better + counts.worse + counts.neither, "task")
    return (
        f"{a} against {b}: {PHRASES[Verdict.BETTER]} on {counts.better} of {total}, "
        f"{PHRASES[Verdict.WORSE]} on {counts.worse}; by chance at most {counts.expected:.1f} would be. "
        f"With p adjusted over tasks (Benjamini-Hochberg): better on {counts.better_over_tasks}, worse on "
        f"{counts.worse_over_tasks}."
    )


def rival_words(found: Analysis, combined: CombinedPairs) -> str:
    """Say what the tests of single tasks find between the best method and the next one."""
    pair = found.table.methods[found.order[0]], found.table.methods[found.order[1]]
    for place, names in enumerate(zip(combined.methods_a, combined.methods_b, strict=True)):
        if set(names) == set(pair):
            counts = TaskCounts(
                int(combined.wins[place]),
                int(combined.losses[place]),
                int(combined.ties[place] + combined.untested[place]),
                int(combined.wins_over_tasks[place]),
                int(combined.losses_over_tasks[place]),
                float(combined.expected[place]),
            )
            return task_counts_sentence(pair, counts if names == pair else counts.turned)
    return ""
