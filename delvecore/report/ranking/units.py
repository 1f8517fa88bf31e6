"""What counts once in a ranking, in words for the first line, for notes, and for what holds of families."""

from delvecore.report.verdict_words import not_tested, test_words
from delvecore.report.writers.text import counted
from delvecore.stats.choose import ADJUSTMENTS, adjustment_words
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.groups import GroupRanks
from delvecore.stats.ranking.pair_verdicts import OWN_ADJUSTMENTS, PairVerdicts, RankTest, pair_verdicts
from delvecore.stats.ranking.units import DATASET, TASK, holds_several, unit_names

__all__ = [
    "adjustment_name",
    "basis_words",
    "counted_units",
    "counts_words",
    "family_words",
    "group_name",
    "unit_count",
    "unit_source",
    "units_name",
    "untestable_words",
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
    """Return such as `26 datasets`, or `4 of 12 tasks` where the others are left out."""
    return counted_units(
        len(found.units.tasks), found.unit, whole=len(set(unit_names(found.given, found.unit)))
    )


def counted_units(count: int, unit: str, *, whole: int | None = None) -> str:
    """Return such as `26 datasets`, or `4 of 12 tasks` of a larger whole; unit: task, dataset or family."""
    if whole is not None and whole > count:
        return f"{count:,} of {whole:,} {unit if whole == 1 else PLURALS[unit]}"
    return f"{count:,} {unit if count == 1 else PLURALS[unit]}"


def basis_words(found: Analysis) -> str:
    """Return such as `138 tasks of 26 datasets; tasks of one dataset count once`; where tasks are left out,
    `120 of 138 tasks of 26 datasets`."""
    tasks, known, whole = len(found.table.tasks), found.table.units, len(found.given.tasks)
    if found.unit != TASK:
        is_said = holds_several(found.table, found.unit)
        return counts_words(tasks, len(found.units.tasks), unit=found.unit, is_said=is_said, whole=whole)
    if known is None or not holds_several(found.table, DATASET):
        return counted_units(tasks, TASK, whole=whole)
    return counts_words(tasks, len(set(known.datasets)), unit=TASK, whole=whole)


def counts_words(
    tasks: int, groups: int, *, unit: str, is_said: bool = True, whole: int | None = None
) -> str:
    """Return such as `138 tasks of 26 datasets; tasks of one dataset count once`. groups: how many units they
    are, or datasets where each task counts; is_said: what counts; whole: how many tasks there are, with those
    that are left out."""
    grouped = counted_units(groups, DATASET if unit == TASK else unit)
    said = f"{counted_units(tasks, TASK, whole=whole)} of {grouped}"
    counts = "each task counts" if unit == TASK else f"tasks of one {unit} count once"
    return f"{said}; {counts}" if is_said else said


def group_name(group: GroupRanks) -> str:
    """Return the name of a group of tasks, with its units where these are too few for intervals."""
    return group.name if group.has_intervals else f"{group.name} ({counted_units(group.units, group.unit)})"


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


def untestable_words(found: Analysis) -> str:
    """Return why a test has no verdicts: `not testable with 5 datasets`."""
    return f"not testable with {counted_units(len(found.units.tasks), found.unit)}"


def family_words(found: Analysis, test: RankTest) -> str:
    """Say how many pairs differ where families count once; empty where no family has several units."""
    again = found.by_family
    if again is None:
        return ""
    said = pair_verdicts(again, test)
    name = test_words(test, None).replace("’", "'")
    lead = f"Where each of {unit_count(again)} counts once,"
    if not said.is_testable:
        return f"{lead} pairs are {not_tested(untestable_words(again))} by {name}."
    count = int(said.different.sum())
    pairs = f"{count} of {counted(said.tested, 'pair')} {'differs' if count == 1 else 'differ'}"
    return f"{lead} {pairs} significantly by {name}."
