"""What a task-array says, in one sentence: where methods are best, and where they fail.

Rows are those of `ARRAY_WINNERS` and `ARRAY_DIFFERENCES`. Sentences are Markdown with escaped names.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dashboard.frame import words
from dashboard.task_arrays.data import Coverage, cell_words, level_words
from delvecore.model import TaskArray
from delvecore.statistics.arrays.estimates import LOWER

__all__ = ["Record", "array_sentence", "failure_sentence", "gaps_sentence", "records"]

Place = tuple[int, str]
"""A factor, by number, and one of its levels; the training size is a further factor."""
Row = Mapping[str, Any]
UNBROKEN = "\N{NO-BREAK SPACE}"
NAMED = 2
"""How many methods the sentence tells about in full."""
TELLING = 0.25
"""By how much the share of tasks must differ between the levels of a factor to be told."""


@dataclass(frozen=True)
class Record:
    """On how many tasks is a method best, or not significantly worse than the best?

    good: of `tasks`, those with results of it; best: those of them where it has the lowest loss; by_level:
    {(factor, level): (good, tasks)}, the training sizes as a further factor.
    """

    method: str
    good: int
    best: int
    tasks: int
    by_level: Mapping[Place, tuple[int, int]]


def records(rows: Iterable[Row], methods: Sequence[str]) -> list[Record]:
    """Return how each method does, those that are good on most tasks first; rows: of `ARRAY_WINNERS`."""
    known = [row for row in rows if row["best"] is not None]
    found = [_record(known, method) for method in methods]
    return sorted(found, key=lambda record: (-record.good, -record.best))


def _record(rows: Sequence[Row], method: str) -> Record:
    counts: dict[Place, list[int]] = {}
    good = best = 0
    own = [row for row in rows if method not in row["without_results"]]
    for row in own:
        is_good = method == row["best"] or method in row["not_worse"]
        good, best = good + is_good, best + (method == row["best"])
        for place in enumerate((*row["levels"], str(row["training_size"]))):
            count = counts.setdefault(place, [0, 0])
            count[0] += is_good
            count[1] += 1
    by_level = {place: (good, tasks) for place, (good, tasks) in counts.items()}
    return Record(method, good, best, len(own), by_level)


def _telling_levels(record: Record) -> tuple[Place, ...]:
    """Return (factor, level) where the method is good most often and least often, of the telling factor."""
    shares: dict[int, list[tuple[float, str]]] = {}
    for (factor, level), (good, tasks) in record.by_level.items():
        shares.setdefault(factor, []).append((good / tasks, level))
    spread = {factor: max(found)[0] - min(found)[0] for factor, found in shares.items()}
    if not spread or max(spread.values()) < TELLING:
        return ()
    factor = max(spread, key=spread.__getitem__)
    most = max(shares[factor], key=lambda item: item[0])[1]
    least = min(shares[factor], key=lambda item: item[0])[1]
    return (factor, most), (factor, least)


def _place_words(array: TaskArray, factor: int, level: str) -> str:
    if factor == len(array.factors):
        return words.count(int(level), "training case")
    return words.escape(level_words(array, factor, level))


def _told(array: TaskArray, record: Record) -> str:
    """`26 of 40 tasks (non-linear: 20 of 20; fairly linear: 6 of 20)`."""
    parts = [
        f"{_place_words(array, *place)}: {record.by_level[place][0]} of {record.by_level[place][1]}"
        for place in _telling_levels(record)
    ]
    return f" ({'; '.join(parts)})" if parts else ""


def _good_of(record: Record, tasks: int) -> str:
    """`20`, or `17 of the 28 it has` where there are more tasks."""
    return str(record.good) if record.tasks == tasks else f"{record.good} of the {record.tasks} it has"


def array_sentence(array: TaskArray, rows: Sequence[Row], methods: Sequence[str], *, alpha: float) -> str:
    """Which methods are best, or as good, on how many tasks, and on which most often?"""
    found = records(rows, methods)
    if not found or not found[0].tasks:
        return "**None of these methods has results on a task of this array.**"
    if len(methods) == 1:
        return f"**One method only**: {words.escape(methods[0])}. Choose another to compare it with."
    first, tasks = found[0], sum(row["best"] is not None for row in rows)
    said = (
        f"**{words.escape(first.method)} is best, or not significantly worse than the best, on {first.good} "
        f"of {words.count(first.tasks, 'task')}**{_told(array, first)}"
    )
    others = [record for record in found[1:] if record.good][: NAMED - 1]
    said += "".join(f", {words.escape(r.method)} on {_good_of(r, tasks)}{_told(array, r)}" for r in others)
    if not others:
        said += ", none of the others on any"
    percent = f"{100 * alpha:g}{UNBROKEN}%"
    return f"{said}; by single tests at {percent}, and these tasks are akin: it need not hold elsewhere."


def failure_sentence(array: TaskArray, rows: Sequence[Row], method: str) -> str | None:
    """Where does the best method lose most to another? None where it is never significantly worse.

    rows: of `ARRAY_DIFFERENCES` with this method as the reference, so that below zero the others are better.
    """
    better = [row for row in rows if row["standing"] == LOWER]
    if not better:
        return None
    worst = min(better, key=lambda row: row["difference"])
    size = words.with_error(-worst["difference"], worst["difference_error"])
    where = words.escape(cell_words(array, worst))
    return (
        f"{words.escape(method)} falls behind most with {where}: it loses {size} more than "
        f"{words.escape(worst['method'])} ({words.p_value(worst['p']).replace(' ', UNBROKEN)})."
    )


def gaps_sentence(found: Coverage) -> str | None:
    """Say what is not there: tasks of a complete array, tasks with results, results of some methods."""
    parts = []
    if found.cells > found.tasks:
        parts.append(
            f"The array has {words.count(found.tasks, 'task')} of {found.cells} that a complete one has."
        )
    if found.done < found.tasks:
        parts.append(f"There are results on {found.done} of {words.count(found.tasks, 'task')}.")
    common = found.tasks - found.done
    more = {name: left - common for name, left in found.partial.items() if left > common}
    if more:
        listed = [f"{words.escape(name)} on {count}" for name, count in more.items()]
        parts.append(f"Without results{' besides' if common else ''}: {words.and_list(listed)}.")
    return " ".join(parts) or None
