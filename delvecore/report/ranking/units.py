"""What counts once in a ranking, in words for the first line, for notes, and for what holds of families."""

from delvecore.report.rounding import p_words
from delvecore.report.writers.text import counted
from delvecore.statistics.choose import ADJUSTMENTS, adjustment_words, is_significant
from delvecore.statistics.ranking.analysis import Analysis
from delvecore.statistics.ranking.pair_verdicts import OWN_ADJUSTMENTS, PairVerdicts, RankTest, pair_verdicts
from delvecore.statistics.ranking.units import DATASET, TASK, holds_several

__all__ = [
    "adjustment_name",
    "basis_words",
    "counts_words",
    "family_words",
    "unit_count",
    "unit_source",
    "units_name",
]

PLURALS = {"task": "tasks", "dataset": "datasets", "family": "families"}
OWN_WORDS = {
    "studentized range": "adjusted for all pairs by the studentized range",
    "largest statistic": "adjusted for all pairs by the largest statistic",
    "bonferroni": "adjusted by Bonferroni's procedure for all pairs with the control",
}
SOURCES = {
    "column": "Datasets and families are those that the table's columns name",
    "names": "Datasets are told by the names of tasks, such as `age/std.128`",
}


def units_name(found: Analysis) -> str:
    """Return `tasks`, `datasets` or `families`."""
    return PLURALS[found.unit]


def unit_count(found: Analysis) -> str:
    """Return such as `26 datasets`."""
    return _counted(len(found.units.tasks), found.unit)


def _counted(count: int, unit: str) -> str:
    return f"{count:,} {unit if count == 1 else PLURALS[unit]}"


def basis_words(found: Analysis) -> str:
    """Return such as `138 tasks of 26 datasets; tasks of one dataset count once`."""
    tasks, known = len(found.table.tasks), found.table.units
    if found.unit != TASK:
        is_said = holds_several(found.table, found.unit)
        return counts_words(tasks, len(found.units.tasks), unit=found.unit, is_said=is_said)
    if known is None or not holds_several(found.table, DATASET):
        return _counted(tasks, TASK)
    return counts_words(tasks, len(set(known.datasets)), unit=TASK)


def counts_words(tasks: int, groups: int, *, unit: str, is_said: bool = True) -> str:
    """Return such as `138 tasks of 26 datasets; tasks of one dataset count once`. groups: how many units they
    are, or datasets where each task counts; is_said: what counts."""
    said = f"{_counted(tasks, TASK)} of {_counted(groups, DATASET if unit == TASK else unit)}"
    counts = "each task counts" if unit == TASK else f"tasks of one {unit} count once"
    return f"{said}; {counts}" if is_said else said


def unit_source(found: Analysis) -> str:
    """Say how it is known which tasks belong together; empty for an archive, and where it does not matter."""
    known = found.table.units
    if known is None or found.unit == TASK or known.known_by not in SOURCES:
        return ""
    return f"{SOURCES[known.known_by]}; --unit task counts every task."


def adjustment_name(said: PairVerdicts) -> str:
    """Return how the p of all pairs are adjusted: `adjusted by Holm's procedure over all pairs`."""
    if said.adjustment in ADJUSTMENTS and said.test not in OWN_ADJUSTMENTS:
        return adjustment_words(said.adjustment)
    return OWN_WORDS.get(said.adjustment) or adjustment_words(said.adjustment)


def family_words(found: Analysis, test: RankTest) -> str:
    """Say what holds where families count once; empty where no family has several units."""
    again = found.by_family
    if again is None:
        return ""
    many = _counted(len(again.units.tasks), again.unit)
    p = again.friedman.p if again.friedman.exact_p is None else again.friedman.exact_p
    shown = p_words(p)
    if not is_significant(p, again.alpha):
        return f"Where each of {many} counts once, no difference is shown (Friedman's test, {shown})."
    said = pair_verdicts(again, test)
    count = int(said.different.sum())
    pairs = f"{count} of {counted(said.tested, 'pair')} {'differs' if count == 1 else 'differ'}"
    return f"Where each of {many} counts once, {pairs} by {test} (Friedman's test, {shown})."
