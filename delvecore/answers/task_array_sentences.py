"""What is said of a task-array in sentences: who is best where, where curves cross, and what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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

Row = Mapping[str, Any]
"""A row of a table of a task-array, by column."""
BEST = f"{SIGNIFICANTLY} best"
UNBROKEN = "\N{NO-BREAK SPACE}"
NAMED = 2
"""Up to so many methods that share the first place have their names in the heading."""


def level_words(array: TaskArray, factor: int, level: str) -> str:
    """Return a level in words: its label, or `noise: low` where the array gives it none. Not escaped."""
    label = array.factors[factor].label(level)
    return label if label != level else f"{array.factors[factor].name}: {level}"


def member_words(array: TaskArray, levels: Sequence[str]) -> str:
    """`8 inputs, fairly linear, medium noise`. Not escaped."""
    return ", ".join(level_words(array, number, level) for number, level in enumerate(levels))


def cell_words(array: TaskArray, row: Row) -> str:
    """`8 inputs, fairly linear, medium noise, 256 training cases`. Not escaped."""
    return f"{member_words(array, row['levels'])}, {words.count(row['training_size'], 'training case')}"


@dataclass(frozen=True)
class Record:
    """On how many of what counts has a method the best value, and on how many is it significantly better
    than every other one? tasks: those with results of it."""

    method: str
    first: int
    best: int
    tasks: int


def records(rows: Iterable[Row], methods: Sequence[str], *, unit: str = TASK) -> list[Record]:
    """Return how each method does, by how often it is significantly best. rows: of `ARRAY_WINNERS`."""
    known, found = [row for row in rows if row["best"] is not None], []
    units = _units(known, unit)
    for method in methods:
        won = [row["best"] == method for row in known]
        alone = [one and _is_alone(row) for one, row in zip(won, known, strict=True)]
        tasks = sum(method not in row["without_results"] for row in known)
        found.append(Record(method, on_most_tasks(units, won), on_most_tasks(units, alone), tasks))
    return sorted(found, key=lambda record: (-record.best, -record.first))


def _units(rows: Sequence[Row], unit: str) -> list[str]:
    """Return what each row counts for."""
    return [row["dataset"] if unit == DATASET else str(number) for number, row in enumerate(rows)]


def _is_alone(row: Row) -> bool:
    """Is the best of a task significantly better than every other method?"""
    return bool(row["worse"]) and not row["not_worse"] and not row["untested"]


def best_words(measure: Measure) -> str:
    """`lowest loss`, `highest accuracy`: what the best method has. Markdown."""
    return f"{words.best_end(measure)} {as_name(measure.noun)}"


def array_finding(
    array: TaskArray, rows: Sequence[Row], methods: Sequence[str], *, measure: Measure, unit: str
) -> str:
    """`gp-1 has the lowest loss on 36 of 40 tasks of bank`: which method has the best value most often?

    rows: of `ARRAY_WINNERS`; unit: see `array_unit`."""
    known, name = [row for row in rows if row["best"] is not None], as_name(array.name)
    if not known:
        return f"None of these methods has results on {name}"
    if len(methods) == 1:
        return f"{as_name(methods[0])} is the only method shown on {name}"
    counted = records(rows, methods, unit=unit)
    most = max(one.first for one in counted)
    leaders = [as_name(one.method) for one in counted if one.first == most]
    of_all = f"{most} of {words.count(len(set(_units(known, unit))), unit)}"
    of_all = f"most tasks of {of_all}" if unit == DATASET else of_all
    has = f"has the {best_words(measure)}"
    if len(leaders) == 1:
        return f"{leaders[0]} {has} on {of_all} of {name}"
    together = words.and_list(leaders) if len(leaders) <= NAMED else words.count(len(leaders), "method")
    return f"{together} each have the {best_words(measure)} on {of_all} of {name}"


def array_basis(rows: Sequence[Row], methods: Sequence[str], *, of: int, measure: Measure, unit: str) -> str:
    """`40 tasks of 8 datasets, squared error (S), all 12 methods; gp-1 is significantly best on 5.`"""
    known = [row for row in rows if row["best"] is not None]
    datasets = words.count(len({row["dataset"] for row in known}), "dataset")
    basis = f"{words.count(len(known), 'task')} of {datasets}, {words.measure_within(measure)}, "
    basis += words.some_of(len(methods), of, "method")
    if not known or len(methods) == 1:
        return f"{basis}."
    counted = records(rows, methods, unit=unit)
    best = max(one.best for one in counted)
    leaders = [as_name(one.method) for one in counted if one.best == best]
    if not best:
        return f"{basis}; no method is {BEST} on a {unit}."
    named = f"{leaders[0]} is" if len(leaders) == 1 else f"{words.count(len(leaders), 'method')} are each"
    return f"{basis}; {named} {BEST} on {best}{' (most tasks)' if unit == DATASET else ''}."


def crossing_sentence(array: TaskArray, one: Crossing) -> str:
    """`rf-1 overtakes lasso-cv-1 between 128 and 256 training cases: 32 inputs, non-linear.`"""
    sizes = f"{integer(one.before.training_size)} and {integer(one.after.training_size)} training cases"
    where = as_name(member_words(array, one.before.levels))
    return f"{strong(as_name(one.ahead))} overtakes {as_name(one.behind)} between {sizes}: {where}."


def own_sentence(
    rows: Sequence[Row], methods: Sequence[str], mine: str | None, *, measure: Measure, unit: str
) -> str:
    """On how many tasks, or datasets, is the visitor's own method the best? Empty where it is not shown."""
    found = records(rows, methods, unit=unit)
    place = next((place for place, one in enumerate(found, start=1) if one.method == mine), None)
    if place is None:
        return ""
    own, of = found[place - 1], len({*_units([row for row in rows if row["best"] is not None], unit)})
    lead = f"Yours is {strong(as_name(own.method))}, {strong(f'place {place} of {len(found)}')} by that"
    return (
        f"{lead}: {words.best_end(measure)} on {own.first} of {words.count(of, unit)}, {BEST} on {own.best}."
    )


