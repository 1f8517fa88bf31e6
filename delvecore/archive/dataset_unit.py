"""One dataset with its prototasks, priors and cases, read into the archive's tables, and its cases as a
separate table. Every fault becomes a problem; readable parts are kept."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from delvecore.archive.snapshot import Unit
from delvecore.checks.data_rules import CheckedPrototask, check_dataset, check_prototask
from delvecore.checks.datasets import read_checked_cases
from delvecore.encoding.codings import column_names, default_coding
from delvecore.encoding.instances import Instance, shared_test
from delvecore.encoding.prototask_cases import PrototaskCases, select_cases
from delvecore.encoding.task_instances import instances_of_task
from delvecore.errors import DelveError, Faults, attempt
from delvecore.model import Attribute, Dataset, Options, Prior, Prototask, Scheme, Task, task_type
from delvecore.readers.cases import Cases, Column
from delvecore.readers.files import read_document, read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX
from delvecore.readers.instances import listed_facts, parse_instances
from delvecore.readers.specifications import priors_among, tasks_among
from delvecore.tables import SCHEMAS, Row, Tables, table_of, with_unit

Folders = dict[str, dict[str, str]]
"""The files of each prototask's directory, true path by plain name."""
SAME = ("dataset", "origin", "cases", "order", "test_set_size", "test_set_selection", "maximum_instances")
"""Columns of the table of prototasks with facts from the specification."""


class InstanceFacts(NamedTuple):
    """Facts about a task's instances, as columns of the table of tasks; None if the data do not contain them.

    Attributes
    ----------
    sizes : tuple of int
        Test set size of every run of every instance, if the instances have to be computed.
    """

    test_set_selection: str
    instances: int | None = None
    test_cases: int | None = None
    unused_cases: int | None = None
    gap_cases: int | None = None
    balance: str | None = None
    overlap: str | None = None
    scheme: str | None = Scheme.DISJOINT
    share: float | None = 0.0
    case_groups: None = None
    sizes: tuple[int, ...] = ()

    @property
    def runs(self) -> int:
        """Return the number of runs on each training set."""
        return len(self.sizes) // (self.instances or 1) if self.sizes else 1

    @property
    def test_sizes(self) -> tuple[int, ...] | None:
        """The size of each test set; None if the data do not contain it."""
        if len(set(self.sizes)) > 1:
            return self.sizes
        if self.instances is None or self.test_cases is None:
            return None
        return (self.test_cases,) * (self.instances * self.runs)

    @property
    def columns(self) -> Row:
        return {name: value for name, value in self._asdict().items() if name != "sizes"}


@dataclass
class DatasetUnit:
    """A dataset that was read: model objects, its tables for the archive, its cases as a table, and the
    faults."""

    dataset: Dataset | None = None
    cases: Cases | None = None
    case_table: pa.Table | None = None
    prototasks: dict[str, Prototask] = field(default_factory=dict)
    priors: dict[tuple[str, str], Prior] = field(default_factory=dict)
    tables: Tables = field(default_factory=dict)
    errors: Faults = field(default_factory=Faults)
    tasks: dict[tuple[str, str], InstanceFacts] = field(default_factory=dict)
    """Facts about the instances, by the names of prototask and task."""
    positions: dict[str, np.ndarray] = field(default_factory=dict)
    """Positions (from 0) in the dataset of each prototask's cases, in the prototask's order, if known."""

    @property
    def known(self) -> Dataset:
        """The dataset. Raises LookupError if its specification could not be read."""
        if self.dataset is None:
            raise LookupError("no dataset was read")
        return self.dataset

    def selected(self, name: str) -> PrototaskCases | None:
        """The cases of a prototask, None if they are not known exactly."""
        if self.cases is None or self.cases.left_out or name not in self.positions:
            return None
        try:
            return select_cases(self.known, self.prototasks[name], self.cases, self.positions[name])
        except DelveError:  # among the archive's problems
            return None


