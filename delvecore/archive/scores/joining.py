"""Join scores to the results of delve directories: as further datasets, and as methods on their tasks.

Losses of test cases are matched by case name. Those of a method on a task are a list in the order of the
task's cases, with NaN where the method has none. They are reduced to the cases that all methods have before
they are added to the archive."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive.loss_rows import sorted_losses, with_names
from delvecore.archive.scores.building import OWN, CaseList, natural, own_unit
from delvecore.archive.scores.opening import ScoreGroup
from delvecore.errors import Fault
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.model import TaskId
from delvecore.names import hash_of
from delvecore.number_format.columns import NumberLists, list_column, task_paths, task_places
from delvecore.render.numbers import integer
from delvecore.score_tables.score_file import SHOWN, Omission
from delvecore.stats.array_types import Floats, Mask, Whole
from delvecore.stats.losses.results import result_table
from delvecore.stats.ranking.score_table import enough_runs
from delvecore.tables import SCHEMAS, Tables, distinct_rows, rows_of

if TYPE_CHECKING:
    from delvecore.archive import Archive


class _Part(NamedTuple):
    """The losses of a group on a task.

    Attributes
    ----------
    rows : Whole
        Rows in the group's table of losses.
    values : Floats
        Shape (rows, cases).
    """

    group: int
    path: str
    cases: CaseList
    rows: Whole
    values: Floats
    methods: Sequence[str]


_Change = tuple[_Part, Mask, Sequence[Omission]]
"""A part with the cases that all methods have, its remaining rows, and the omissions."""


def on_common_cases(groups: Sequence[ScoreGroup]) -> list[ScoreGroup]:
    """Return groups of scores whose losses on a task are of the test cases that all methods have.

    The readings count omitted cases. A method with fewer than half of the cases has no result on the task.
    """
    paths = list(dict.fromkeys(path for group in groups for path in group.cases))
    parts: list[list[_Part]] = [[] for _ in paths]
    for number, group in enumerate(groups):
        if group.cases:
            _add_parts(parts, paths, number, group)
    changes: dict[int, list[_Change]] = {}
    for some in parts:
        keep = {name for group in groups for name in group.keep}
        for change in _changes(some, keep) if some else ():
            changes.setdefault(change[0].group, []).append(change)
    changed = list(groups)
    for number, own in changes.items():
        changed[number] = _changed(groups[number], own)
    return changed


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
    """Return the changes on a task, empty if all methods have the same cases."""
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
    why = (
        f"not all methods have them, compared on the {integer(len(names) - len(lacking))} of {title} "
        "that all have"
    )
    omissions = [Omission("test case", lacking[:SHOWN], len(lacking), why)] if lacking else []
    if few:
        why = f"fewer than half of the test cases of {title}"
        omissions.append(Omission("method", tuple(sorted(few)[:SHOWN]), len(few), why))
    changes: list[_Change] = []
    for part, rows in zip(parts, kept, strict=True):
        order = np.array([number[name] for name in part.cases.names])
        there = np.argsort(order)
        places = there[in_all[order[there]]]
        common = part._replace(cases=part.cases.at(places), values=part.values[:, places])
        changes.append((common, rows & (len(places) > 0), () if changes else omissions))
    return changes


def _together(omissions: Sequence[Omission]) -> tuple[Omission, ...]:
    """Return one omission of each kind; if it is on several tasks, it has their number."""
    summed_omissions: list[Omission] = []
    whys = {"test case": "not all methods have them", "method": "fewer than half of the test cases"}
    for what, why in whys.items():
        own = [one for one in omissions if one.what == what]
        count = sum(one.count for one in own)
        summed_omissions += (
            own if len(own) < 2 else [Omission(what, (), count, f"{why}, on {len(own)} tasks")]
        )
    return tuple(summed_omissions)


def _changed(group: ScoreGroup, changes: Sequence[_Change]) -> ScoreGroup:
    """Return a group with fewer cases, and the results that follow."""
    losses, tasks = group.tables["losses"], group.tables["tasks"]
    lists = NumberLists(losses["values"])
    values = [lists.span(row, row + 1) for row in range(losses.num_rows)]
    stays = np.ones(losses.num_rows, dtype=bool)
    cases = dict(group.cases)
    for part, rows, _ in changes:
        cases[part.path], stays[part.rows] = part.cases, rows
        for row, one in zip(part.rows.tolist(), part.values, strict=True):
            values[row] = one
    column = losses.column_names.index("values")
    losses = losses.set_column(column, "values", list_column(values)).filter(pa.array(stays))
    facts = {path: known.facts for path, known in cases.items()}
    for field in map(tasks.schema.field, ("test_cases", "case_groups")):
        named = rows_of(tasks.append_column("path", task_paths(tasks)), ("path", field.name))
        known = [facts[path][field.name] if path in facts else value for path, value in named]
        place = tasks.column_names.index(field.name)
        tasks = tasks.set_column(place, field, pa.array(known, field.type))
    units = group.tables["results"]
    results = result_table(losses, tasks, units, group.measures).cast(units.schema)
    omissions = _together([one for *_, some in changes for one in some])
    first, *more = group.readings
    first = replace(first, omissions=(*omissions, *first.omissions))
    tables = {**group.tables, "losses": losses, "tasks": tasks, "results": results}
    return group._replace(tables=tables, readings=(first, *more), cases=cases)


KEY = (*TaskId._fields, "loss")
Key = tuple[Any, ...]
Constants = Mapping[tuple[str, str, str, str], float | None]


def _join_tables(
    tables: Tables, scores: Tables, constants: Constants
) -> tuple[Tables, dict[str, str], list[Key]]:
    """Return the tables of an archive without losses, joined with those of scores; the new names of methods;
    and the keys of results in the units of the scores. Tasks of the archive do not change."""
    keys = distinct_rows(scores["results"], KEY)
    renamed = _renamed(tables["results"], scores["results"])
    score_tables: Tables = {}
    for name in SCHEMAS:
        if name != "losses":
            score_tables[name] = with_names(scores[name], renamed)
    if not tables["datasets"].num_rows:
        return score_tables, {}, sorted(keys)
    known = distinct_rows(tables["tasks"], TaskId._fields)
    score_tables["tasks"] = _chosen(score_tables["tasks"], TaskId._fields, lambda place: place not in known)
    there = distinct_rows(tables["datasets"], ("dataset",))
    score_tables["datasets"] = _chosen(score_tables["datasets"], ("dataset",), lambda name: name not in there)
    shared = {key for key in keys if key[:-1] in known and key[-1] in LOSS_SPECS}
    if shared:
        losses = with_names(_chosen(scores["losses"], KEY, shared.__contains__), renamed)
        theirs = result_table(sorted_losses(losses), tables["tasks"], constants)
        own = _chosen(score_tables["results"], KEY, lambda key: key not in shared)
        score_tables["results"] = pa.concat_tables([own, theirs])
    joined = {name: pa.concat_tables([tables[name], table]) for name, table in score_tables.items()}
    joined["methods"] = _methods(joined["methods"])
    return joined, renamed, sorted(keys - shared)


def with_scores(archive: "Archive", group: ScoreGroup) -> "Archive":
    """Return an archive with a group of scores added. Raises Fault for a column of scores with the name of a
    loss matrix that has results in the archive."""
    for key in group.measures:
        if key in archive.index.losses and key not in archive._measures:
            raise Fault(
                f"column {key}", "a name that is not a loss of the archive", repr(key), "rename the column"
            )
    names = [name for name in SCHEMAS if name != "losses"]
    before = {name: getattr(archive, name) for name in names}
    tables, renamed, own = _join_tables(before, group.tables, archive.constants)
    rows = [dict(zip(KEY, key, strict=True)) | {"standardizer": own_unit(key[-1])} for key in own]
    units = pa.Table.from_pylist(rows, archive._standardizers.schema)
    notices = [notice for notice in (archive.notice, group.notice) if notice]
    return replace(
        archive,
        **tables,
        state=hash_of([archive.state, group.state]),
        arrays=(*archive.arrays, *group.arrays),
        notice="; ".join(notices) or None,
        files=(*archive.files, *group.files),
        readings=(*archive.readings, *group.readings),
        _families={**group.families, **archive._families},
        _standardizers=pa.concat_tables([archive._standardizers, units]),
        _scores=(*archive._scores, group._replace(renamed=renamed)),
        _measures={**group.measures, **archive._measures},
    )


def _renamed(results: pa.Table, scores: pa.Table) -> dict[str, str]:
    """Return new names of methods that have results under the same loss on the same task already."""
    names = ("method", *KEY)
    twice = distinct_rows(results, names) & distinct_rows(scores, names) if results.num_rows else ()
    return {method: method + OWN for method, *_ in twice}


def _chosen(table: pa.Table, names: Sequence[str], is_wanted: Callable[[Key], bool]) -> pa.Table:
    return table.filter(pa.array([is_wanted(row) for row in rows_of(table, names)], pa.bool_()))


def _methods(methods: pa.Table) -> pa.Table:
    """Return each method once, with the archive's facts about it and the total number of its tasks."""
    names, counts = (methods[name].to_numpy(zero_copy_only=False) for name in ("method", "tasks"))
    _, first, places = np.unique(names, return_index=True, return_inverse=True)
    order = np.argsort(first)
    totals = np.bincount(places, counts, len(first)).astype(np.int64)[order]
    column = methods.column_names.index("tasks")
    return methods.take(first[order]).set_column(column, methods.schema.field("tasks"), pa.array(totals))
