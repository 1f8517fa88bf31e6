"""Caveats of a ranking: omitted results, dependent tasks, and small samples.

Sentences mark names and key facts: see `render.spans`."""

from collections.abc import Sequence

import numpy as np

from delvecore.render.numbers import integer
from delvecore.render.spans import as_name, strong
from delvecore.report import words
from delvecore.report.published import WithPublished, published_methods
from delvecore.report.ranking import sentences
from delvecore.report.ranking.sentences import (
    MOST_NAMED,
    failed_ranking_words,
    run_sentences,
    unit_count,
    unit_source,
)
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.ranks import (
    DATASET,
    FAMILY,
    LEAST_FAMILIES,
    TASK,
    LeftOut,
    conditional_families,
    holds_several,
    is_one_dataset,
)
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import PairVerdicts, RankTest

FEW_TASKS = 10
Caveat = tuple[str, bool]
"""A sentence, and whether it affects the headline."""


def ranking_sentence(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Return the best method, the tasks, and the methods that it beats.

    `verdicts` are those of the chosen test. `caveats` begin with methods that common runs favor.
    """
    return sentences.ranking_sentence(analysis, verdicts, quantity=_quantity(analysis), warns=False)


def ranking_basis(analysis: Analysis, verdicts: PairVerdicts) -> str:
    """Return the tasks, the ranked measure with its direction, and the number of significant pairs."""
    return sentences.ranking_basis(analysis, verdicts, quantity=_quantity(analysis))


def _quantity(analysis: Analysis) -> str:
    return f"{analysis.table.quantity}{' (higher is better)' * analysis.table.higher_is_better}"


def not_ranked(archive: WithPublished, tasks: Sequence[str]) -> str:
    """List results published elsewhere on these tasks, which are not ranked; empty if there are none."""
    task_counts = published_methods(archive, tasks)
    named = [f"{as_name(name)} on {words.count(count, 'task')}" for name, count in task_counts.items()]
    return f"Published elsewhere, and not ranked: {words.and_list(named)}." if named else ""


def caveats(analysis: Analysis, test: RankTest) -> list[Caveat]:
    """Return the caveats, each with whether it affects the sentence."""
    remarks = []
    if len(analysis.units.tasks) < FEW_TASKS and not analysis.one_dataset:
        remarks.append(f"{unit_count(analysis)} are few: only large differences can be found.")
    if test in (RankTest.NEMENYI, RankTest.CONTROL) and len(analysis.table.methods) > 2:
        remarks.append("Mean ranks, and therefore this test, depend on which methods are compared.")
    if analysis.unit == TASK and (tied := int((analysis.ranks.tie_terms > 0).sum())):
        text = f"Methods tie on {words.count(tied, 'task')}"
        remarks.append(f"{text}; tied methods share the mean of their ranks.")
    if source := unit_source(analysis):
        remarks.append(source.replace("; --unit task counts every task", ""))
    if skewed := sentences.skewed_words(analysis, test):
        remarks.append(skewed)
    favored = failed_ranking_words(analysis, test)
    first = [(favored, True)] if favored else []
    others = [(text, False) for text in remarks]
    return [*first, *_runs(analysis.given), *_missing(analysis), *_related(analysis), *others]


def _runs(table: ScoreTable) -> list[Caveat]:
    """Report the number of runs without a value, and the omissions that follow."""
    sentences = run_sentences(table.runs, warns=False)
    return [(" ".join(sentences), bool(table.runs and table.runs.unranked))] if sentences else []


def _missing(analysis: Analysis) -> list[Caveat]:
    caveats = []
    if analysis.dropped_tasks:
        total = len(analysis.given.tasks)
        text = (
            f"{integer(len(analysis.dropped_tasks))} of {words.count(total, 'task')} "
            f"{'is' if len(analysis.dropped_tasks) == 1 else 'are'} left out, as results are missing"
        )
        text += f" there: {_lacking(analysis.given)}. Nothing is filled in."
        caveats.append((text, 2 * len(analysis.dropped_tasks) > total))
    if analysis.dropped_methods:
        names = sentences.named(analysis.dropped_methods)
        caveats.append((f"Left out, as results are missing on some of these tasks: {names}.", True))
    return caveats


def _lacking(table: ScoreTable) -> str:
    """`a lacks 12, b lacks 3`: most first."""
    counts = np.isnan(table.values).sum(axis=0).tolist()
    pairs = sorted(zip(table.methods, counts, strict=True), key=lambda pair: -pair[1])
    named = [f"{as_name(name)} lacks {count}" for name, count in pairs if count]
    more = f" and {len(named) - MOST_NAMED} more methods" if len(named) > MOST_NAMED else ""
    return ", ".join(named[:MOST_NAMED]) + more


def why_nothing(table: ScoreTable, reason: str) -> str:
    """Explain why a table has no ranking. reason: that of the analysis, unless the table itself shows why."""
    tasks, methods = len(table.tasks), len(table.methods)
    have = f"{words.count(methods, 'method')} on {words.count(tasks, 'task')}"
    if lacking := _runs(table):
        have += f". {lacking[0][0].rstrip('.')}"
    if tasks < 2 or methods < 2:
        return f"There are results of {have}."
    if table.missing:
        return f"There are results of {have}, but too many are missing: {_lacking(table)}."
    return as_name(f"{reason[:1].upper()}{reason[1:]}.")


def _related(analysis: Analysis) -> list[Caveat]:
    """Report units that are not independent."""
    known = analysis.table.units
    if known is None:
        return []
    if is_one_dataset(analysis.table):
        nothing = "they are related, so they show nothing about other data"
        small = "." if analysis.one_dataset else ", and p-values are too small."
        return [(f"All {len(known.datasets)} tasks are of one dataset: {nothing}{small}", True)]
    if families := conditional_families(analysis.table, analysis.unit):
        text = f"Verdicts hold for datasets of {sentences.named(families)} only"
        return [(f"{text}: there are fewer than {LEAST_FAMILIES} families to count.", True)]
    if analysis.unit != TASK or not holds_several(analysis.table, DATASET):
        return []
    text = "Each task counts, though tasks of one dataset are related: p-values are too small. The setting "
    return [(f"{text}beside the title can count each dataset once.", True)]


def first_words(count: int, total: int) -> str:
    """State that the answer shows the first methods only."""
    return f"Shown: the first {integer(count)} of {integer(total)} methods by mean rank; choose others above."


def leave_out_sentence(methods: Sequence[str], left: Sequence[LeftOut], *, group: str = FAMILY) -> str:
    """Report whether the best method and the order stay the same without each family of tasks.

    `group` is the word for an omitted group.
    """
    changed = [one for one in left if not one.same_best]
    firsts = [as_name(methods[int(one.average.argmin())]) for one in changed]
    named = [f"{as_name(one.group)} (then {first})" for one, first in zip(changed, firsts, strict=True)]
    moved = [one for one in left if one.moved]
    if changed:
        return f"{strong('The best method changes')} without {sentences.first_few(named)}."
    if moved:
        most = max(one.moved for one in moved)
        where = sentences.named([one.group for one in moved if one.moved == most])
        times = f"other methods change places in {len(moved)} of {len(left)} cases, most without {where}"
        return f"{strong('The best method stays the same')} whichever {group} is left out; {times}."
    return f"{strong('The order stays the same')} whichever {group} is left out."
