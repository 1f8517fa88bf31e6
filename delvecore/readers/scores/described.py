"""What the further columns of a long table say of its datasets: factors, families, sizes of training sets."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from delvecore.readers.labels import task_path, task_paths
from delvecore.readers.scores import words
from delvecore.readers.scores.batches.codes import Codes, crossed
from delvecore.readers.scores.columns import Column, determines
from delvecore.readers.scores.remarks import Remarks
from delvecore.readers.scores.roles import Roles, labels, named, without

__all__ = ["NOTHING", "Described", "described"]

_MOST_LEVELS = 50
"""Of a factor."""


class Described(NamedTuple):
    """By dataset; see ScoreFile."""

    factors: Mapping[str, Mapping[str, str]]
    families: Mapping[str, str]
    sizes: Mapping[str, int]
    paths: Mapping[str, str]
    """Of tasks by their names in the table, where a column of tasks says which dataset each is of. By these
    paths the others go."""


NOTHING = Described({}, {}, {}, {})


def described(roles: Roles, remarks: Remarks) -> Described:
    """Return what further columns say of datasets; the rest of them is passed over, with the reason."""
    if not roles.dataset:
        _pass_over(roles.spare, None, roles, remarks)
        return NOTHING
    codes = crossed([one.codes for one in roles.dataset])
    holder = _holder(codes, roles)
    paths = _paths(codes, roles, holder)
    constant = [one for one in without(roles.spare, holder) if one.distinct > 1 and determines(codes, one)]
    sizes = [one for one in named([*constant, *roles.dataset], words.SIZES) if one.is_whole][:1]
    families = [one for one in named(constant, words.FAMILIES) if one.distinct < len(codes.levels)][:1]
    parts = [*roles.dataset] if len(roles.dataset) > 1 and not holder else []
    factors = [one for one in constant if one.distinct <= min(_MOST_LEVELS, len(codes.levels) - 1)]
    factors = [*without(parts, sizes), *without(factors, [*sizes, *families])]
    _pass_over(without(roles.spare, [*factors, *sizes, *families, *holder]), codes, roles, remarks)
    if factors:
        remarks.guess("factors", ", ".join(one.name for one in factors), (), "")
    if families:
        remarks.guess("family", families[0].name, (), "")
    by_family = _levels(codes, families[0]) if families else {}
    if not families and len(parts) > 1:
        by_family = _levels(codes, parts[0])
    by_factor = [(one.name, _levels(codes, one)) for one in factors]
    by_size = _levels(codes, sizes[0]) if sizes else {}
    return Described(
        factors={paths.get(name, name): _row(by_factor, name) for name in codes.levels} if factors else {},
        families={paths.get(name, name): family for name, family in by_family.items()},
        sizes={paths.get(name, name): int(float(size)) for name, size in by_size.items()},
        paths=paths,
    )


def _holder(codes: Codes, roles: Roles) -> list[Column]:
    """Return the column that holds the dataset of each task, where another one names the tasks."""
    tasks = named(roles.dataset, words.TASKS)[:1]
    beside = named(without([*roles.dataset, *roles.spare], tasks), words.OF_TASKS)[:1] if tasks else []
    return [one for one in beside if determines(codes, one) and 1 < one.distinct < len(codes.levels)]


def _paths(codes: Codes, roles: Roles, holder: Sequence[Column]) -> dict[str, str]:
    """Return the path of each task that is one of a dataset's."""
    tasks = named(roles.dataset, words.TASKS)[:1]
    if holder:
        datasets, names = _levels(codes, holder[0]), _levels(codes, tasks[0])
        return {name: task_path(datasets[name], names[name]) for name in datasets}
    return task_paths(codes.levels) if tasks and len(roles.dataset) == 1 else {}


def _row(factors: Sequence[tuple[str, Mapping[str, str]]], dataset: str) -> dict[str, str]:
    return {name: levels[dataset] for name, levels in factors if dataset in levels}


def _levels(codes: Codes, column: Column) -> dict[str, str]:
    """Return the text of a column for each dataset that has one."""
    values = column.codes
    known = (values.places >= 0) & (codes.places >= 0)
    first = np.full(len(codes.levels), -1, dtype=np.int32)
    first[codes.places[known]] = values.places[known]
    pairs = zip(codes.levels, first.tolist(), strict=True)
    return {name: values.levels[place] for name, place in pairs if place >= 0}


def _pass_over(columns: Sequence[Column], datasets: Codes | None, roles: Roles, remarks: Remarks) -> None:
    """Say why each column is passed over, those of one reason together."""
    methods = crossed([one.codes for one in roles.method]) if roles.method else None
    reasons: dict[str, list[Column]] = {}
    for column in columns:
        reasons.setdefault(_reason(column, datasets, methods), []).append(column)
    for reason, found in reasons.items():
        remarks.leave_columns(found, reason)


def _reason(column: Column, datasets: Codes | None, methods: Codes | None) -> str:
    if column.distinct < 2:
        return "the same in every row"
    if datasets is not None and determines(datasets, column):
        return "a property of datasets"
    if methods is not None and determines(methods, column):
        return "a property of methods"
    if column.kind == "number":
        return "no scores by their names"
    return "of no known role" if labels([column]) else "different in most rows"
