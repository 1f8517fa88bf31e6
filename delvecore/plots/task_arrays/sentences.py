"""What a task-array says, in one sentence: where methods are best, and where they fail.

Rows are those of `ARRAY_WINNERS`, `ARRAY_TALLIES` and `ARRAY_DIFFERENCES`. Sentences are Markdown with
escaped names."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from delvecore.model import TaskArray
from delvecore.plots.task_arrays.plot_data import cell_words, level_words, member_words
from delvecore.report import words
from delvecore.report.ranking.sentences import counts_words
from delvecore.report.verdict_words import NO_DIFFERENCE, PHRASES, THAN
from delvecore.stats.arrays.estimates import Crossing
from delvecore.stats.choose import Setting, Verdict, is_significant
from delvecore.stats.ranking.ranks import DATASET, TASK, on_most_tasks

Row = Mapping[str, Any]
BEST = "significantly best"
UNBROKEN = "\N{NO-BREAK SPACE}"
NAMED = 2
"""How many exceptions are told."""
Key = TypeVar("Key")


@dataclass(frozen=True)
class Record:
    """On how many of what counts has a method the lowest loss, and on how many is it significantly better
    than every other one? tasks: those with results of it."""

    method: str
    lowest: int
    best: int
    tasks: int


def records(rows: Iterable[Row], methods: Sequence[str], *, unit: str = TASK) -> list[Record]:
    """Return how each method does, by how often it is significantly best, then how often lowest.

    rows: of `ARRAY_WINNERS`; unit: see `array_unit`."""
    known, found = [row for row in rows if row["best"] is not None], []
    units = _units(known, unit)
    for method in methods:
        won = [row["best"] == method for row in known]
        alone = [one and _is_alone(row) for one, row in zip(won, known, strict=True)]
        tasks = sum(method not in row["without_results"] for row in known)
        found.append(Record(method, on_most_tasks(units, won), on_most_tasks(units, alone), tasks))
    return sorted(found, key=lambda record: (-record.best, -record.lowest))


def _units(rows: Sequence[Row], unit: str) -> list[str]:
    """Return what each row counts for."""
    return [row["dataset"] if unit == DATASET else str(number) for number, row in enumerate(rows)]


def _is_alone(row: Row) -> bool:
    """Is the best of a task significantly better than every other method?"""
    return bool(row["worse"]) and not row["not_worse"] and not row["untested"]


def _pattern(array: TaskArray, rows: Sequence[Row], winner: str) -> str:
    """Say who has the lowest loss where: at the levels of the factor that tells most, training sizes included
    (`non-linear: gp-1 on 20 of 20; fairly linear: lin-1 on 14 of 20`), else in which members it is not the
    winner."""
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
        parts.append(f"{words.escape(name)}: {words.escape(method)} on {count} of {tasks}")
    return f" ({'; '.join(parts)})"


def _exceptions(array: TaskArray, rows: Sequence[Row], winner: str) -> str:
    """Say in which members of the array another method than the winner has the lowest loss most often."""
    by_member: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        by_member.setdefault(tuple(row["levels"]), []).append(row["best"])
    found = {levels: one for levels, one in _most_often(by_member).items() if one[0] != winner}
    if not found:
        return ", in every member of the array more often than any other"
    parts = [
        f"{words.escape(member_words(array, levels))}: {words.escape(method)} on {count} of {tasks}"
        for levels, (method, count, tasks) in sorted(found.items(), key=lambda item: -item[1][1])
    ]
    more = f"; and {len(parts) - NAMED} more" if len(parts) > NAMED else ""
    return f" (but {'; '.join(parts[:NAMED])}{more})"


def _most_often(names: Mapping[Key, Sequence[str]]) -> dict[Key, tuple[str, int, int]]:
    """Return the name that stands most often under each key, how often, and of how many."""
    return {key: (*Counter(own).most_common(1)[0], len(own)) for key, own in names.items()}


def subject(array: TaskArray, loss: str, shown: int, *, of: int) -> str:
    """`On the array bank, under squared error (S), all 12 methods`: what a page is about. Markdown."""
    methods = words.some_of(shown, of, "method")
    return f"On the array **{words.escape(array.name)}**, under {words.loss_within(loss)}, {methods}"


def array_sentence(
    array: TaskArray, rows: Sequence[Row], methods: Sequence[str], tallies: Sequence[Row], *, unit: str
) -> str:
    """Which method is best on how many tasks, or datasets, where does it change, and on how many is it
    significantly better?

    rows: of `ARRAY_WINNERS`; methods: best mean place first; tallies: of `ARRAY_TALLIES`, by the same unit:
    see `array_unit`."""
    known = [row for row in rows if row["best"] is not None]
    if not known:
        return "**None of these methods has results on a task of this array.**"
    if len(methods) == 1:
        return f"**One method only**: {words.escape(methods[0])}. Choose another to compare it with."
    first, most = records(rows, methods, unit=unit)[0], "most tasks of " if unit == DATASET else ""
    of_all = words.count(len(set(_units(known, unit))), unit)
    said = f"**{words.escape(first.method)} has the lowest loss on {most}{first.lowest} of {of_all}**"
    said += f"{_pattern(array, known, first.method)}; it is "
    said += f"{THAN[Verdict.BETTER]} every other method on {most}{first.best}."
    rival = next(name for name in methods if name != first.method)
    for row in tallies:
        if (row["method"], row["other"]) == (first.method, rival):
            counts = f"{PHRASES[Verdict.BETTER]} on {most}{row['better']}, worse on {row['worse']}, "
            counts += f"{NO_DIFFERENCE} on {row['not_significant']}"
            counts += f", {PHRASES[Verdict.NOT_TESTED]} on {row['not_tested']}" * (row["not_tested"] > 0)
            said += f" Against the best of the others, {words.escape(rival)}: {counts}."
    weak = sum(row["tested_pairs"] > 0 and not row["significant_pairs"] for row in known)
    said += f" On {words.count(weak, 'task')} no pair of methods differs significantly." if weak else ""
    return said + _basis(known, unit)


def crossing_sentence(array: TaskArray, one: Crossing) -> str:
    """`rf-1 overtakes lasso-cv-1 between 128 and 256 training cases: 32 inputs, non-linear.` Markdown."""
    sizes = f"{one.before.training_size:,} and {one.after.training_size:,} training cases"
    sure = ", significantly at both" if one.is_significant else ""
    where = words.escape(member_words(array, one.before.levels))
    return (
        f"**{words.escape(one.ahead)}** overtakes {words.escape(one.behind)} between {sizes}{sure}: {where}."
    )


def own_sentence(rows: Sequence[Row], methods: Sequence[str], mine: str | None, *, unit: str) -> str:
    """On how many tasks, or datasets, is the visitor's own method the best? Empty where it is not shown."""
    found = records(rows, methods, unit=unit)
    place = next((place for place, one in enumerate(found, start=1) if one.method == mine), None)
    if place is None:
        return ""
    own, of = found[place - 1], len({*_units([row for row in rows if row["best"] is not None], unit)})
    lead = f"Yours is **{words.escape(own.method)}**, **place {place} of {len(found)}** by that"
    return f"{lead}: lowest on {own.lowest} of {words.count(of, unit)}, {BEST} on {own.best}."


