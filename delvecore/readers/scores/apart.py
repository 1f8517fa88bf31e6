"""Which columns tell one run from another, beside dataset and method: as few as are needed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from delvecore.readers.scores import words
from delvecore.readers.scores.batches.codes import Keys, count_of, crossed, finer, repeats
from delvecore.readers.scores.columns import Column, Sheet, determines
from delvecore.readers.scores.melting import counted
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.remarks import COLUMN_OPTIONS, Remarks
from delvecore.readers.scores.roles import Roles, named, without

__all__ = ["told_apart"]

_MOST_LEVELS = 200
"""Of a column that is taken into the names of methods or datasets."""


def told_apart(sheet: Sheet, roles: Roles, options: ScoreOptions, remarks: Remarks) -> Roles:
    """Return the roles with the instance columns that are needed, and further ones where they do not do.

    A further column goes into the names of methods, or into those of datasets where its name says so. Lines
    of nothing but scores are folds."""
    if sheet.rows > 1 and not (roles.dataset or roles.method or roles.instances or roles.metric):
        return replace(roles, instances=(Column("fold", counted(sheet.rows)),))
    key = _key(sheet.rows, [*roles.dataset, *roles.method, *([roles.metric] if roles.metric else [])])
    chosen: list[Column] = list(roles.instances) if options.fold else []
    for column in chosen:
        key = finer(key, column.codes)
    for column in () if options.fold else roles.instances:
        if not repeats(key):
            break
        further = finer(key, column.codes)
        if count_of(further) > count_of(key):
            chosen, key = [*chosen, column], further
    if not chosen:  # `fold 0` of a file for each fold
        chosen = [one for one in roles.instances[:1] if one.distinct == 1]
    unneeded = without(roles.instances, chosen)
    remarks.leave_columns(unneeded, "not needed to tell runs apart", "--fold COLUMN takes it")
    roles = replace(roles, instances=tuple(chosen))
    extra = _extra(key, roles) if repeats(key) else []
    for column in extra:
        roles = _widened(roles, column, options, remarks)
    return roles


def _key(rows: int, columns: Sequence[Column]) -> Keys:
    key = np.zeros(rows, dtype=np.int32)
    for column in columns:
        key = finer(key, column.codes)
    return key


def _extra(key: Keys, roles: Roles) -> list[Column]:
    """Return the one further column, or the few, that tell all runs apart; none if there are no such ones."""
    usable = [
        one
        for one in roles.spare
        if 1 < one.distinct <= _MOST_LEVELS
        and (one.kind == "text" or one.is_whole)
        and not _describes(one, roles)
    ]
    liked = named(usable, words.METHODS + words.DATASETS + words.SIZES + words.PROPERTIES)
    texts = [one for one in without(usable, liked) if one.kind == "text"]
    ordered = [*liked, *sorted(texts, key=lambda one: one.distinct)]
    for column in ordered:
        if not repeats(finer(key, column.codes)):
            return [column]
    chosen: list[Column] = []
    for column in ordered:
        further = finer(key, column.codes)
        if count_of(further) > count_of(key):
            chosen, key = [*chosen, column], further
        if not repeats(key):
            return chosen
    return []


def _describes(column: Column, roles: Roles) -> bool:
    """Is this a property of datasets or of methods?"""
    return any(
        determines(crossed([one.codes for one in part]), column)
        for part in (roles.dataset, roles.method)
        if part
    )


def _widened(roles: Roles, column: Column, options: ScoreOptions, remarks: Remarks) -> Roles:
    of_data = any(words.found_in(column.name, known) is not None for known in _OF_DATASETS)
    role = "dataset" if (of_data or options.method) and not options.dataset else "method"
    before = roles.dataset if role == "dataset" else roles.method
    taken = " + ".join(one.name for one in (*before, column))
    remarks.guess(
        role, taken, [" + ".join(one.name for one in before)] if before else (), COLUMN_OPTIONS[role]
    )
    spare = tuple(without(roles.spare, [column]))
    if role == "dataset":
        return replace(roles, dataset=(*before, column), spare=spare)
    return replace(roles, method=(*before, column), spare=spare)


_OF_DATASETS = (words.DATASETS, words.SIZES, words.PROPERTIES, words.FAMILIES)
