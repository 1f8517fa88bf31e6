"""The task-arrays of an archive."""

import pyarrow as pa

from delvecore.archive.snapshot import Snapshot
from delvecore.errors import ParseError, Report
from delvecore.model import TaskArray
from delvecore.readers.array import SPECIFICATION, parse_array
from delvecore.readers.files import read_text

__all__ = ["read_arrays"]


def read_arrays(snapshot: Snapshot, prototasks: pa.Table, *, report: Report) -> tuple[TaskArray, ...]:
    """Return the task-arrays of a snapshot, by name.

    prototasks: those of the archive; a member that has none is a hole, not a fault, but one whose dataset
    is there without the prototask or prior is. report receives a ParseError for each fault.
    """
    found = []
    for name, unit in snapshot.arrays.items():
        path = unit.files[SPECIFICATION]
        try:
            array = parse_array(read_text(path), name, path, report=report)
        except ParseError as error:
            report(error)
            continue
        if array is not None:
            _check_members(array, path, prototasks, report)
            found.append(array)
    return tuple(found)


def _check_members(array: TaskArray, path: str, prototasks: pa.Table, report: Report) -> None:
    columns = (prototasks[name].to_pylist() for name in ("dataset", "prototask", "priors"))
    priors = {(dataset, prototask): found for dataset, prototask, found in zip(*columns, strict=True)}
    datasets = {dataset for dataset, _ in priors}
    for member in array.members:
        known = priors.get((member.dataset, member.prototask))
        if member.dataset in datasets and (known is None or member.prior not in known):
            expected = f"a prototask and a prior of /{member.dataset}"
            remedy = "correct the member, or remove it"
            report(ParseError(path, None, expected, member.path, remedy, kind="specification"))
