"""Sentences on a ranking: unit of replication, best method, position of one method, and failed runs.

Pages, commands and files share them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from delvecore.answers.answer import Table
from delvecore.model import TaskId
from delvecore.render.numbers import counted, integer, p_text, p_words, parameter, rank_text, rounded
from delvecore.render.spans import as_name, plain, strong
from delvecore.render.text import and_list
from delvecore.render.verdicts import NOT_BETTER, SIGNIFICANTLY
from delvecore.report.verdict_words import PHRASES, THAN, test_words
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import ADJUSTMENTS, Verdict, adjustment_words, turned_verdict
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.failed_runs import failure_concentration
from delvecore.stats.ranking.performance_profiles import GroupRanks
from delvecore.stats.ranking.ranks import DATASET, TASK, conditional_families, holds_several, unit_names
from delvecore.stats.ranking.score_table import CommonRuns
from delvecore.stats.verdicts import AGAINST_CONTROL, PairVerdicts, RankTest, pair_verdicts, verdict_row

PLURALS = {"task": "tasks", "dataset": "datasets", "family": "families"}
OWN_WORDS = {
    "studentized range": "adjusted for all pairs by the studentized range",
    "largest statistic": "adjusted for all pairs by the largest statistic",
    AGAINST_CONTROL: "adjusted for all pairs with the reference by the largest statistic",
    "bonferroni": "adjusted by Bonferroni's procedure for all pairs with the reference",
}
SOURCES = {
    "column": "Datasets and families are those in the table's columns",
    "names": "Datasets are those in the names of tasks, such as `age/std.128`",
}


def units_name(analysis: Analysis) -> str:
    """Return `tasks`, `datasets` or `families`."""
    return PLURALS[analysis.unit]


def unit_count(analysis: Analysis) -> str:
    """Return a text such as `26 datasets`, or `4 of 12 tasks` if the others are left out."""
    return counted_units(
        len(analysis.units.tasks), analysis.unit, whole=len(set(unit_names(analysis.given, analysis.unit)))
    )


def counted_units(count: int, unit: str, *, whole: int | None = None) -> str:
    """Return `26 datasets`, or `4 of 12 tasks` of a larger whole; unit: task, dataset or family."""
    if whole is not None and whole > count:
        return f"{integer(count)} of {integer(whole)} {unit if whole == 1 else PLURALS[unit]}"
    return f"{integer(count)} {unit if count == 1 else PLURALS[unit]}"


def basis_words(analysis: Analysis) -> str:
    """Return `138 tasks of 26 datasets; tasks of one dataset count once`, or `120 of 138 tasks of ...`."""
    tasks, known, whole = len(analysis.table.tasks), analysis.table.units, len(analysis.given.tasks)
    if analysis.unit != TASK:
        is_said = holds_several(analysis.table, analysis.unit)
        return counts_words(
            tasks, len(analysis.units.tasks), unit=analysis.unit, is_said=is_said, whole=whole
        )
    if known is None or not holds_several(analysis.table, DATASET):
        return counted_units(tasks, TASK, whole=whole)
    return counts_words(tasks, len(set(known.datasets)), unit=TASK, whole=whole)


def counts_words(
    tasks: int, groups: int, *, unit: str, is_said: bool = True, whole: int | None = None
) -> str:
    """Return `138 tasks of 26 datasets; tasks of one dataset count once`.

    `groups` is the number of units, or of datasets if each task counts. `is_said` adds the part after the
    semicolon. `whole` is the number of all tasks, including those left out.
    """
    grouped = counted_units(groups, DATASET if unit == TASK else unit)
    basis = f"{counted_units(tasks, TASK, whole=whole)} of {grouped}"
    counts = "each task counts" if unit == TASK else f"tasks of one {unit} count once"
    return f"{basis}; {counts}" if is_said else basis


def group_name(group: GroupRanks) -> str:
    """Return the name of a group of tasks, with its units if they are too few for a test."""
    return group.name if group.places else f"{group.name} ({counted_units(group.units, group.unit)})"


def places_words(places: tuple[int, int]) -> str:
    """Return `1 to 3`, or `2` for a single place."""
    return " to ".join(map(str, dict.fromkeys(places)))


def unit_source(analysis: Analysis) -> str:
    """State the source of the grouping of tasks; empty for an archive, and if it does not matter."""
    known = analysis.table.units
    if known is None or analysis.unit == TASK or known.known_by not in SOURCES:
        return ""
    return f"{SOURCES[known.known_by]}; --unit task counts every task."


def adjustment_name(verdicts: PairVerdicts) -> str:
    """Return words for the adjustment of p, such as `adjusted by Holm's procedure over all pairs`."""
    if verdicts.adjustment in ADJUSTMENTS and not verdicts.test.adjusts_by_itself:
        return adjustment_words(verdicts.adjustment)
    return OWN_WORDS.get(verdicts.adjustment) or adjustment_words(verdicts.adjustment)


SINGLE_PLACES = "places of single methods need sign flips of all pairs, without a reference"


def refused_adjustment(test: RankTest) -> str:
    """Return the reason to refuse an adjustment of p for a test with a built-in one."""
    name = test.in_words
    return f"expected none with {name}: the test adjusts p by itself; Wilcoxon's test takes one"


ONE_DATASET = "not tested: all tasks are of one dataset"
TEST_SINGLE_TASKS = "Compare tests single tasks; --unit task counts tasks as if they were independent."


def untestable_words(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Return the reason why a test has no verdicts: `not testable with 5 datasets (smallest adjusted p
    0.062)`.
    """
    if verdicts.one_dataset:
        return ONE_DATASET
    if (analysis.scan.zero == analysis.scan.tasks).all():
        return "not tested: all values are equal"
    units = counted_units(len(analysis.units.tasks), analysis.unit)
    return f"not testable with {units} (smallest adjusted p {p_text(verdicts.smallest_p)})"


