"""What would decide a ranking? How many more datasets give 80 % power for a difference that matters."""

import numpy as np

from delvecore.answers.answer import Answer, Column, Table
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.render.numbers import counted, integer, parameter, percent, significant
from delvecore.render.spans import as_name, strong
from delvecore.report.ranking.sentences import unit_count, units_name
from delvecore.stats.array_types import Floats, Whole
from delvecore.stats.power import MOST, POWER
from delvecore.stats.ranking.analysis import Analysis
from delvecore.stats.ranking.unit_power import level_of_one_pair, plan_units
from delvecore.stats.verdicts import PairVerdicts


def unit_power_answer(
    analysis: Analysis, verdicts: PairVerdicts, smallest: float, *, measure: Measure
) -> Answer:
    """Plan how many units would find a difference for each pair that has no significant one.

    smallest: the difference that matters, in the unit of the values. Raises DelveError if it is not positive,
    or if there are fewer than two units.
    """
    if not smallest > 0:
        raise DelveError(f"--rope: expected a difference above 0 that matters, found {parameter(smallest)}")
    if len(analysis.units.tasks) < 2:
        raise DelveError(f"expected two {units_name(analysis)} or more to plan with, found one")
    pairs, power, units = plan_units(analysis, verdicts, smallest)
    scan, names = analysis.scan, np.array(analysis.table.methods, dtype=object)
    more = units - len(analysis.units.tasks)
    known = [None if np.isnan(one) else int(one) for one in units.tolist()]
    columns = (
        Column("method_a", "a", "name", names[scan.first[pairs]].tolist()),
        Column("method_b", "b", "name", names[scan.second[pairs]].tolist()),
        Column("difference", "difference", "number", scan.mean[pairs].tolist()),
        Column("spread", "spread", "number", scan.deviation[pairs].tolist()),
        Column("power", "power now", "share", power.tolist()),
        Column("units", f"{units_name(analysis)} needed", "count", known),
        Column(
            "more", "more", "count", [None if np.isnan(one) else int(max(one, 0)) for one in more.tolist()]
        ),
    )
    level = level_of_one_pair(verdicts, len(names))
    of = "of the loss of the baseline" if measure.is_loss else f"in {as_name(measure.title)}"
    about = (
        f"Power: probability of significance if the true difference is {parameter(smallest)} {of}. --rope "
        "states another difference that matters to you.",
        f"Spread: standard deviation of the differences between {units_name(analysis)}; it is an estimate, "
        f"and so is the plan. New {units_name(analysis)} are assumed to vary as these do.",
        f"The power is that of a t-test at {significant(level, 2)}, the level for one pair after the "
        "adjustment for all pairs.",
    )
    notes = (*(about if len(pairs) else ()), *_not_planned(analysis, verdicts, units))
    return Answer("power", _headline(analysis, verdicts, pairs, units, smallest), Table(columns), notes)


def _headline(
    analysis: Analysis, verdicts: PairVerdicts, pairs: Whole, needed: Floats, smallest: float
) -> str:
    if not len(pairs):
        every = (
            "Every pair" if not _unplannable(analysis, verdicts) else "Every pair with varying differences"
        )
        return (
            f"{strong('There is nothing to plan')}. {every} differs significantly on {unit_count(analysis)}."
        )
    lead = f"{counted(len(pairs), 'pair')} without a significant difference on {unit_count(analysis)}"
    wanted, about = f"{percent(POWER)} power for a difference of {parameter(smallest)}", units_name(analysis)
    if np.isnan(needed).all():
        return f"{lead}: {strong(f'no number of {about}')} up to {integer(MOST)} gives any of them {wanted}."
    first = int(np.nanargmin(needed))
    names, pair = analysis.table.methods, pairs[first]
    a, b = (as_name(names[side[pair]]) for side in (analysis.scan.first, analysis.scan.second))
    more = [max(int(one) - len(analysis.units.tasks), 0) for one in needed[~np.isnan(needed)]]
    least = strong(f"{integer(min(more))} more {about}" if min(more) else f"the present {about}")
    sentence = f"{lead}. {least} would give {a} and {b} {wanted}"
    if len(pairs) == 1:
        return f"{sentence}."
    if unreached := int(np.isnan(needed).sum()):
        return f"{sentence}; {counted(unreached, 'pair')} would need over {integer(MOST)}."
    return f"{sentence}; {integer(max(more))} more would give it to all."


def _unplannable(analysis: Analysis, verdicts: PairVerdicts) -> int:
    """Return how many pairs without a significant difference have differences that do not vary."""
    constant = analysis.scan.constant
    return int((constant & ~verdicts.different if verdicts.is_testable else constant).sum())


def _not_planned(analysis: Analysis, verdicts: PairVerdicts, needed: Floats) -> tuple[str, ...]:
    """Describe the pairs that have no plan."""
    different = int(verdicts.different.sum()) if verdicts.is_testable else 0
    constant = _unplannable(analysis, verdicts)
    verb = "differs" if different == 1 else "differ"
    sentences = [f"{counted(different, 'pair')} {verb} significantly already."] * (different > 0)
    sentences += [f"No plan for {counted(constant, 'pair')} whose differences do not vary."] * (constant > 0)
    unreached = int(np.isnan(needed).sum())
    sentences += [f"Empty cells: more than {integer(MOST)} {units_name(analysis)}."] * (unreached > 0)
    return tuple(sentences)
