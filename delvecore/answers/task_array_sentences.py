"""Sentences about a task-array: best methods by task, crossings of curves, and missing results."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.answers.answer import Table, plain_columns, table_of
from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.render.numbers import integer
from delvecore.render.spans import as_name, strong
from delvecore.render.verdicts import SIGNIFICANTLY
from delvecore.report import words
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.arrays.factorial_effects import TERM
from delvecore.stats.arrays.results import ArrayResults
from delvecore.stats.choose import Setting, Verdict, is_significant
from delvecore.stats.orientation import oriented
from delvecore.stats.ranking.ranks import DATASET, TASK, on_most_tasks
from delvecore.tables import rows_of, values_in, values_of

BEST = f"{SIGNIFICANTLY} best"
UNBROKEN = "\N{NO-BREAK SPACE}"
NAMED = 2
"""Maximum number of methods in first place that the heading names."""


def level_words(array: TaskArray, factor: int, level: str) -> str:
    """Return a level in words: its label, or `noise: low` if it has no label. Not escaped."""
    label = array.factors[factor].label(level)
    return label if label != level else f"{array.factors[factor].name}: {level}"


def member_words(array: TaskArray, levels: Sequence[str]) -> str:
    """`8 inputs, fairly linear, medium noise`. Not escaped."""
    return ", ".join(level_words(array, number, level) for number, level in enumerate(levels))


def cell_words(array: TaskArray, levels: Sequence[str], size: int) -> str:
    """`8 inputs, fairly linear, medium noise, 256 training cases`. Not escaped."""
    return f"{member_words(array, levels)}, {words.count(size, 'training case')}"


def records(winners: pa.Table, methods: Sequence[str], *, unit: str = TASK) -> Table:
    """Count how often each method is best, sorted by significant wins. `winners` is `ARRAY_WINNERS`.

    Columns: `first` is the number of units on which the method has the best value. `best` is the number on
    which it is significantly better than every other one. `tasks` is the number of tasks with its results.
    """
    known, counts = with_winners(winners), []
    units, names = _units(known, unit), ("best", "worse", "not_worse", "untested", "without_results")
    rows = list(rows_of(known, names))
    for method in methods:
        won = [best == method for best, *_ in rows]
        alone = [
            best == method and bool(worse) and not not_worse and not untested
            for best, worse, not_worse, untested, _ in rows
        ]
        tasks = sum(method not in without for *_, without in rows)
        counts.append((method, on_most_tasks(units, won), on_most_tasks(units, alone), tasks))
    counts.sort(key=lambda one: (-one[2], -one[1]))
    return table_of(counts, plain_columns("count", "method", "first", "best", "tasks"))


def with_winners(winners: pa.Table) -> pa.Table:
    """Return the rows of tasks with results."""
    return winners.filter(pc.is_valid(winners["best"]))


def _units(known: pa.Table, unit: str) -> list[str]:
    """Return the unit that each row counts for."""
    return values_of(known, "dataset") if unit == DATASET else list(map(str, range(known.num_rows)))


def best_words(measure: Measure) -> str:
    """`lowest loss`, `highest accuracy`: the value of the best method. Markdown."""
    return f"{words.best_end(measure)} {as_name(measure.noun)}"


def array_finding(
    array: TaskArray, winners: pa.Table, methods: Sequence[str], *, measure: Measure, unit: str
) -> str:
    """`gp-1 has the lowest loss on 36 of 40 tasks of bank`: the method that has the best value most often.

    winners: `ARRAY_WINNERS`; unit: see `array_unit`."""
    known, name = with_winners(winners), as_name(array.name)
    if not known.num_rows:
        return f"None of these methods has results on {name}"
    if len(methods) == 1:
        return f"{as_name(methods[0])} is the only method shown on {name}"
    counted = records(known, methods, unit=unit)
    most = max(counted["first"])
    leaders = [as_name(name) for name, first in counted.select("method", "first").rows if first == most]
    of_all = f"{most} of {words.count(len(set(_units(known, unit))), unit)}"
    of_all = f"most tasks of {of_all}" if unit == DATASET else of_all
    has = f"has the {best_words(measure)}"
    if len(leaders) == 1:
        return f"{leaders[0]} {has} on {of_all} of {name}"
    together = words.and_list(leaders) if len(leaders) <= NAMED else words.count(len(leaders), "method")
    return f"{together} each have the {best_words(measure)} on {of_all} of {name}"


def array_basis(winners: pa.Table, methods: Sequence[str], *, of: int, measure: Measure, unit: str) -> str:
    """Return a text such as this:

    `40 tasks of 8 datasets, squared error (S), all 12 methods; gp-1 is significantly best on 5 tasks.`"""
    known = with_winners(winners)
    datasets = words.count(len(values_in(known, "dataset")), "dataset")
    basis = f"{words.count(known.num_rows, 'task')} of {datasets}, {words.measure_within(measure)}, "
    basis += words.some_of(len(methods), of, "method")
    if not known.num_rows or len(methods) == 1:
        return f"{basis}."
    counted = records(known, methods, unit=unit)
    best = max(counted["best"])
    leaders = [as_name(name) for name, number in counted.select("method", "best").rows if number == best]
    if not best:
        return f"{basis}; no method is {BEST} on a {unit}."
    named = f"{leaders[0]} is" if len(leaders) == 1 else f"{words.count(len(leaders), 'method')} are each"
    of_datasets = "most tasks of " if unit == DATASET else ""
    return f"{basis}; {named} {BEST} on {of_datasets}{words.count(best, unit)}."


def crossing_sentence(array: TaskArray, one: Crossing) -> str:
    """Return a text such as this:

    `rf-1 overtakes lasso-cv-1 between 128 and 256 training cases: 32 inputs, non-linear.`"""
    sizes = f"{integer(one.before.training_size)} and {integer(one.after.training_size)} training cases"
    where = as_name(member_words(array, one.before.levels))
    return f"{strong(as_name(one.ahead))} overtakes {as_name(one.behind)} between {sizes}: {where}."


def own_sentence(
    winners: pa.Table, methods: Sequence[str], mine: str | None, *, measure: Measure, unit: str
) -> str:
    """Count the tasks, or datasets, on which the visitor's own method is the best; empty if it is
    not shown.
    """
    rows = records(winners, methods, unit=unit).rows
    place = next((place for place, (name, *_) in enumerate(rows, start=1) if name == mine), None)
    if place is None:
        return ""
    (name, first, best, _), of = rows[place - 1], len({*_units(with_winners(winners), unit)})
    lead = f"Yours is {strong(as_name(name))}, {strong(f'place {place} of {len(rows)}')} by that"
    return f"{lead}: {words.best_end(measure)} on {first} of {words.count(of, unit)}, {BEST} on {best}."


def failure_sentence(
    array: TaskArray, table: pa.Table, method: str, *, measure: Measure, setting: Setting
) -> str | None:
    """On which task is the best method furthest behind another?

    None if it is never significantly worse. The test accounts for the selection of the largest difference.

    table: `ARRAY_DIFFERENCES` with this method as the reference."""
    tested = table.filter(pc.is_valid(table["p"]))
    names = ("p", "verdict", "levels", "training_size", "method", "difference", "difference_error")
    better = [
        (oriented(float(difference), measure), min(1.0, p * tested.num_rows), levels, size, other, error)
        for p, verdict, levels, size, other, difference, error in rows_of(tested, names)
        if verdict == Verdict.BETTER and is_significant(min(1.0, p * tested.num_rows), setting.alpha)
    ]
    if not better:
        return None
    difference, p, levels, cases, other, error = min(better, key=lambda one: one[0])
    size, name = words.with_error(abs(difference), error), as_name(other)
    than = f"it loses {size} more than {name}"
    if not measure.is_loss:
        side = "below" if measure.higher_is_better else "above"
        than = f"its {as_name(measure.noun)} is {size} {side} that of {name}"
    return (
        f"{as_name(method)} falls behind most with {as_name(cell_words(array, levels, cases))}: {than} "
        f"({words.p_value(p).replace(' ', UNBROKEN)}, as the largest of {tested.num_rows} differences)."
    )


def gaps_sentence(data: ArrayResults) -> str | None:
    """Report what is missing: tasks of a complete array, tasks with results, results of some methods."""
    is_task = np.array([cell.missing is None for cell in data.cells])
    known = np.isfinite(data.value)
    tasks, done = int(is_task.sum()), int(known.any(axis=1).sum())
    parts = []
    if len(is_task) > tasks:
        parts.append(f"The array has {integer(tasks)} of the {len(is_task)} tasks of a complete one.")
    if done < tasks:
        parts.append(f"There are results on {done} of {words.count(tasks, 'task')}.")
    left = (known.any(axis=1, keepdims=True) & ~known).sum(axis=0).tolist()
    more = [f"{as_name(name)} on {count}" for name, count in zip(data.methods, left, strict=True) if count]
    if more:
        parts.append(f"{'Also without' if done < tasks else 'Without'} results: {words.and_list(more)}.")
    return " ".join(parts) or None


def effect_notes(effects: pa.Table) -> list[str]:
    """Report gaps in the effects. effects: `ARRAY_EFFECTS`."""
    notes, unknown = [], []
    for note, kind, factors in rows_of(effects, ("note", "kind", "factors")):
        if (note or "").startswith("not estimable"):
            unknown += [" × ".join(factors)] if kind == TERM else []
        elif note:
            notes.append(f"{as_name(note[0].upper() + note[1:])}.")
    if unknown:
        listed = words.and_list([as_name(term) for term in unknown])
        notes.append(f"Too few tasks have results to separate these effects: {listed}.")
    return list(dict.fromkeys(notes))
