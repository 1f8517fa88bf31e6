"""Where the scores of a dataset lie in an archive, and which task-arrays datasets make up.

A dataset of a table of scores has one prototask, `scores`, and a task for each size of its training sets, or
`all` where no size is known: `/iris/scores/all`. A name such as `age/std.128` is that of a task of a dataset,
and `/demo/age/std.128` the path of one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from delvecore.model import SCORED, SLASH, WHOLE, task_name
from delvecore.readers.specifications import parse_task_name
from delvecore.task_arrays import Factor, Level, Member, TaskArray

__all__ = ["ScorePlace", "array_of", "named_factors", "place_of"]

SIZED = "std"
"""The prior of tasks with training sets of known sizes."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
MOST_FACTORS, LEAST_FILLED = 4, 0.5


class ScorePlace(NamedTuple):
    """The task that a dataset of a table stands for. training_size: 0 where it is not known."""

    dataset: str
    prototask: str
    prior: str
    training_size: int

    @property
    def task(self) -> str:
        return task_name(self.prior, self.training_size)


def place_of(label: str, training_size: int = 0) -> ScorePlace:
    """Return the place of a dataset by its name in the table."""
    parts = label.removeprefix("/").split("/")
    known = parse_task_name(parts[-1])
    if label.startswith("/") and len(parts) == 3 and known is not None:
        return ScorePlace(parts[0], parts[1], *known)
    if len(parts) == 1 or "" in label.split("/"):  # an address, say
        prior = SIZED if training_size else WHOLE
        return ScorePlace(label.replace("/", SLASH), SCORED, prior, training_size)
    if len(parts) == 2 and known is not None and not training_size:
        return ScorePlace(parts[0], SCORED, *known)
    return ScorePlace(parts[0], SCORED, SLASH.join(parts[1:]), training_size)


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