def assumption_words(analysis: Analysis) -> str:
    """Return the assumption of a verdict: `if datasets are independent draws`.

    If there are only a few families, their names are included.
    """
    few = conditional_families(analysis.table, analysis.unit)
    which = f"datasets of {and_list(few)}" if few else units_name(analysis)
    return f"if {which} are independent draws"


def other_unit(analysis: Analysis) -> Analysis | None:
    """Return the analysis by the other unit that is shown next to this one.

    This is the narrower claim by datasets if families count, otherwise the more general claim by families."""
    return analysis.by_dataset or analysis.by_family


def other_unit_words(analysis: Analysis, test: RankTest) -> str:
    """Report the number of significant pairs by the other unit; empty without one."""
    again = other_unit(analysis)
    if again is None:
        return ""
    verdicts = pair_verdicts(again, test)
    name = test_words(test, None)
    lead = f"Counting each of {unit_count(again)} once,"
    if not verdicts.is_testable:
        return f"{lead} pairs are {untestable_words(again, verdicts)} by {name}."
    count = int(verdicts.different.sum())
    pairs = f"{count} of {counted(verdicts.tested, 'pair')} {'differs' if count == 1 else 'differ'}"
    return f"{lead} {pairs} {SIGNIFICANTLY} by {name}, {assumption_words(again)}."


ASSUMED = "Sign flips assume symmetric differences, and err more often otherwise."


def skewed_words(analysis: Analysis, test: RankTest) -> str:
    """Name the methods with markedly skewed differences, which violate the assumption of sign flips."""
    if test != RankTest.FLIPS or not pair_verdicts(analysis, test).is_testable:
        return ""
    skewed = analysis.sign_flips.is_skewed(len(analysis.units.tasks))
    if skewed.all() and len(skewed) == 2:
        return f"The differences are markedly skewed. {ASSUMED}"
    names = [analysis.table.methods[place] for place in analysis.order if skewed[place]]
    if not names:
        return ""
    return f"Differences of {named(names)} from the others are markedly skewed. {ASSUMED}"


def incomplete_words(analysis: Analysis) -> str:
    """Name the methods that are left out because they have no results on most tasks; empty if none."""
    if not analysis.incomplete:
        return ""
    tasks, methods = len(analysis.given.tasks), analysis.given.methods
    counts = (~np.isnan(analysis.given.values)).sum(axis=0).tolist()
    named = [
        f"{as_name(name)} ({counts[methods.index(name)]} of {tasks} tasks)" for name in analysis.incomplete
    ]
    it = "it" if len(named) == 1 else "them"
    return f"Left out, with too few results: {first_few(named)}. --missing tasks keeps {it}."