def failure_sentence(
    array: TaskArray, rows: Sequence[Row], method: str, *, measure: Measure, setting: Setting
) -> str | None:
    """Where does the best method fall behind another most? None where it is never significantly worse, also
    when allowed for that the largest of many differences was chosen.

    rows: of `ARRAY_DIFFERENCES` with this method as the reference."""
    tested = [row for row in rows if row["p"] is not None]
    chosen = {id(row): min(1.0, row["p"] * len(tested)) for row in tested}
    better = [row for row in tested if row["verdict"] == Verdict.BETTER]
    better = [row for row in better if is_significant(chosen[id(row)], setting.alpha)]
    if not better:
        return None
    worst = min(better, key=lambda row: oriented(float(row["difference"]), measure))
    size = words.with_error(abs(worst["difference"]), worst["difference_error"])
    than = f"it loses {size} more than {as_name(worst['method'])}"
    if not measure.is_loss:
        side = "below" if measure.higher_is_better else "above"
        than = f"its {as_name(measure.noun)} is {size} {side} that of {as_name(worst['method'])}"
    where, p = as_name(cell_words(array, worst)), words.p_value(chosen[id(worst)])
    return (
        f"{as_name(method)} falls behind most with {where}: {than} "
        f"({p.replace(' ', UNBROKEN)}, as the largest of {len(tested)} "
        "differences)."
    )


def gaps_sentence(data: ArrayResults) -> str | None:
    """Say what is missing: tasks of a complete array, tasks with results, results of some methods."""
    is_task = np.array([cell.missing is None for cell in data.cells])
    known = np.isfinite(data.value)
    tasks, done = int(is_task.sum()), int(known.any(axis=1).sum())
    parts = []
    if len(is_task) > tasks:
        parts.append(f"The array has {words.count(tasks, 'task')} of {len(is_task)} that a complete one has.")
    if done < tasks:
        parts.append(f"There are results on {done} of {words.count(tasks, 'task')}.")
    left = (known.any(axis=1, keepdims=True) & ~known).sum(axis=0).tolist()
    more = [f"{as_name(name)} on {count}" for name, count in zip(data.methods, left, strict=True) if count]
    if more:
        parts.append(f"Without results{' besides' if done < tasks else ''}: {words.and_list(more)}.")
    return " ".join(parts) or None


def effect_notes(rows: Iterable[Row]) -> list[str]:
    """Say in sentences what the effects lack. rows: of `ARRAY_EFFECTS`."""
    notes, unknown = [], []
    for row in rows:
        if (row["note"] or "").startswith("not estimable"):
            unknown += [" × ".join(row["factors"])] if row["kind"] == TERM else []
        elif row["note"]:
            notes.append(f"{as_name(row['note'][0].upper() + row['note'][1:])}.")
    if unknown:
        listed = words.and_list([as_name(term) for term in unknown])
        notes.append(f"Too few tasks have results to tell these effects from each other: {listed}.")
    return list(dict.fromkeys(notes))
