"""Scores beside the results of delve directories: as further datasets, and as methods on their tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from delvecore.archive.loss_rows import sorted_losses, with_names
from delvecore.archive.scores.building import own_unit
from delvecore.archive.scores.opening import ScoreGroup, joined_state
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.stats.losses.results import result_table
from delvecore.tables import SCHEMAS, Row, Tables, table_of

if TYPE_CHECKING:
    from delvecore.archive import Archive


PLACE = ("dataset", "prototask", "task")
KEY = (*PLACE, "loss")
Key = tuple[Any, ...]
Constants = Mapping[tuple[str, str, str, str], float | None]
OWN = " (scores)"
"""What is added to the name of a method that has results already where there are scores of it, too."""


class JoinedScores(NamedTuple):
    """A group of scores in an archive. renamed: methods that are called otherwise there."""

    group: ScoreGroup
    renamed: Mapping[str, str]

    @property
    def losses(self) -> pa.Table:
        """The losses of the scores alone, under the names that the file has."""
        return self.group.tables["losses"]


class _Joined(NamedTuple):
    """tables: of an archive, all but its losses; renamed: methods of the scores that are called otherwise;
    own: dataset, prototask, task and loss of those in units of themselves."""

    tables: Tables
    renamed: Mapping[str, str]
    own: Sequence[Key]


def _join_tables(tables: Tables, scores: Tables, constants: Constants) -> _Joined:
    """Return the tables of an archive with those of scores.

    A task that the archive has stays as it is. Scores under a loss of DELVE are results on its tasks, in
    units of the same baseline; others are in units of themselves. constants: by dataset, prototask, task and
    loss."""
    keys = _keys(scores["results"], KEY)
    if not tables["datasets"].num_rows:
        plain = {name: with_names(scores[name], {}) for name in SCHEMAS if name != "losses"}
        return _Joined(plain, {}, sorted(keys))
    renamed = _renamed(tables["results"], scores["results"])
    found = {name: with_names(scores[name], renamed) for name in SCHEMAS if name != "losses"}
    known = _keys(tables["tasks"], PLACE)
    found["tasks"] = _chosen(found["tasks"], PLACE, lambda place: place not in known)
    there = _keys(tables["datasets"], ("dataset",))
    found["datasets"] = _chosen(found["datasets"], ("dataset",), lambda name: name not in there)
    shared = {key for key in keys if key[:-1] in known and key[-1] in LOSS_SPECS}
    if shared:
        losses = with_names(_chosen(scores["losses"], KEY, shared.__contains__), renamed)
        theirs = result_table(sorted_losses(losses), tables["tasks"], constants)
        own = _chosen(found["results"], KEY, lambda key: key not in shared)
        found["results"] = pa.concat_tables([own, theirs])
    joined = {name: pa.concat_tables([tables[name], table]) for name, table in found.items()}
    joined["methods"] = _methods(joined["methods"])
    return _Joined(joined, renamed, sorted(keys - shared))


def with_scores(archive: "Archive", group: ScoreGroup) -> "Archive":
    """Return an archive with a group of scores beside what it has."""
    names = [name for name in SCHEMAS if name != "losses"]
    before = {name: getattr(archive, name) for name in names}
    tables, renamed, own = _join_tables(before, group.tables, archive.constants)
    rows = [dict(zip(KEY, key, strict=True)) | {"standardizer": own_unit(key[-1])} for key in own]
    units = pa.Table.from_pylist(rows, archive._standardizers.schema)
    notices = [notice for notice in (archive.notice, group.notice) if notice]
    return replace(
        archive,
        **tables,
        state=joined_state(archive.state, group.state),
        arrays=(*archive.arrays, *group.arrays),
        notice="; ".join(notices) or None,
        files=(*archive.files, *group.files),
        readings=(*archive.readings, *group.readings),
        _families={**group.families, **archive._families},
        _standardizers=pa.concat_tables([archive._standardizers, units]),
        _scores=(*archive._scores, JoinedScores(group, renamed)),
    )


def _renamed(results: pa.Table, scores: pa.Table) -> dict[str, str]:
    """Return new names of methods that have results under the same loss on the same task already."""
    names = ("method", *PLACE, "loss")
    twice = _keys(results, names) & _keys(scores, names) if results.num_rows else ()
    return {method: method + OWN for method, *_ in twice}


def _keys(table: pa.Table, names: Sequence[str]) -> set[Key]:
    found = table.group_by(list(names)).aggregate([])
    return set(zip(*(found[name].to_pylist() for name in names), strict=True))


def _chosen(table: pa.Table, names: Sequence[str], is_wanted: Callable[[Key], bool]) -> pa.Table:
    rows = zip(*(table[name].to_pylist() for name in names), strict=True)
    return table.filter(pa.array([is_wanted(row) for row in rows], pa.bool_()))


def _methods(methods: pa.Table) -> pa.Table:
    """Return methods, each once: what an archive says of it, and the tasks of all."""
    found: dict[str, Row] = {}
    for row in methods.to_pylist():
        first = found.setdefault(row["method"], row | {"tasks": 0})
        first["tasks"] += row["tasks"]
    return table_of(list(found.values()), SCHEMAS["methods"])
