"""What a task-array says, in one sentence: where methods are best, and where they fail.

Rows are those of `ARRAY_WINNERS` and `ARRAY_DIFFERENCES`. Sentences are Markdown with escaped names.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dashboard import words
from dashboard.array_data import cell_words, level_words
from delvecore.model import TaskArray
from delvecore.statistics.array_estimates import LOWER

__all__ = ["Record", "array_sentence", "failure_sentence", "gaps_sentence", "records"]

NAMED = 2
"""How many methods the sentence tells about in full."""
TELLING = 0.25
"""By how much the share of tasks must differ between the levels of a factor to be told."""


@dataclass(frozen=True)
class Record:
    """On how many tasks is a method best, or not significantly worse than the best?

    good: of `tasks`; best: of them those where it has the lowest loss; by_level: {(factor, level): (good, tasks)},
    the training sizes as a further factor.
    """

    method: str
    good: int
    best: int
    tasks: int
    by_level: Mapping[tuple[int, str], tuple[int, int]]


def records(rows: Iterable[Mapping], methods: Sequence[str]) -> list[Record]:
    """Return how each method does, those that are good on most tasks first; rows: of `ARRAY_WINNERS`."""
    known = [row for row in rows if row["best"] is not None]
    found = [_record(known, method) for method in methods]
    return sorted(found, key=lambda record: (-record.good, -record.best))


def _record(rows, method):
    counts: dict[tuple[int, str], list[int]] = {}
    good = best = 0
    for row in rows:
        is_good = method == row["best"] or method in row["not_worse"]
        good, best = good + is_good, best + (method == row["best"])
        for place in enumerate((*row["levels"], str(row["training_size"]))):
            count = counts.setdefault(place, [0, 0])
            count[0] += is_good
            count[1] += 1
    return Record(method, good, best, len(rows), {place: tuple(count) for place, count in counts.items()})


def _telling_levels(record):
    """Return the (factor, level) where the method is good most often and least often, of the most telling factor."""
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


def _place_words(array, factor, level):
    if factor == len(array.factors):
        return words.count(int(level), "training case")
    return words.escape(level_words(array, factor, level))


def _told(array, record):
    """`26 of 40 tasks (non-linear: 20 of 20; fairly linear: 6 of 20)`."""
    parts = [
        f"{_place_words(array, *place)}: {record.by_level[place][0]} of {record.by_level[place][1]}"
        for place in _telling_levels(record)
    ]
    return f" ({'; '.join(parts)})" if parts else ""


def array_sentence(array: TaskArray, rows: Sequence[Mapping], methods: Sequence[str], *, alpha: float) -> str:
    """Which methods are best, or as good, on how many tasks, and on which most often?"""
    found = records(rows, methods)
    if not found or not found[0].tasks:
        return "**None of these methods has results on a task of this array.**"
    if len(methods) == 1:
        return f"**One method only**: {words.escape(methods[0])}. Choose another to compare it with."
    first = found[0]
    of = words.count(first.tasks, "task")
    said = (
        f"**{words.escape(first.method)} is best, or not significantly worse than the best, on {first.good} of "
        f"{of}**{_told(array, first)}"
    )
    others = [record for record in found[1:] if record.good][: NAMED - 1]
    said += "".join(f", {words.escape(r.method)} on {r.good}{_told(array, r)}" for r in others)
    if not others:
        said += ", none of the others on any"
    return (
        f"{said}; by single tests at {100 * alpha:g} %, and these tasks are akin: it need not hold elsewhere."
    )


def failure_sentence(array: TaskArray, rows: Sequence[Mapping], method: str) -> str | None:
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
        f"{words.escape(worst['method'])} ({words.p_value(worst['p'])})."
    )


def gaps_sentence(tasks: int, missing: Mapping[str, int], holes: int) -> str | None:
    """Say what is not there: results of methods, and tasks of a complete array. None where nothing is missing.

    tasks: of the array; missing: {method: tasks without its loss}; holes: cells of the grid without a task.
    """
    parts = []
    if missing:
        listed = [f"{words.escape(name)} on {count}" for name, count in missing.items()]
        parts.append(f"Without results: {words.and_list(listed)} of {words.count(tasks, 'task')}.")
    if holes:
        parts.append(f"The array has holes: {words.count(holes, 'task')} of a complete one are not there.")
    return " ".join(parts) or None
