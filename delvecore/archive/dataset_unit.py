"""One dataset with its prototasks, priors and cases, read into rows of the archive's tables.

Every fault becomes a problem; what can be read is kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from delvecore.archive.case_table import case_table
from delvecore.archive.snapshot import Unit
from delvecore.archive.stored import Row
from delvecore.archive.task_rows import task_rows
from delvecore.checking.dataset_rules import check_dataset
from delvecore.checking.datasets import read_facts, wanted_facts
from delvecore.checking.facts import CaseFacts
from delvecore.checking.prototask_rules import CheckedPrototask, check_prototask, find_priors
from delvecore.encoding.codings import column_names, default_coding
from delvecore.encoding.prototask_cases import PrototaskCases, select_cases
from delvecore.encoding.task_types import task_type
from delvecore.errors import DelveError, ParseError
from delvecore.model import Attribute, Dataset, Options, Prior, Prototask
from delvecore.readers.cases import Cases, join_cases
from delvecore.readers.files import read_document
from delvecore.readers.instances import INSTANCE_SUFFIX

__all__ = ["DatasetUnit", "read_dataset_unit"]


@dataclass
class DatasetUnit:
    """What was read: the model objects, rows by table name, the cases as an Arrow table, and the faults."""

    dataset: Dataset | None = None
    cases: Cases | None = None
    case_table: pa.Table | None = None
    prototasks: dict[str, Prototask] = field(default_factory=dict)
    priors: dict[tuple[str, str], Prior] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)
    errors: list[ParseError] = field(default_factory=list)
    test_sizes: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    """Sizes of the test sets of instances 0, 1, ... by (prototask, task), of tasks where they differ."""

    @property
    def known(self) -> Dataset:
        """The dataset; LookupError where its specification could not be read."""
        if self.dataset is None:
            raise LookupError("no dataset was read")
        return self.dataset


def read_dataset_unit(unit: Unit) -> DatasetUnit:
    """Read and check all files of a dataset's directory and of its prototasks."""
    result = DatasetUnit()
    place = unit.directories[0] if unit.directories else unit.key
    result.dataset = check_dataset(unit.files, unit.names[1], place, report=result.errors.append)
    if result.dataset is not None:
        facts = _read_cases(unit, place, result)
        checked = {}
        for prototask in _prototask_names(unit):
            checked[prototask] = _read_prototask(unit, prototask, facts, place, result)
        _make_rows(unit, checked, result)
    return result


def _read_cases(unit: Unit, place: str, result: DatasetUnit) -> CaseFacts | None:
    """Read the cases into the result; return what the rules need of them, None where there are none."""
    files = {name: _files_below(unit, name) for name in _prototask_names(unit)}
    wanted = wanted_facts(result.known, files)
    blocks: list[Cases] = []
    report = result.errors.append
    facts = read_facts(unit.files, result.known, wanted, place, report=report, keep=blocks.append)
    if facts is not None:
        result.cases = join_cases(result.known, blocks)
        result.case_table = case_table(result.known, result.cases)
    return facts


def _prototask_names(unit: Unit) -> list[str]:
    return [name.split("/")[0] for name in sorted(unit.files) if name.endswith("/Prototask.spec")]


def _files_below(unit: Unit, folder: str) -> dict[str, str]:
    """Return the files of a folder of the unit, true path by plain name."""
    inside = folder + "/"
    return {name[len(inside) :]: path for name, path in unit.files.items() if name.startswith(inside)}


def _prior_names(unit: Unit, prototask: str) -> list[str]:
    return find_priors(_files_below(unit, prototask))


def _read_prototask(
    unit: Unit, name: str, facts: CaseFacts | None, place: str, result: DatasetUnit
) -> CheckedPrototask:
    """Read and check a prototask into the result; return what was found."""
    files, report = _files_below(unit, name), result.errors.append
    checked = check_prototask(files, name, result.known, facts, f"{place}/{name}", report=report)
    if checked.prototask is not None:
        result.prototasks[name] = checked.prototask
        result.priors |= {(name, prior): read for prior, read in checked.priors.items()}
    return checked


