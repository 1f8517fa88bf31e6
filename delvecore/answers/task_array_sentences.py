"""What is said of a task-array in sentences: who is best where, where curves cross, and what is missing."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from delvecore.measures import Measure
from delvecore.model import TaskArray
from delvecore.render.numbers import integer
from delvecore.render.spans import as_name, strong
from delvecore.render.verdicts import SIGNIFICANTLY
from delvecore.report import words
from delvecore.report.ranking.sentences import counts_words
from delvecore.report.verdict_words import NO_DIFFERENCE, PHRASES, THAN
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
"""How many exceptions are told."""
Key = TypeVar("Key")


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


def _pattern(array: TaskArray, rows: Sequence[Row], winner: str) -> str:
    """Say who has the best value where, by the factor that tells most, else in which members others have."""
    by_factor: dict[int, dict[str, list[str]]] = {}
    for row in rows:
        for factor, level in enumerate((*row["levels"], str(row["training_size"]))):
            by_factor.setdefault(factor, {}).setdefault(level, []).append(row["best"])
    told = {factor: _most_often(levels) for factor, levels in by_factor.items()}
    different = {
        factor: found for factor, found in told.items() if len({one[0] for one in found.values()}) > 1
    }
    if not different:
        return _exceptions(array, rows, winner)
    factor = max(different, key=lambda name: sum(count for _, count, _ in different[name].values()))
    parts = []
    for level, (method, count, tasks) in different[factor].items():
        is_size = factor == len(array.factors)
        name = words.count(int(level), "training case") if is_size else level_words(array, factor, level)
        parts.append(f"{as_name(name)}: {as_name(method)} on {count} of {tasks}")
    return f" ({'; '.join(parts)})"


def _exceptions(array: TaskArray, rows: Sequence[Row], winner: str) -> str:
    """Say in which members of the array another method than the winner has the best value most often."""
    by_member: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        by_member.setdefault(tuple(row["levels"]), []).append(row["best"])
    found = {levels: one for levels, one in _most_often(by_member).items() if one[0] != winner}
    if not found:
        return ", in every member of the array more often than any other"
    parts = [
        f"{as_name(member_words(array, levels))}: {as_name(method)} on {count} of {tasks}"
        for levels, (method, count, tasks) in sorted(found.items(), key=lambda item: -item[1][1])
    ]
    more = f"; and {len(parts) - NAMED} more" if len(parts) > NAMED else ""
    return f" (but {'; '.join(parts[:NAMED])}{more})"


def _most_often(names: Mapping[Key, Sequence[str]]) -> dict[Key, tuple[str, int, int]]:
    """Return the name that stands most often under each key, how often, and of how many. Of several that do,
    `a and b each`."""
    found = {}
    for key, own in names.items():
        counts = Counter(own)
        most = max(counts.values())
        leaders = sorted(name for name, count in counts.items() if count == most)
        found[key] = (words.and_list(leaders) + " each" * (len(leaders) > 1), most, len(own))
    return found


def subject(array: TaskArray, measure: Measure, shown: int, *, of: int) -> str:
    """`On the array bank, under squared error (S), all 12 methods`: what a page is about. Markdown."""
    methods = words.some_of(shown, of, "method")
    return f"On the array {strong(as_name(array.name))}, under {words.measure_within(measure)}, {methods}"


def best_words(measure: Measure) -> str:
    """`lowest loss`, `highest accuracy`: what the best method has. Markdown."""
    return f"{words.best_end(measure)} {as_name(measure.noun)}"


def array_sentence(
    array: TaskArray,
    rows: Sequence[Row],
    methods: Sequence[str],
    tallies: Sequence[Row],
    *,
    measure: Measure,
    unit: str,
) -> str:
    """Which method is best on how many tasks, or datasets, where does it change, and on how many is it
    significantly better?

    rows: of `ARRAY_WINNERS`; methods: best mean place first; tallies: of `ARRAY_TALLIES`, by the same unit:
    see `array_unit`."""
    known = [row for row in rows if row["best"] is not None]
    if not known:
        return strong("None of these methods has results on a task of this array.")
    if len(methods) == 1:
        return f"{strong('One method only')}: {as_name(methods[0])}. Choose another to compare it with."
    first, most = records(rows, methods, unit=unit)[0], "most tasks of " if unit == DATASET else ""
    of_all = words.count(len(set(_units(known, unit))), unit)
    lead = f"{as_name(first.method)} has the {best_words(measure)}"
    said = strong(f"{lead} on {most}{first.first} of {of_all}")
    said += f"{_pattern(array, known, first.method)}; it is "
    said += f"{THAN[Verdict.BETTER]} every other method on {most}{first.best}."
    rival = next(name for name in methods if name != first.method)
    for row in tallies:
        if (row["method"], row["other"]) == (first.method, rival):
            counts = f"{PHRASES[Verdict.BETTER]} on {most}{row['better']}, worse on {row['worse']}, "
            counts += f"{NO_DIFFERENCE} on {row['not_significant']}"
            counts += f", {PHRASES[Verdict.NOT_TESTED]} on {row['not_tested']}" * (row["not_tested"] > 0)
            said += f" Against the best of the others, {as_name(rival)}: {counts}."
    weak = sum(row["tested_pairs"] > 0 and not row["significant_pairs"] for row in known)
    said += f" On {words.count(weak, 'task')} no pair of methods differs {SIGNIFICANTLY}." if weak else ""
    return said + _basis(known, unit)


def crossing_sentence(array: TaskArray, one: Crossing) -> str:
    """`rf-1 overtakes lasso-cv-1 between 128 and 256 training cases: 32 inputs, non-linear.` Markdown."""
    sizes = f"{integer(one.before.training_size)} and {integer(one.after.training_size)} training cases"
    sure = f", {SIGNIFICANTLY} at both" if one.is_significant else ""
    where = as_name(member_words(array, one.before.levels))
    return f"{strong(as_name(one.ahead))} overtakes {as_name(one.behind)} between {sizes}{sure}: {where}."


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


def _basis(rows: Sequence[Row], unit: str) -> str:
    """Say what is counted, where datasets have several tasks."""
    datasets = len({row["dataset"] for row in rows})
    return f" Counted: {counts_words(len(rows), datasets, unit=unit)}." if datasets < len(rows) else ""


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