MOST_NAMED = 6
Groups = dict[Verdict, list[str]]
"""Names of methods by their verdict."""


def test_in_words(verdicts: PairVerdicts) -> str:
    """Return the test of verdicts: `sign flips of signed ranks`."""
    return test_words(verdicts.test, verdicts.statistic)


def ranking_sentence(
    analysis: Analysis,
    verdicts: PairVerdicts,
    *,
    quantity: str = "",
    warns: bool = True,
) -> str:
    """Return heading, basis and details of a ranking in one paragraph.

    `verdicts` are those of the chosen test. `quantity` names the values, empty if unknown. `warns`: begin
    with a warning about methods that have most of the failed runs.
    """
    incomplete = incomplete_words(analysis)
    warning = failed_ranking_words(analysis, verdicts.test) if warns else ""
    heading = f"{strong(ranking_heading(analysis, verdicts))}."
    parts = [incomplete, warning, heading, ranking_basis(analysis, verdicts, quantity=quantity)]
    return " ".join(filter(None, [*parts, *ranking_details(analysis, verdicts)]))


def ranking_heading(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Return the finding in at most 15 words: the best mean rank and its verdicts, or those on a reference.

    `gp-1 has the best mean rank of 12, significantly better than 9 of 11 others`"""
    if verdicts.is_testable and verdicts.control is not None:
        return _heading_against(analysis, verdicts)
    best = best_ranked(analysis)
    have = "share" if len(best) > 1 else "has"
    lead = f"{first_few([*map(as_name, best)], 3)} {have} the best mean rank of {len(analysis.table.methods)}"
    if len(best) > 1:
        return lead
    if not verdicts.is_testable:
        return f"{lead}, without a test"
    groups, others = _groups(analysis, verdicts, analysis.order[0]), len(analysis.table.methods) - 1
    if worse := groups[Verdict.WORSE]:
        return f"{lead}, but is {THAN[Verdict.WORSE]} {_some_words(worse, others)}"
    if len(better := groups[Verdict.BETTER]) == others > 1:
        return f"{as_name(best[0])} is the best of {others + 1}, {THAN[Verdict.BETTER]} every other"
    if better:
        return f"{lead}, {THAN[Verdict.BETTER]} {_some_words(better, others)}"
    return f"{lead}, {THAN[Verdict.NOT_SIGNIFICANT]} any other"


def _some_words(names: Sequence[str], count: int) -> str:
    """Return the name of one method, or `5 of 9 others`."""
    return as_name(names[0]) if len(names) == 1 else f"{len(names)} of {count} others"


def _heading_against(analysis: Analysis, verdicts: PairVerdicts) -> str:
    control = verdicts.control or 0
    groups = _groups(analysis, verdicts, control, turned=True)
    better, worse = groups[Verdict.BETTER], groups[Verdict.WORSE]
    reference = f"the reference {as_name(analysis.table.methods[control])}"
    if not better and not worse:
        return f"No method differs {SIGNIFICANTLY} from {reference}"
    lead = "No method is" if not better else f"{len(better)} of {len(analysis.table.methods) - 1} methods are"
    lead = f"{as_name(better[0])} is" if len(better) == 1 else lead
    are = "is" if len(worse) == 1 else "are"
    then = f"; {len(worse)} {are} {PHRASES[Verdict.WORSE]}" if worse else ""
    return f"{lead} {THAN[Verdict.BETTER]} {reference}{then}"


def best_ranked(analysis: Analysis) -> list[str]:
    """Return the methods that share the best mean rank."""
    average = analysis.ranks.average
    return [analysis.table.methods[place] for place in analysis.order if average[place] == average.min()]


def ranking_basis(analysis: Analysis, verdicts: PairVerdicts, *, quantity: str = "") -> str:
    """Return the tasks, the ranked quantity, and the number of pairs that differ by the chosen test."""
    over = basis_words(analysis)
    over += f"{',' if ';' in over else ''} by {as_name(quantity)}" if quantity else ""
    best = rank_text(analysis.ranks.average.min())
    lead = f"Mean rank {best} over {over}."
    if verdicts.is_testable and verdicts.control is not None:
        have = "share" if len(best_ranked(analysis)) > 1 else "has"
        lead = f"{named(best_ranked(analysis))} {have} the best mean rank, {best}, over {over}."
    if not verdicts.is_testable:
        return f"{lead} Differences between methods are {strong(untestable_words(analysis, verdicts))}."
    count = int(verdicts.different.sum())
    pairs = f"{count} of {counted(verdicts.tested, 'pair')} {'differs' if count == 1 else 'differ'}"
    return f"{lead} {pairs} {SIGNIFICANTLY} by {verdicts.test.in_words}."


def ranking_details(analysis: Analysis, verdicts: PairVerdicts) -> list[str]:
    """Return sentences for a caption: the verdicts on the best method or the reference, and the tests."""
    how = f"{test_in_words(verdicts)}, {adjustment_name(verdicts)}, at {parameter(analysis.alpha)}"
    test = TEST_SINGLE_TASKS if verdicts.one_dataset else f"The test is {how}."
    other, claim = _other_claim(analysis, verdicts) if verdicts.is_testable else "", ""
    if verdicts.is_testable and verdicts.control is not None:
        claim = _against_control(analysis, verdicts)
    elif verdicts.is_testable:
        claim = f"{as_name(analysis.table.methods[analysis.order[0]])} is {best_words(analysis, verdicts)}."
        if len(_groups(analysis, verdicts, analysis.order[0])[Verdict.BETTER]) == len(analysis.order) - 1 > 1:
            claim = f"Verdicts hold {assumption_words(analysis)}."
    left = len(analysis.dropped_methods) - len(analysis.incomplete)
    all_methods = counted(len(analysis.given.methods), "method")
    not_ranked = f"Not ranked, for lack of a value on some task: {left} of {all_methods}." if left else ""
    return [*filter(None, [claim, test, other, not_ranked, _friedman_words(analysis)])]


def _friedman_words(analysis: Analysis) -> str:
    """State whether the global test finds any difference; empty if all tasks are of one dataset."""
    if analysis.one_dataset:
        return ""
    friedman = analysis.friedman
    p, kind = (friedman.p, "test") if friedman.exact_p is None else (friedman.exact_p, "exact test")
    finds = (
        "finds that the methods differ" if analysis.is_significant else "finds no difference between methods"
    )
    return f"Friedman's {kind} of all methods {finds} ({p_words(p)})."


def best_words(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Describe the verdicts on the best method.

    `significantly better than 9 of the 11 others, if datasets are independent draws, and not significantly
    different from a and b`. Up to three methods are named.
    """
    groups, count = _groups(analysis, verdicts, analysis.order[0]), len(analysis.table.methods) - 1
    better, worse, alike = (groups[one] for one in STANDINGS)
    same = identical_methods(analysis, analysis.order[0])
    alike = [name for name in alike if name not in same]
    if not better and not worse and not same:
        return strong(f"{THAN[Verdict.NOT_SIGNIFICANT]} any other")
    parts = []
    if better:
        parts.append(_better_words(better, count))
        parts[0] += f", {assumption_words(analysis)}"
    parts += [strong(f"{THAN[Verdict.WORSE]} {named(worse)}")] if worse else []
    parts += [f"identical to {strong(named(same))}"] if same else []
    parts += [f"{THAN[Verdict.NOT_SIGNIFICANT]} {strong(named(alike))}"] if alike else []
    return ", and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def identical_methods(analysis: Analysis, method: int) -> list[str]:
    """Return the other methods, best first, that have the same values as one method on every unit."""
    wins, _, losses = analysis.scan.wins
    same = ((wins == 0) & (losses == 0))[analysis.pair_numbers[method]]
    return [analysis.table.methods[place] for place in analysis.order if place != method and same[place]]


NAMED_OUTRIGHT = 3


def _better_words(better: Sequence[str], count: int) -> str:
    """Name the other methods that one is significantly better than."""
    return strong(f"{THAN[Verdict.BETTER]} {_others_words(better, count)}")


def _others_words(names: Sequence[str], count: int) -> str:
    """Return `every other`, the names of a few methods, or `5 of the 9 others`."""
    if len(names) == count:
        return f"{as_name(names[0])}, the only other" if count == 1 else "every other"
    return named(names) if len(names) <= NAMED_OUTRIGHT else f"{len(names)} of the {count} others"


def _other_claim(analysis: Analysis, tests: PairVerdicts) -> str:
    """State the result for the best method by the other unit: `Counting each of 29 datasets once,
    it is ...`.
    """
    again = other_unit(analysis)
    if again is None or tests.control is not None:
        return ""
    verdicts, best = pair_verdicts(again, tests.test), analysis.order[0]
    lead = f"Counting each of {unit_count(again)} once"
    if not verdicts.is_testable:
        return f"{lead}: {untestable_words(again, verdicts)}."
    name = as_name(analysis.table.methods[best])
    better, count = _groups(again, verdicts, best)[Verdict.BETTER], len(analysis.table.methods) - 1
    if not better:
        return f"{lead}, {name} is {NOT_BETTER} than any other."
    return f"{lead}, {name} is {_better_words(better, count)}, {assumption_words(again)}."


def named(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return `a, b and c`, or the first few names and the number of the others."""
    return first_few([*map(as_name, names)], most)


def first_few(texts: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return `a, b and c`, or the first few texts and the number of the others."""
    shown = texts[:most]
    return and_list([*shown, f"{integer(len(texts) - most)} more"] if len(texts) > most else shown)


def _groups(analysis: Analysis, tests: PairVerdicts, against: int, *, turned: bool = False) -> Groups:
    """Return the other methods, best first, by the verdict on one method, or if `turned`, by the verdicts on
    them."""
    verdicts = verdict_row(analysis, tests, against)
    if turned:
        verdicts = [turned_verdict(one) for one in verdicts]
    groups: Groups = {one: [] for one in Verdict}
    for place in analysis.order:
        if place != against:
            groups[verdicts[place]].append(analysis.table.methods[place])
    return groups


def _against_control(analysis: Analysis, verdicts: PairVerdicts) -> str:
    control = verdicts.control or 0
    groups = _groups(analysis, verdicts, control, turned=True)
    parts = [f"{strong(words)}: {named(groups[one])}" for one, words in PHRASES.items() if groups[one]]
    start = f"Against the reference {strong(as_name(analysis.table.methods[control]))}"
    return f"{start}, {assumption_words(analysis)}: {'; '.join(parts)}."


def task_counts_sentence(pair: tuple[str, str], tests: Table) -> str:
    """Summarize the tests of single tasks between two methods, also with p adjusted over tasks.

    tests: the row of the pair in `tables.combined_table`."""
    a, b = map(as_name, pair)
    wins, losses, ties, untested = tests.select("wins", "losses", "ties", "untested").rows[0]
    total = counted(wins + losses + ties + untested, "task")
    better, worse = tests.select("wins_over_tasks", "losses_over_tasks").rows[0]
    return (
        f"{a} against {b}: {PHRASES[Verdict.BETTER]} on {wins} of {total}, {PHRASES[Verdict.WORSE]} on "
        f"{losses}; about {rounded(tests['expected'][0], 1)} would be expected by chance. After adjustment "
        f"over tasks (Benjamini-Hochberg): better on {better}, worse on {worse}."
    )


STANDINGS = (Verdict.BETTER, Verdict.WORSE, Verdict.NOT_SIGNIFICANT)


class Standing(NamedTuple):
    """Position of a method among others.

    Attributes
    ----------
    place : int or None
        Place, 1 for the best, shared by ties; None without a place.
    of : int
        Number of methods.
    better, worse, alike : sequence of str
        Methods that it is significantly better than, worse than, or not significantly different from.
    """

    method: str
    place: int | None
    of: int
    better: Sequence[str] = ()
    worse: Sequence[str] = ()
    alike: Sequence[str] = ()

    @property
    def places(self) -> tuple[int, int]:
        """The lowest and the highest place that these verdicts allow for the method."""
        return 1 + len(self.worse), self.of - len(self.better)


def standing_of(analysis: Analysis, verdicts: PairVerdicts, method: str | None) -> Standing | None:
    """Return the position of a method in a ranking, None if it is not ranked.

    verdicts: verdicts of the chosen test.
    """
    return _standing(analysis, verdicts, method) if method and method in analysis.table.methods else None


def _standing(analysis: Analysis, verdicts: PairVerdicts, method: str) -> Standing:
    names = analysis.table.methods
    groups = _groups(analysis, verdicts, names.index(method))
    return Standing(method, _rank_of(analysis, method), len(names), *(groups[one] for one in STANDINGS))


def _rank_of(analysis: Analysis, method: str) -> int:
    """Return the place of a mean rank; ties share the lowest place."""
    average = analysis.ranks.average
    return 1 + int((average < average[analysis.table.methods.index(method)]).sum())


def standing_sentence(standing: Standing) -> str:
    """Return a text such as this:

    `Yours is mine, rank 5 of 13: significantly better than a; not significantly different from b.`"""
    lead = f"Yours is {strong(as_name(standing.method))}"
    if standing.place is not None:
        lead += f", {strong(f'rank {standing.place} of {standing.of}')}"
    against = against_words(standing)
    return f"{lead}{': ' if against else ''}{against}."


def against_words(standing: Standing) -> str:
    """`significantly better than a; not significantly different from b`; empty if nothing is tested."""
    groups = zip(STANDINGS, standing[3:], strict=True)
    return "; ".join(f"{THAN[verdict]} {named(names)}" for verdict, names in groups if names)


def are_counted(runs: CommonRuns | None, readings: Sequence[Reading]) -> bool:
    """Do the lines on the reading of scores state the number of runs without a value?"""
    return runs is not None and [one.failed for one in readings] == [runs.failed]


def run_sentences(runs: CommonRuns | None, *, are_counted: bool = False, warns: bool = True) -> list[str]:
    """Return sentences on runs without a value, if any.

    `are_counted` is true if their number was reported before. `warns`: begin with a warning about methods
    that common runs favor.
    """
    if runs is None or not runs.failed:
        return []
    first = (
        f"{integer(runs.failed)} of {counted(runs.runs, 'run')} {'have' if runs.failed > 1 else 'has'} "
        "no value"
    )
    parts = [] if are_counted else [first]
    tasks = [f"{one.there} of {one.expected} on {_title(one.name)}" for one in runs.reduced if one.there]
    if tasks:
        means = "means are over the instances (folds, seeds or training sets) that all methods have, "
        parts.append(means + first_few(tasks))
    exclusions = "; ".join(parts)
    sentences = [favored] if warns and (favored := favored_words(runs)) else []
    sentences += [f"{exclusions[:1].upper()}{exclusions[1:]}."] if exclusions else []
    if runs.cells:
        are = "is" if len(runs.cells) == 1 else "are"
        cells = counted(len(runs.cells), "value")
        sentences.append(
            f"{cells} {are} missing because the method has fewer than half of the task's instances."
        )
    if runs.without:
        count = counted(len(runs.without), "task")
        named = first_few(list(map(_title, runs.without)))
        sentences.append(f"No instance is common to all methods on {count}, left out: {named}.")
    if runs.unranked:
        which, are = ("it", "is") if len(runs.unranked) == 1 else ("them", "are")
        named = first_few(
            [
                f"{as_name(one.name)} has {integer(one.there)} of {counted(one.expected, 'run')}"
                for one in runs.unranked
            ]
        )
        sentences.append(f"{named} and {are} not ranked; name {which} among the methods to rank {which}.")
    return sentences


def _title(task: str) -> str:
    """Return the name of a task for readers; a task of scores has the name of its dataset."""
    is_path = task.startswith("/") and task.count("/") == 3
    return as_name(TaskId.parse(task).title if is_path else task)


def run_record(runs: CommonRuns | None) -> dict[str, Any] | None:
    """Return the record of runs for JSON; None if each value is a single number."""
    if runs is None:
        return None
    return {
        "runs": runs.runs,
        "failed": runs.failed,
        "unranked": [
            {"method": one.name, "there": one.there, "expected": one.expected} for one in runs.unranked
        ],
        "missing_values": len(runs.cells),
        "reduced": [
            {"task": one.name, "counted": one.there, "instances": one.expected} for one in runs.reduced
        ],
        "text": plain(" ".join(run_sentences(runs))),
    }


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def favored_words(runs: CommonRuns | None, methods: tuple[str, ...] | None = None) -> str:
    """Name the methods in which failed runs are concentrated, which common runs may favor; empty for none.

    `methods` are the compared methods, None for all.
    """
    concentration = runs and failure_concentration(runs, methods)
    if not concentration:
        return ""
    names = first_few([*map(as_name, concentration.methods)], NAMED_OUTRIGHT)
    owner = "its" if len(concentration.methods) == 1 else "their"
    return (
        f"Failed runs are concentrated in {names}. Comparing on common runs may favor {names}: "
        f"{integer(concentration.failed)} of {integer(concentration.of)} failed runs are {owner} own "
        f"(exact {p_words(concentration.p)})."
    )


def failed_ranking_words(analysis: Analysis, test: RankTest) -> str:
    """Return `favored_words` of a ranking, and the change of its verdicts with the worst value for each
    failed run."""
    given, worst = analysis.given, analysis.with_failed_worst
    concentration = given.runs and failure_concentration(given.runs, analysis.table.methods)
    if not concentration:
        return ""
    favored = favored_words(given.runs, analysis.table.methods)
    if worst is None:
        return favored
    method = next(name for name in _in_order(analysis) if name in concentration.methods)
    before, after = (_standing(one, pair_verdicts(one, test), method) for one in (analysis, worst))
    place = _rank_of(worst, method)
    still = "still " if place == before.place else ""
    rank = ORDINALS[place - 1] if place <= len(ORDINALS) else f"number {place}"
    has = "has the best mean rank" if place == 1 else f"ranks {rank} of {after.of}"
    # The option also ranks the methods that are left out for their failed runs.
    is_option = given.paths and not (given.runs and given.runs.unranked)
    lead = "Under --failed worst" if is_option else "Given the worst value for each failed run"
    claim = _changed_claim(before, after, pair_verdicts(worst, test), worst.table.methods)
    sentences = [favored, f"{lead}, {as_name(method)} {still}{has}{claim}."]
    first, then = _in_order(analysis)[0], _in_order(worst)[0]
    if then != method:
        still = "still has" if then == first else "then has"
        sentences.append(f"{as_name(then)} {still} the best mean rank.")
    return " ".join(sentences)


def _changed_claim(before: Standing, after: Standing, verdicts: PairVerdicts, methods: Sequence[str]) -> str:
    """Return a clause on how verdicts on a method change if failed runs get the worst value."""
    if not verdicts.is_testable:
        return f"; differences are {PHRASES[Verdict.NOT_TESTED]}"
    parts = []
    worse, better = (
        named(one) if len(one) <= NAMED_OUTRIGHT else _others_words(one, after.of - 1)
        for one in (after.worse, after.better)
    )
    if worse:
        parts.append(f"is {THAN[Verdict.WORSE]} {worse}")
    if better:
        still = "still " if set(after.better) == set(before.better) else ""
        parts.append(f"is {still}{THAN[Verdict.BETTER]} {better}")
    if parts:
        return f" and {' but '.join(parts)}"
    control = None if verdicts.control is None else methods[verdicts.control]
    whom = "any other" if control in (None, after.method) else f"the reference {as_name(control)}"
    if before.better:
        return f", but is no longer {THAN[Verdict.BETTER]} {whom}"
    return f" and is {THAN[Verdict.NOT_SIGNIFICANT]} {whom}"


def failure_record(analysis: Analysis, test: RankTest) -> dict[str, Any] | None:
    """Return the record of failed runs for JSON; None if they are not concentrated in some methods."""
    runs, worst = analysis.given.runs, analysis.with_failed_worst
    concentration = runs and failure_concentration(runs, analysis.table.methods)
    if not concentration:
        return None
    return {
        **concentration._asdict(),
        "average_ranks_with_worst": worst and worst.average_ranks,
        "text": failed_ranking_words(analysis, test),
    }


def _in_order(analysis: Analysis) -> list[str]:
    """Return the methods, best mean rank first."""
    return [analysis.table.methods[place] for place in analysis.order]