def _make_rows(unit: Unit, checked: dict[str, CheckedPrototask], result: DatasetUnit) -> None:
    result.rows = {
        "attributes": [_attribute_row(result, attribute) for attribute in result.known.attributes],
        "prototasks": [],
        "priors": [],
        "tasks": [],
    }
    for prototask in result.prototasks.values():
        found = checked[prototask.name]
        row = _prototask_row(unit, prototask, found.case_count, result)
        result.rows["prototasks"].append(row)
        for name in row["priors"]:
            if prior := result.priors.get((prototask.name, name)):
                result.rows["priors"] += _prior_rows(result.known, prototask, prior)
        facts = {key: row[key] for key in ("priors", "case_count", "task_type")}
        files = _files_below(unit, prototask.name)
        rows, sizes = task_rows(files, prototask, _selected(files, found, result), **facts)
        result.rows["tasks"] += rows
        result.test_sizes |= {(prototask.name, task): lengths for task, lengths in sizes.items()}
    result.rows["datasets"] = [_dataset_row(unit, result)]


def _selected(files: dict[str, str], found: CheckedPrototask, result: DatasetUnit) -> PrototaskCases | None:
    """Return a prototask's cases where the instances of its tasks depend on more than their number, and they
    are known."""
    prototask, cases = found.prototask, result.cases
    listed = any(name.endswith(INSTANCE_SUFFIX) for name in files)
    odd = prototask is not None and (prototask.is_sequential or prototask.stratified)
    special = odd or result.known.commonality or listed
    if not special or prototask is None or cases is None or cases.left_out or found.positions is None:
        return None
    try:
        return select_cases(result.known, prototask, cases, found.positions)
    except DelveError:  # among the archive's problems
        return None


def _dataset_row(unit: Unit, result: DatasetUnit) -> Row:
    dataset, cases = result.known, result.cases
    columns = cases.columns.values() if cases else ()
    types = {row["task_type"] for row in result.rows["prototasks"]}
    indexed = cases is not None and any(index is not None for index in cases.commonality)
    return {
        "dataset": dataset.name,
        "title": dataset.title or None,
        "origin": dataset.origin,
        "usage": dataset.usage,
        "order": dataset.order,
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
    if name not in unit.files:
        return None
    try:
        return read_document(unit.files[name])
    except ParseError as error:
        result.errors.append(error)
        return None


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


def _prototask_row(unit: Unit, prototask: Prototask, count: int | None, result: DatasetUnit) -> Row:
    priors = _prior_names(unit, prototask.name)
    chosen = "std" if "std" in priors else next(iter(priors), None)
    pairs = [(result.known.attribute(number), function) for number, function in prototask.transformations]
    return {
        "dataset": prototask.dataset,
        "prototask": prototask.name,
        "origin": prototask.origin,
        "cases": prototask.cases,
        "order": prototask.order,
        "inputs": [result.known.attribute(number).name for number in prototask.inputs],
        "targets": [result.known.attribute(number).name for number in prototask.targets],
        "test_set_size": prototask.test_set_size,
        "training_set_sizes": list(prototask.training_set_sizes),
        "test_set_selection": prototask.test_set_selection,
        "maximum_instances": prototask.maximum_instances,
        "task_type": task_type(result.known, prototask, result.priors.get((prototask.name, chosen or ""))),
        "case_count": count,
        "priors": priors,
        "summary": _document(unit, f"{prototask.name}/Summary", result),
        "maximum_dependency_range": prototask.maximum_dependency_range,
        "stratified": prototask.stratified,
        "transformations": [f"{attribute.name} {function}" for attribute, function in pairs],
    }


def _prior_rows(dataset: Dataset, prototask: Prototask, prior: Prior) -> Iterator[Row]:
    roles = [*((number, "input") for number in prototask.inputs)]
    roles += [(number, "target") for number in prototask.targets]
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
    """Return options as they are written: `passive=no scale=sqrt`."""
    return " ".join(f"{name}={value}" for name, value in options)
