"""Which task-arrays the datasets of a table of scores make up."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from delvecore.readers.labels import ScorePlace
from delvecore.task_arrays import Factor, Level, Member, TaskArray

__all__ = ["array_of", "named_factors"]

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST_FACTORS, LEAST_FILLED = 4, 0.5


def array_of(
    name: str, places: Mapping[str, ScorePlace], factors: Mapping[str, Mapping[str, str]]
) -> TaskArray | None:
    """Return the task-array that datasets make up; None where they differ in fewer than two factors or more
    than four, fill half of the grid at most, or two of them stand in one cell.

    places: by dataset as the table names it; factors: {dataset: {factor: level}}, the same in each."""
    rows = [factors[label] for label in places if label in factors]
    levels = {
        factor: _in_order(dict.fromkeys(row[factor] for row in rows)) for factor in (rows[0] if rows else ())
    }
    chosen = [factor for factor, found in levels.items() if len(found) > 1]
    if not _is_designed(rows):
        return None
    members = {
        Member(*place[:3], tuple(factors[label][factor] for factor in chosen))
        for label, place in places.items()
        if label in factors
    }
    cells = {member.levels for member in members}
    if len(cells) < len(members):
        return None
    axes = tuple(Factor(factor, tuple(Level(one, one) for one in levels[factor])) for factor in chosen)
    return TaskArray(name, f"{' x '.join(chosen)} of {name}", axes, tuple(sorted(members)))


def named_factors(labels: list[str]) -> Mapping[str, Mapping[str, str]]:
    """Return {dataset: {factor: level}} of names such as `8-low` that all have the same number of parts, two
    or more; none where they have not. Parts that are the same in all names are no factors."""
    for separator in ("-", "_", "/", " ", "."):
        parts = [label.split(separator) for label in labels]
        if len({len(one) for one in parts}) == 1 and len(parts[0]) > 1:
            found = {label: dict(_factors(one)) for label, one in zip(labels, parts, strict=True)}
            if _is_designed(list(found.values())):
                return found
    return {}


def _factors(parts: list[str]) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(parts, 1):
        yield f"part {number}", part


def _is_designed(rows: Sequence[Mapping[str, str]]) -> bool:
    """Are these levels those of a design: two factors or more, and most of the combinations there?"""
    counts = [len({row[factor] for row in rows}) for factor in (rows[0] if rows else ())]
    varied = [count for count in counts if count > 1]
    combinations = {tuple(row.values()) for row in rows}
    return 2 <= len(varied) <= MOST_FACTORS and len(combinations) > max(2, LEAST_FILLED * prod(varied))


def _in_order(levels: Iterable[str]) -> list[str]:
    """Return levels by the numbers in them; where some have none, as they come."""
    numbers = {level: [float(n) for n in _NUMBER.findall(level)] for level in levels}
    return sorted(numbers, key=numbers.__getitem__) if all(numbers.values()) else list(numbers)