def _basis(rows: Sequence[Row], unit: str) -> str:
    """Say what is counted, where datasets have several tasks."""
    datasets = len({row["dataset"] for row in rows})
    return f" Counted: {counts_words(len(rows), datasets, unit=unit)}." if datasets < len(rows) else ""


def failure_sentence(array: TaskArray, rows: Sequence[Row], method: str, *, setting: Setting) -> str | None:
    """Where does the best method lose most to another? None where it is never significantly worse, also when
    allowed for that the largest of many differences was chosen.

    rows: of `ARRAY_DIFFERENCES` with this method as the reference, so that below zero the others are better.
    """
    tested = [row for row in rows if row["p"] is not None]
    chosen = {id(row): min(1.0, row["p"] * len(tested)) for row in tested}
    better = [row for row in tested if row["verdict"] == Verdict.BETTER]
    better = [row for row in better if is_significant(chosen[id(row)], setting.alpha)]
    if not better:
        return None
    worst = min(better, key=lambda row: row["difference"])
    size = words.with_error(-worst["difference"], worst["difference_error"])
    where, p = words.escape(cell_words(array, worst)), words.p_value(chosen[id(worst)])
    return (
        f"{words.escape(method)} falls behind most with {where}: it loses {size} more than "
        f"{words.escape(worst['method'])} ({p.replace(' ', UNBROKEN)}, as the largest of {len(tested)} "
        "differences)."
    )


@dataclass(frozen=True)
class Coverage:
    """How much of an array is there. cells: of the grid; tasks: cells with a task; done: tasks with a loss of
    any method; complete: methods with a loss on every task; partial: {method: tasks without a loss}."""

    cells: int
    tasks: int
    done: int
    complete: tuple[str, ...]
    partial: dict[str, int]


def gaps_sentence(found: Coverage) -> str | None:
    """Say what is not there: tasks of a complete array, tasks with results, results of some methods."""
    parts = []
    tasks = words.count(found.tasks, "task")
    if found.cells > found.tasks:
        parts.append(f"The array has {tasks} of {found.cells} that a complete one has.")
    if found.done < found.tasks:
        parts.append(f"There are results on {found.done} of {tasks}.")
    common = found.tasks - found.done
    more = {name: left - common for name, left in found.partial.items() if left > common}
    if more:
        listed = [f"{words.escape(name)} on {count}" for name, count in more.items()]
        parts.append(f"Without results{' besides' if common else ''}: {words.and_list(listed)}.")
    return " ".join(parts) or None
