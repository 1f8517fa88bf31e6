"""Tables of an archive from its files, reusing cached tables of unchanged files."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from delvecore.archive.dataset_unit import DatasetUnit, read_dataset_unit
from delvecore.archive.loss_rows import loss_table, sorted_losses
from delvecore.archive.result_unit import ResultUnit, read_result_units
from delvecore.archive.snapshot import Snapshot, Unit
from delvecore.archive.standardizers import constants_of, disagreements, standardizer_index, with_computed
from delvecore.encoding.prototask_cases import build_case_files
from delvecore.errors import Faults, attempt
from delvecore.number_format.columns import rows_where, translated
from delvecore.readers.files import read_document
from delvecore.stats.losses.results import result_table
from delvecore.tables import (
    PLACE,
    READ,
    UNITS,
    Row,
    Tables,
    distinct_rows,
    problem_table,
    rows_of,
    table_of,
    values_in,
    with_unit,
)


class OpeningStep(NamedTuple):
    """Progress of reading an archive.

    Attributes
    ----------
    share : float
        Completed share, from 0 to 1.
    subject : str
        Name of the part that is being read.
    """

    share: float
    subject: str


DATASET_WEIGHT, BUILT_SHARE = 40, 0.9
Notify = Callable[[OpeningStep], None]
KeepCases = Callable[[Unit, pa.Table | None], None]
Rows = dict[str, list[Row]]


def build_tables(
    snapshot: Snapshot,
    old: Tables | None,
    *,
    keep_cases: KeepCases,
    notify: Notify = lambda step: None,
) -> Tables:
    """Return the STORED tables of a snapshot.

    `old` has tables of an earlier state of the same archive. Rows of unchanged units are taken from it. A
    unit that failed or changed while it was read has no state there, so it never counts as unchanged.
    `keep_cases` is called with (Unit, Arrow table of cases) for each dataset that is read. `notify` is called
    before each dataset and after each task of a method.
    """
    states = unit_states(snapshot)
    before = rows_of(old["units"], ("unit", "state")) if old else ()
    unchanged = {unit for unit, state in before if state and states.get(unit) == state}
    fresh, failed, datasets = _read_units(snapshot, unchanged, keep_cases=keep_cases, notify=notify)
    tables = {name: _merged(name, old, unchanged, fresh[name], states) for name in READ}
    units = [{"unit": key, "state": None if key in failed else state} for key, state in states.items()]
    tables["units"] = table_of(units, UNITS)
    losses, tasks = tables["losses"], tables["tasks"]
    tables["standardizers"] = with_computed(tables["standardizers"], losses, snapshot, datasets)
    constants = constants_of(tables["standardizers"])
    doubts = with_unit(problem_table(disagreements(constants, snapshot)), None)
    tables["problems"] = pa.concat_tables([tables["problems"], doubts])
    usable = _of_known_tasks(losses, tasks)
    methods, done = tables["methods"], Counter(method for method, *_ in distinct_rows(usable, PLACE))
    counts = translated(methods["method"], done.__getitem__, pa.int64())
    column = methods.schema.get_field_index("tasks")
    tables["methods"] = methods.set_column(column, methods.schema.field(column), counts)
    units_with_rows = {unit.key for unit in (*snapshot.datasets.values(), *snapshot.results.values())}
    every_unit = units_with_rows.union(unit.key for unit in snapshot.methods.values())
    if old and units_with_rows <= unchanged and every_unit.issuperset(values_in(old["units"], "unit")):
        return tables | {"results": old["results"]}
    return tables | {"results": result_table(usable, tasks, standardizer_index(tables["standardizers"]))}


def unit_states(snapshot: Snapshot) -> dict[str, str]:
    """Return the state of each unit of an archive by its key, in the order of the tables."""
    states = {unit.key: unit.state for unit in (*snapshot.datasets.values(), *snapshot.methods.values())}
    for unit in snapshot.results.values():  # a result also depends on its dataset's specifications
        states[unit.key] = f"{unit.state} {snapshot.datasets[unit.names[2]].state}"
    return states


def _read_units(
    snapshot: Snapshot, unchanged: set[str], *, keep_cases: KeepCases, notify: Notify
) -> tuple[Tables, set[str], dict[str, DatasetUnit]]:
    """Return the tables of the units, the keys of units that failed or changed, and datasets by name."""
    rows: Rows = {name: [] for name in READ}
    parts: dict[str, list[pa.Table]] = {name: [] for name in READ}
    faults: dict[str, Faults] = {}
    results = [unit for unit in snapshot.results.values() if unit.key not in unchanged]
    needed = {unit.names[2] for unit in results}
    wanted = [name for name, unit in snapshot.datasets.items() if unit.key not in unchanged or name in needed]
    read_units = [*(snapshot.datasets[name] for name in wanted), *snapshot.methods.values(), *results]
    before = {unit.key: unit.identities() for unit in read_units}
    progress = _Progress(len(wanted), len(results), notify)
    datasets: dict[str, DatasetUnit] = {}
    for name in build_case_files({name: snapshot.datasets[name].files for name in wanted}):
        progress.built(snapshot.datasets[name])
    for name in wanted:
        unit = snapshot.datasets[name]
        progress.begin(unit)
        datasets[name] = read_dataset_unit(unit)
        faults[unit.key] = datasets[name].errors
        if unit.key not in unchanged:
            for table, new in datasets[name].tables.items():
                parts[table].append(new)
            if not datasets[name].errors.passing:
                keep_cases(unit, datasets[name].case_table)
    for unit in snapshot.methods.values():
        if unit.key not in unchanged:
            errors = faults[unit.key] = Faults()
            path = unit.files.get("Summary")
            summary = None if path is None else attempt(errors.append, read_document, path)
            facts = {"method": unit.names[1], "summary": summary, "documents": unit.documents(), "tasks": 0}
            rows["methods"].append({"unit": unit.key, **facts, "directories": list(unit.directories)})
    read_all = read_result_units(results, datasets, snapshot.hierarchy, notify=progress.end)
    for unit, read in zip(results, read_all, strict=True):
        _add_result(rows, unit, read)
        faults[unit.key] = read.errors
    for key in faults.keys() - unchanged:
        parts["problems"].append(with_unit(problem_table(faults[key]), key))
    failed = {key for key, errors in faults.items() if errors.passing}
    failed |= {unit.key for unit in read_units if unit.identities() != before[unit.key]}
    failed |= {unit.key for unit in results if snapshot.datasets[unit.names[2]].key in failed}
    for name, schema in READ.items():
        parts[name].append(loss_table(rows[name]) if name == "losses" else table_of(rows[name], schema))
    return {name: pa.concat_tables(some) for name, some in parts.items()}, failed, datasets


class _Progress:
    """Counts the units that have been read; a dataset takes about as long as DATASET_WEIGHT tasks of a
    method."""

    def __init__(self, datasets: int, results: int, notify: Notify) -> None:
        self.total, self.done = max(1, datasets * DATASET_WEIGHT + results), 0.0
        self.notify = notify
        self.ahead: set[str] = set()

    def built(self, unit: Unit) -> None:
        self.ahead.add(unit.key)
        self.done += BUILT_SHARE * DATASET_WEIGHT
        self.notify(OpeningStep(self.done / self.total, f"dataset {unit.names[1]}"))

    def begin(self, unit: Unit) -> None:
        self.notify(OpeningStep(self.done / self.total, f"dataset {unit.names[1]}"))
        self.done += DATASET_WEIGHT * (1 - BUILT_SHARE * (unit.key in self.ahead))

    def end(self, unit: Unit) -> None:
        self.done += 1
        self.notify(OpeningStep(self.done / self.total, f"results of {unit.names[1]} on {unit.names[2]}"))


def _add_result(rows: Rows, unit: Unit, read: ResultUnit) -> None:
    place = {"unit": unit.key, **dict(zip(PLACE, unit.names[1:], strict=True))}
    prior, size = unit.task
    for (loss, instance), values in read.losses.items():
        key = {"prior": prior, "training_size": size, "loss": loss, "instance": instance}
        rows["losses"].append({**place, **key, "values": values})
    for loss, constant in read.standardizers.items():
        rows["standardizers"].append({**place, "loss": loss, "standardizer": constant})
    for instance, cost in read.costs.items():
        key = {"prior": prior, "training_size": size, "instance": instance}
        rows["costs"].append({**place, **key, **cost._asdict()})
    rows["codings"] += [{"unit": unit.key, **row} for row in read.codings]


def _merged(
    name: str, old: Tables | None, unchanged: set[str], fresh: pa.Table, states: dict[str, str]
) -> pa.Table:
    """Return old rows of unchanged units and new rows, in the order of units (losses: LOSS_ORDER); the old
    table itself if nothing changed."""
    kept, is_same = None, False
    if old is not None:
        kept = pc.is_in(old[name]["unit"], value_set=pa.array(sorted(unchanged), type=pa.string()))
        is_same = not fresh.num_rows and pc.all(kept, min_count=0).as_py()
    if name == "losses":
        if old is None or kept is None:
            return fresh
        if is_same:
            return old[name]
        return sorted_losses(pa.concat_tables([rows_where(old[name], kept), fresh]))
    new = fresh if old is None or kept is None else pa.concat_tables([old[name].filter(kept), fresh])
    ranks = {key: rank for rank, key in enumerate(states)}
    positions = translated(new["unit"], ranks.__getitem__, pa.int64()).to_numpy()
    if old is not None and is_same and np.all(np.diff(positions) >= 0):
        return old[name]  # archives with the same rows share it
    return new.take(np.argsort(positions, kind="stable")).combine_chunks()


def _of_known_tasks(losses: pa.Table, tasks: pa.Table) -> pa.Table:
    """Return the losses on tasks in the data; the same table if no others are in it."""
    known = distinct_rows(tasks, PLACE[1:])
    if distinct_rows(losses, PLACE[1:]) <= known:
        return losses
    is_known = [place in known for place in rows_of(losses, PLACE[1:])]
    return rows_where(losses, pa.array(is_known, type=pa.bool_()))