def read_dataset_unit(unit: Unit, *, cases: bool = True) -> DatasetUnit:
    """Read and check all files of a dataset's directory; without the cases if `cases` is False."""
    result = DatasetUnit()
    report, place = result.errors.append, unit.directories[0] if unit.directories else unit.key
    result.dataset = check_dataset(unit.files, unit.names[1], place, report=report)
    if result.dataset is None:
        return result
    names = [name.split("/")[0] for name in sorted(unit.files) if name.endswith("/Prototask.spec")]
    folders: Folders = {name: {} for name in names}
    for name, path in unit.files.items():
        folder, _, inside = name.partition("/")
        if folder in folders and inside:
            folders[folder][inside] = path
    if cases:
        result.cases = read_checked_cases(unit.files, result.dataset, place, folders.values(), report=report)
    if result.cases:
        result.case_table = _case_table(result.dataset, result.cases)
    checked = {}
    for name, files in folders.items():
        prototask_check = check_prototask(
            files, name, result.dataset, result.cases, f"{place}/{name}", report=report
        )
        if prototask_check.prototask is not None:
            checked[name] = prototask_check
            result.prototasks[name] = prototask_check.prototask
            result.priors |= {(name, prior): read for prior, read in prototask_check.priors.items()}
            if prototask_check.positions is not None:
                result.positions[name] = prototask_check.positions
    result.tables = _tables(unit, folders, checked, result)
    return result


def _tables(
    unit: Unit, folders: Folders, checked: dict[str, CheckedPrototask], result: DatasetUnit
) -> Tables:
    """Return the tables about a dataset, and enter the facts of its tasks."""
    attributes = [_attribute_row(result, attribute) for attribute in result.known.attributes]
    rows: dict[str, list[Row]] = {"attributes": attributes, "prototasks": [], "priors": [], "tasks": []}
    for name, prototask in result.prototasks.items():
        files, count = folders[name], checked[name].count
        priors = priors_among(files)
        row = _prototask_row(unit, prototask, count, priors, result)
        rows["prototasks"].append(row)
        for prior in filter(None, (result.priors.get((name, prior)) for prior in priors)):
            rows["priors"] += _prior_rows(result.known, prototask, prior)
        cases = result.selected(name) if _is_special(files, prototask, result) else None
        for task in tasks_among(prototask, priors, files):
            path = files.get(task.name + INSTANCE_SUFFIX)
            facts = result.tasks[name, task.name] = _task_facts(path, prototask, cases, task, count)
            names = {**task._asdict(), "task": task.name, "task_type": row["task_type"]}
            rows["tasks"].append({**names, "standard": path is None, **facts.columns})
    rows["datasets"] = [_dataset_row(unit, {row["task_type"] for row in rows["prototasks"]}, result)]
    return {name: with_unit(table_of(some, SCHEMAS[name]), unit.key) for name, some in rows.items()}


def _is_special(files: Iterable[str], prototask: Prototask, result: DatasetUnit) -> bool:
    """Do the instances of a prototask's tasks depend on more than the number of its cases?"""
    listed = any(name.endswith(INSTANCE_SUFFIX) for name in files)
    return prototask.is_sequential or prototask.stratified or result.known.commonality or listed


def _dataset_row(unit: Unit, types: set[str], result: DatasetUnit) -> Row:
    dataset, cases = result.known, result.cases
    columns = cases.columns.values() if cases else ()
    indexed = cases is not None and cases.has_groups
    return {
        "dataset": dataset.name,
        "title": dataset.title or None,
        **{key: getattr(dataset, key) for key in ("origin", "usage", "order")},
        "attributes": len(dataset.attributes),
        "cases": cases.count if cases else None,
        "commonality": dataset.commonality or indexed,
        "missing_values": sum(int(column.missing.sum()) for column in columns) if cases else None,
        "censored_values": sum(int((column.censored != 0).sum()) for column in columns) if cases else None,
        "task_types": sorted(types),
        "prototasks": list(result.prototasks),
        "summary": _document(unit, "Summary", result),
        "documents": unit.documents(),
        "directory": unit.directories[0],
        "groups": len(set(cases.commonality) - {None}) if cases else None,
    }


def _document(unit: Unit, name: str, result: DatasetUnit) -> str | None:
    return attempt(result.errors.append, read_document, unit.files[name]) if name in unit.files else None


