"""Scores of test cases as losses of a common test set, matched by case.

The losses of a method on a task are a list in the order of the task's cases, by name, not a number where the
method has none. Before an archive has them they are brought to the cases that all methods have."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive.scores.building import natural
from delvecore.archive.scores.opening import CaseList, ScoreGroup
from delvecore.model import TaskId
from delvecore.number_format.list_columns import NumberLists, list_column
from delvecore.number_format.text_columns import task_places
from delvecore.score_tables.score_file import SHOWN, Omission
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.losses.results import result_table
from delvecore.stats.ranking.score_table import enough_runs


class _Part(NamedTuple):
    """The losses of a group on a task. group: its number; path: of the task; cases: theirs; rows: in its
    table; values: shape (rows, cases); methods: of the rows."""

    group: int
    path: str
    cases: CaseList
    rows: Whole
    values: Floats
    methods: Sequence[str]


class _Change(NamedTuple):
    """What stays of a group's losses on a task. rows: which of them have at least half of the cases; places:
    of the cases that all of these have."""

    part: _Part
    rows: Mask
    places: Whole
    omissions: Sequence[Omission]


def on_common_cases(groups: Sequence[ScoreGroup]) -> list[ScoreGroup]:
    """Return groups of scores whose losses on a task are of the same test cases, those that all methods have;
    the readings count the others. A method with fewer than half of the cases has no result on the task."""
    paths = list(dict.fromkeys(path for group in groups for path in group.cases))
    parts: list[list[_Part]] = [[] for _ in paths]
    for number, group in enumerate(groups):
        if group.cases:
            _add_parts(parts, paths, number, group)
    changes: dict[int, list[_Change]] = {}
    for some in parts:
        keep = {name for group in groups for name in group.keep}
        for change in _changes(some, keep) if some else ():
            changes.setdefault(change.part.group, []).append(change)
    return [
        _changed(group, changes[number]) if number in changes else group
        for number, group in enumerate(groups)
    ]


def _add_parts(parts: list[list[_Part]], paths: Sequence[str], number: int, group: ScoreGroup) -> None:
    losses = group.tables["losses"]
    lists, methods = NumberLists(losses["values"]), losses["method"].to_pylist()
    places = task_places(losses, paths)
    order = np.argsort(places, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(places[order])) + 1):
        if len(rows) and places[rows[0]] >= 0:
            path = paths[places[rows[0]]]
            are_next = rows[-1] - rows[0] + 1 == len(rows)
            flat = (
                lists.span(int(rows[0]), int(rows[-1]) + 1)
                if are_next
                else np.concatenate([lists.span(int(row), int(row) + 1) for row in rows])
            )
            values = flat.reshape(len(rows), -1)
            part = _Part(number, path, group.cases[path], rows, values, [methods[row] for row in rows])
            parts[places[rows[0]]].append(part)


def _changes(parts: Sequence[_Part], keep: set[str]) -> list[_Change]:
    """Return what changes on a task: nothing where all methods have the same cases."""
    lists = list(dict.fromkeys(part.cases.names for part in parts))
    if len(lists) == 1 and not any(np.isnan(part.values).any() for part in parts):
        return []
    names = sorted({name for one in lists for name in one}, key=natural)
    number = {name: place for place, name in enumerate(names)}
    kept: list[Mask] = []
    in_all = np.ones(len(names), dtype=bool)
    few: set[str] = set()
    for part in parts:
        has = np.zeros((len(part.rows), len(names)), dtype=bool)
        has[:, [number[name] for name in part.cases.names]] = ~np.isnan(part.values)
        enough = enough_runs(has.sum(axis=1), np.array(len(names)), keep=np.isin(part.methods, list(keep)))
        kept.append(enough)
        in_all &= has[enough].all(axis=0)
        few.update(name for name, has_half in zip(part.methods, enough.tolist(), strict=True) if not has_half)
    lacking = tuple(name for name, has_all in zip(names, in_all.tolist(), strict=True) if not has_all)
    title = TaskId.parse(parts[0].path).title
    why = f"not all methods have them, compared on the {len(names) - len(lacking):,} of {title} that all have"
    omissions = [Omission("test case", lacking[:SHOWN], len(lacking), why)] if lacking else []
    if few:
        why = f"fewer than half of the test cases of {title}"
        omissions.append(Omission("method", tuple(sorted(few)[:SHOWN]), len(few), why))
    found: list[_Change] = []
    for part, rows in zip(parts, kept, strict=True):
        order = np.array([number[name] for name in part.cases.names])
        there = np.argsort(order)
        found.append(_Change(part, rows, there[in_all[order[there]]], () if found else omissions))
    return found


def _together(omissions: Sequence[Omission]) -> tuple[Omission, ...]:
    """Return one omission of each kind, of several tasks with their number."""
    found: list[Omission] = []
    whys = {"test case": "not all methods have them", "method": "fewer than half of the test cases"}
    for what, why in whys.items():
        own = [one for one in omissions if one.what == what]
        count = sum(one.count for one in own)
        found += own if len(own) < 2 else [Omission(what, (), count, f"{why}, on {len(own)} tasks")]
    return tuple(found)


def _changed(group: ScoreGroup, changes: Sequence[_Change]) -> ScoreGroup:
    """Return a group with fewer cases, and the results that follow."""
    losses, tasks = group.tables["losses"], group.tables["tasks"]
    lists = NumberLists(losses["values"])
    values = [lists.span(row, row + 1) for row in range(losses.num_rows)]
    stays = np.ones(losses.num_rows, dtype=bool)
    cases = dict(group.cases)
    for part, rows, places, _ in changes:
        cases[part.path] = part.cases.at(places)
        stays[part.rows] = rows & (len(places) > 0)
        for row, one in zip(part.rows.tolist(), part.values, strict=True):
            values[row] = one[places]
    column = losses.column_names.index("values")
    losses = losses.set_column(column, "values", list_column(values)).filter(pa.array(stays))
    tasks = pa.Table.from_pylist([_with_cases(row, cases) for row in tasks.to_pylist()], tasks.schema)
    units = group.tables["results"]
    results = result_table(losses, tasks, units).cast(units.schema)
    omissions = _together([one for change in changes for one in change.omissions])
    first, *more = group.readings
    first = replace(first, omissions=(*omissions, *first.omissions))
    tables = {**group.tables, "losses": losses, "tasks": tasks, "results": results}
    return group._replace(tables=tables, readings=(first, *more), cases=cases)


def _with_cases(row: dict[str, Any], cases: Mapping[str, CaseList]) -> dict[str, Any]:
    known = cases.get(TaskId(row["dataset"], row["prototask"], row["task"]).path)
    return row if known is None else {**row, **known.facts}
