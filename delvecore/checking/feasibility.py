"""Are there enough cases for the task instances that a prototask asks for? Manual, sections 4.2, 6.2 and 6.3.

The instances are made as for a method's run (`encoding.instances`), so what passes here can be run.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from delvecore.checking.case_choice import ChosenCases
from delvecore.checking.facts import NO_GROUP, CaseFacts
from delvecore.encoding.listed_instances import listed_instances
from delvecore.encoding.prototask_cases import PrototaskCases, column_at
from delvecore.encoding.standard_instances import standard_instances
from delvecore.errors import DelveError, Fault, ParseError, Report, located
from delvecore.model import Dataset, Prototask
from delvecore.readers.files import read_text
from delvecore.readers.instances import INSTANCE_SUFFIX, parse_instances
from delvecore.readers.specifications import parse_task_name

__all__ = ["check_instance_files", "check_sizes"]


def check_sizes(
    prototask: Prototask,
    dataset: Dataset,
    facts: CaseFacts,
    chosen: ChosenCases,
    source: str,
    lines: Mapping[str, int],
    *,
    report: Report,
) -> None:
    """Check that each standard training set size gives at least one instance.

    facts: of the dataset's cases; chosen: those that the prototask uses; source, lines: of `Prototask.spec`
    and its keys. Gaps, groups and strata are allowed for.
    """
    if prototask.is_sequential and facts.groups is not None:
        expected = "no commonality indexes, since the prototask is sequential"
        report(ParseError(source, lines["order"], expected, "some in Dataset.data", "use a random order"))
        return
    make = _instance_maker(prototask, dataset, facts, chosen)
    seen = set()
    for size in dict.fromkeys(prototask.training_set_sizes):
        try:
            make(size)
        except Fault as error:
            key = error.key or "training-set-sizes"
            fault = located(error, source, lines[key], kind="specification")
            if str(fault) not in seen:
                seen.add(str(fault))
                report(fault)


def _instance_maker(
    prototask: Prototask, dataset: Dataset, facts: CaseFacts, chosen: ChosenCases
) -> Callable[[int], object]:
    """Return the function that makes the instances of a training set size, or raises DelveError."""
    grouped = facts.groups is not None and dataset.commonality
    # With left out cases positions are not known exactly, and the file is faulty anyway.
    if facts.left_out or not (grouped or prototask.stratified):
        plain = prototask._replace(stratified=False)
        return lambda size: _make_plain_instances(plain, chosen.count or 0, size)
    cases = _light_cases(prototask, dataset, facts, chosen.positions)
    groups, strata = cases.groups, cases.strata
    return lambda size: standard_instances(prototask, cases.count, size, groups=groups, strata=strata)


def _make_plain_instances(prototask: Prototask, count: int, size: int) -> None:
    """Make instances without groups and strata, of no more cases than they need."""
    gap = prototask.maximum_dependency_range or 0
    needed = prototask.test_set_size + gap + prototask.maximum_instances * size
    standard_instances(prototask, min(count, needed), size)


def _light_cases(
    prototask: Prototask, dataset: Dataset, facts: CaseFacts, positions: np.ndarray
) -> PrototaskCases:
    """Return the prototask's cases with no more than what makes instances."""
    commonality: Sequence[int | None] = ()
    if facts.groups is not None:
        commonality = [None if group == NO_GROUP else group for group in facts.groups[positions].tolist()]
    columns = {}
    if prototask.stratified:
        columns = {n: column_at(facts.columns[n], positions) for n in prototask.targets}
    return PrototaskCases(dataset, prototask, columns, positions + 1, commonality)


def check_instance_files(
    files: Mapping[str, str], prototask: Prototask, dataset: Dataset, chosen: ChosenCases, *, report: Report
) -> None:
    """Check the files `TASK.instances` of a prototask's directory: syntax, membership, order, distance."""
    for name in sorted(files):
        if not name.endswith(INSTANCE_SUFFIX):
            continue
        path, task = files[name], parse_task_name(name.removesuffix(INSTANCE_SUFFIX))
        if task is None or f"{task[0]}.prior" not in files:
            expected = "a name such as std.100.instances, of a prior and a training set size"
            report(ParseError(path, None, expected, repr(name), "rename it", kind="specification"))
        faults: list[ParseError] = []
        try:
            listed = parse_instances(read_text(path), path, report=faults.append)
            if not faults:
                listed_instances(listed, PrototaskCases(dataset, prototask, {}, chosen.positions + 1), path)
        except DelveError as error:
            faults.append(located(error, path, None, kind="specification"))
        for fault in faults:
            report(fault)