def _attribute_row(result: DatasetUnit, attribute: Attribute) -> Row:
    column = result.cases.columns[attribute.number] if result.cases else None
    limits = attribute.range
    numbers = np.array([])
    if column is not None and limits.kind != "categorical":
        numbers = column.numbers[~np.isnan(column.numbers)]
    return {
        "dataset": result.known.name,
        "number": attribute.number,
        "attribute": attribute.name,
        "control": attribute.control,
        "range": limits.text,
        "kind": limits.kind,
        "categories": None if limits.categories is None else list(limits.categories),
        "description": attribute.description or None,
        "missing": int(column.missing.sum()) if column else None,
        "censored": int((column.censored != 0).sum()) if column else None,
        "minimum": float(numbers.min()) if numbers.size else None,
        "maximum": float(numbers.max()) if numbers.size else None,
    }


def _prototask_row(
    unit: Unit, prototask: Prototask, count: int | None, priors: list[str], result: DatasetUnit
) -> Row:
    chosen = "std" if "std" in priors else next(iter(priors), None)
    pairs = [(result.known.attribute(number), function) for number, function in prototask.transformations]
    return {
        **{key: getattr(prototask, key) for key in (*SAME, "maximum_dependency_range", "stratified")},
        "prototask": prototask.name,
        "inputs": [result.known.attribute(number).name for number in prototask.inputs],
        "targets": [result.known.attribute(number).name for number in prototask.targets],
        "training_set_sizes": list(prototask.training_set_sizes),
        "task_type": task_type(result.known, prototask, result.priors.get((prototask.name, chosen or ""))),
        "case_count": count,
        "priors": priors,
        "summary": _document(unit, f"{prototask.name}/Summary", result),
        "transformations": [f"{attribute.name} {function}" for attribute, function in pairs],
    }


def _prior_rows(dataset: Dataset, prototask: Prototask, prior: Prior) -> Iterator[Row]:
    roles = [(n, "input") for n in prototask.inputs] + [(n, "target") for n in prototask.targets]
    for number, role in roles:
        attribute, line = dataset.attribute(number), prior.line(number)
        coding = default_coding(attribute, line, prototask.transformation(number))
        yield {
            "dataset": prototask.dataset,
            "prototask": prototask.name,
            "prior": prior.name,
            "number": number,
            "attribute": attribute.name,
            "role": role,
            "levels": line.levels,
            "type": line.type,
            "options": options_text(line.options),
            "default_coding": coding.coding,
            "default_options": options_text(coding.options),
            "columns": column_names(attribute, coding),
            "dependency_strength": prior.dependency_strength,
            "dependency_range": prior.dependency_range,
        }


def options_text(options: Options) -> str:
    """Return options in the format of files: `passive=no scale=sqrt`."""
    return " ".join(f"{name}={value}" for name, value in options)


def _case_table(dataset: Dataset, cases: Cases) -> pa.Table:
    """Return all cases of a dataset, one row per case, in file order.

    Columns: `case` (int64, from 1), one column per attribute in the specification's order, then `commonality`
    (int64) and `comment` (string) if any case has one. Categories are dictionary-encoded in the order of the
    range, whole numbers are int64, other numbers float64. A missing value is null, and `NAME missing` has its
    word (`?why`). A censored value is its bound, and `NAME censored` is `at least` or `at most`. These
    columns exist only if such values occur. If an attribute is called `case`, `commonality` or `comment`, the
    generated column of that name ends in `_`."""
    taken = {attribute.name for attribute in dataset.attributes}
    columns = {_free("case", taken): pa.array(np.arange(1, cases.count + 1))}
    for attribute in dataset.attributes:
        column = cases.columns[attribute.number]
        columns[attribute.name] = _values(attribute, column)
        columns.update(_beside(attribute, column))
    if cases.has_groups:
        columns[_free("commonality", taken)] = pa.array(cases.commonality, type=pa.int64())
    if cases.comments:
        comments = [cases.comments.get(position) for position in range(cases.count)]
        columns[_free("comment", taken)] = pa.array(comments, type=pa.string())
    return pa.table(columns)


def _free(name: str, taken: set[str]) -> str:
    """Return a column name that no attribute has."""
    while name in taken:
        name += "_"
    return name


def _values(attribute: Attribute, column: Column) -> pa.Array:
    if attribute.range.kind == "categorical":
        return _categories(attribute, column)
    numbers, absent = column.numbers, np.isnan(column.numbers)
    if attribute.range.kind == "integer":
        present = numbers[~absent]
        if not ((present != np.floor(present)).any() or (np.abs(present) >= 2**62).any()):
            numbers = np.where(absent, 0, numbers).astype(np.int64)
    return pa.array(numbers, mask=absent)


