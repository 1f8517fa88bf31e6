"""What a ranking says, in one sentence that a paper could print: the same on the page and in the command."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from delvecore.report.ranking.units import adjustment_name, basis_words, family_words
from delvecore.report.rounding import p_words
from delvecore.report.writers.text import and_list, counted
from delvecore.statistics.choose import RankTest, Verdict, turned_verdict
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.combined import CombinedPairs
from delvecore.statistics.ranking.pair_verdicts import PairVerdicts, verdict_row

__all__ = ["MOST_NAMED", "PLAIN", "Wording", "named", "ranking_sentence", "rival_words", "settled_words"]

MOST_NAMED = 6
TEST_WORDS = {
    RankTest.NEMENYI: "Nemenyi’s test",
    RankTest.WILCOXON: "Wilcoxon’s signed-rank test",
    RankTest.FLIPS: "sign flips",
    RankTest.CONTROL: "the Bonferroni-Dunn test",
}
AGAINST_CONTROL = {
    Verdict.BETTER: "better",
    Verdict.WORSE: "worse",
    Verdict.NOT_SETTLED: "not told apart",
}
Groups = dict[Verdict, list[str]]
"""Names of methods by what is said of them."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a sentence is written where it is read: what is done to names from files, and to what matters
    most."""

    name: Callable[[str], str] = str
    strong: Callable[[str], str] = str
    apostrophe: str = "’"

    def test(self, test: RankTest) -> str:
        return TEST_WORDS[test].replace("’", self.apostrophe)


PLAIN = Wording(apostrophe="'")
"""For a terminal, and for files."""


def ranking_sentence(
    found: Analysis, said: PairVerdicts, *, quantity: str = "", wording: Wording = PLAIN
) -> str:
    """Which method is best, over what, and from which others is it told apart? said: by the test chosen;
    quantity: what the values are, empty where nobody knows."""
    average, names, friedman = found.ranks.average, found.table.methods, found.friedman
    best = [names[place] for place in found.order if average[place] == average.min()]
    have = "share" if len(best) > 1 else "has"
    lead = f"{named(best, wording)} {have} the best mean rank, {average.min():.2f} of {len(names)}"
    over = basis_words(found)
    over += f"{',' if ';' in over else ''} by {wording.name(quantity)}" if quantity else ""
    p, kind = (friedman.p, "test") if friedman.exact_p is None else (friedman.exact_p, "exact test")
    by = f"Friedman{wording.apostrophe}s {kind}, {p_words(p)}"
    if not found.is_significant:
        none = f"no difference between the {counted(len(names), 'method')} is found ({by})"
        said_first = f"{wording.strong('No method is shown to be best')} over {over}: {none}. {lead}."
    else:
        told = _against_control if said.test == RankTest.CONTROL else _against_best
        start = f"{wording.strong(f'{lead},')} over {over}; the methods differ ({by})."
        said_first = f"{start} {told(found, said, wording)}"
    return f"{said_first} {family_words(found, said.test)}".rstrip()


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


def _against_best(found: Analysis, said: PairVerdicts, wording: Wording) -> str:
    groups, strong = _groups(found, said, found.order[0]), wording.strong
    better, worse, alike = (groups[one] for one in (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SETTLED))
    is_shared = (found.ranks.average == found.ranks.average.min()).sum() > 1
    it = wording.name(found.table.methods[found.order[0]]) if is_shared else "it"
    lead = f"By {wording.test(said.test)}, {adjustment_name(said)}, at {found.alpha:g} {it} is"
    if not worse and not alike:
        return f"{lead} {strong('better than every other')}."
    if not better and not worse:
        return f"{lead} {strong('not told apart from any other')}."
    is_long = len(better) > max(len(alike), MOST_NAMED)
    parts = (
        [f"better than {f'{len(better)} others' if is_long else named(better, wording)}"] if better else []
    )
    parts += [strong(f"worse than {named(worse, wording)}")] if worse else []
    parts += [f"but {strong(f'not told apart from {named(alike, wording)}')}"] if alike else []
    return f"{lead} {', '.join(parts)}."


def _against_control(found: Analysis, said: PairVerdicts, wording: Wording) -> str:
    control = found.control or 0
    groups = _groups(found, said, control, turned=True)
    parts = [
        f"{wording.strong(words)}: {named(groups[one], wording)}"
        for one, words in AGAINST_CONTROL.items()
        if groups[one]
    ]
    start = f"Against the control {wording.strong(wording.name(found.table.methods[control]))}"
    return f"{start} by {wording.test(said.test)} at {found.alpha:g}, {'; '.join(parts)}."


def settled_words(pair: tuple[str, str], counts: tuple[int, int, int], *, wording: Wording = PLAIN) -> str:
    """Return what the tests of single tasks settle between two methods: what leads what is said of a pair.

    counts: tasks on which the first is settled as better, open (without a test, too), settled as worse."""
    (a, b), (better, open_, worse) = map(wording.name, pair), counts
    tasks = counted(better, "task") if better else "no tasks"
    return f"{a} against {b}: settled as better on {tasks}, open on {open_}, worse on {worse}."


def rival_words(found: Analysis, combined: CombinedPairs) -> str:
    """Return what the tests of single tasks settle between the best method and the next one."""
    pair = found.table.methods[found.order[0]], found.table.methods[found.order[1]]
    for place, names in enumerate(zip(combined.methods_a, combined.methods_b, strict=True)):
        if set(names) == set(pair):
            better, worse = int(combined.wins[place]), int(combined.losses[place])
            better, worse = (better, worse) if names == pair else (worse, better)
            return settled_words(pair, (better, int(combined.ties[place] + combined.untested[place]), worse))
    return ""