def _categories(attribute: Attribute, column: Column) -> pa.Array:
    """Known values in the order of the range, followed by others in order of appearance."""
    known = dict.fromkeys(attribute.range.categories or ())
    present = (word for word, gone in zip(column.words, column.missing, strict=True) if not gone)
    values = list(known | dict.fromkeys(present))
    index = {value: position for position, value in enumerate(values)}
    codes = np.array([index.get(word, 0) for word in column.words], dtype=np.int32)
    indices = pa.array(codes, mask=column.missing)
    return pa.DictionaryArray.from_arrays(indices, pa.array(values, type=pa.string()), ordered=True)


def _beside(attribute: Attribute, column: Column) -> Iterator[tuple[str, pa.Array]]:
    """Yield the columns with the reasons of missing values, and with the direction of censoring."""
    categorical = attribute.range.kind == "categorical"
    absent = column.missing if categorical else np.isnan(column.numbers)
    if absent.any():
        reasons = [word if gone else None for word, gone in zip(column.words, absent, strict=True)]
        yield f"{attribute.name} missing", pa.array(reasons, type=pa.string())
    if column.censored.any():
        directions = [{1: "at least", -1: "at most"}.get(int(sign)) for sign in column.censored]
        yield f"{attribute.name} censored", pa.array(directions, type=pa.string())


def _task_facts(
    path: str | None, prototask: Prototask, cases: PrototaskCases | None, task: Task, case_count: int | None
) -> InstanceFacts:
    """Return the facts about a task, from its file of instances at `path` if there is one."""
    special = (
        prototask.is_sequential or prototask.stratified or (cases is not None and cases.groups is not None)
    )
    if path is None and not special:
        return _plain_facts(prototask, task.training_size, case_count)
    facts, sets = InstanceFacts(prototask.test_set_selection), None
    try:
        if path is not None:
            listed = listed_facts(parse_instances(read_text(path), path), prototask.test_set_selection)
            facts, sets = facts._replace(scheme=listed.scheme, share=listed.share), listed.sets
        if cases is None:
            return facts
        instances = instances_of_task(path, cases, task)
    except DelveError:  # among the archive's problems
        if path is not None:
            facts = facts._replace(scheme=None, share=None)
        return facts._replace(instances=0, test_cases=0)
    sizes = tuple(len(one.test) for one in instances)
    instances = instances[:sets]  # further ones are runs on the same training sets
    facts = facts._replace(
        instances=len(instances),
        test_cases=sizes[0] if len(set(sizes)) == 1 else None,
        unused_cases=len(instances[0].unused),
        gap_cases=len(instances[0].gap),
        overlap=_overlap(instances),
        sizes=sizes,
    )
    if len(instances) > 1:
        common = shared_test(instances) and facts.scheme != Scheme.ONE_SPLIT
        facts = facts._replace(test_set_selection="common" if common else "hierarchical")
    if prototask.stratified and path is None:  # how all values of the target are made equally likely in tests
        facts = facts._replace(balance="selection" if instances[0].weights is None else "weights")
    return facts


def _plain_facts(prototask: Prototask, size: int, case_count: int | None) -> InstanceFacts:
    """The facts about a standard task without gaps, groups or strata; sizes are None without data."""
    facts = InstanceFacts(prototask.test_set_selection)
    if case_count is None:
        return facts
    instances = max(0, min(prototask.maximum_instances, (case_count - prototask.test_set_size) // size))
    test_cases, tests = prototask.test_set_size, prototask.test_set_size
    if prototask.test_set_selection != "common":
        test_cases = test_cases // instances if instances else 0
        tests = test_cases * instances
    unused = case_count - (tests + size * instances if instances else 0)
    return facts._replace(instances=instances, test_cases=test_cases, unused_cases=unused, gap_cases=0)


def _overlap(instances: list[Instance]) -> str | None:
    """Return which sets of different instances share cases: `training`, `test` or `both`; None for neither.
    A common test set does not count."""
    training = _share([one.training for one in instances])
    test = not shared_test(instances) and _share([one.test for one in instances])
    return ("both" if test else "training") if training else "test" if test else None


def _share(sets: list[np.ndarray]) -> bool:
    together = np.concatenate(sets)
    return len(np.unique(together)) < len(together)
