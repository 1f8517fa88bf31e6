"""One dataset with its prototasks, priors and cases, read into rows of the archive's tables.

Every fault becomes a problem; what can be read is kept.
"""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from delvecore.archive.case_table import case_table
from delvecore.archive.snapshot import Unit
from delvecore.encoding.codings import column_names, default_coding
from delvecore.errors import ParseError
from delvecore.model import CATEGORICAL_TYPES, Dataset, Prior, Prototask
from delvecore.readers.cases import Cases, read_cases
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.files import read_document, read_text
from delvecore.readers.prior import parse_prior
from delvecore.readers.prototask import parse_indexes, parse_prototask
from delvecore.readers.specifications import list_tasks

__all__ = ["DatasetUnit", "read_dataset_unit"]


@dataclass
class DatasetUnit:
    """What was read: the model objects, rows by table name, the cases as an Arrow table, and the faults."""

    dataset: Dataset | None = None
    cases: Cases | None = None
    case_table: pa.Table | None = None
    prototasks: dict[str, Prototask] = field(default_factory=dict)
    priors: dict[tuple[str, str], Prior] = field(default_factory=dict)
    rows: dict[str, list[dict]] = field(default_factory=dict)
    errors: list[ParseError] = field(default_factory=list)


def read_dataset_unit(unit: Unit) -> DatasetUnit:
    """Read all files of a dataset's directory and of its prototasks."""
    result = DatasetUnit()
    name = unit.names[1]
    text = _text(unit, "Dataset.spec", result)
    if text is not None:
        source = unit.files["Dataset.spec"]
        result.dataset = parse_dataset(text, name, source, report=result.errors.append)
        _read_cases(unit, result)
        for prototask in _prototask_names(unit):
            _read_prototask(unit, prototask, result)
        _make_rows(unit, result)
    return result


def _text(unit, name, result, *, required=True):
    """Return a file's text, or None after recording why there is none."""
    if name not in unit.files:
        if required:
            remedy = "add it, or remove the directory"
            place = unit.directories[0] if unit.directories else unit.key
            result.errors.append(ParseError(place, None, f"a file {name}", "none", remedy, kind="hierarchy"))
        return None
    try:
        return read_text(unit.files[name])
    except ParseError as error:
        result.errors.append(error)
        return None


def _read_cases(unit, result):
    text = _text(unit, "Dataset.data", result)
    if text is None:
        return
    source = unit.files["Dataset.data"]
    result.cases = read_cases(text, result.dataset, source, report=result.errors.append)
    if result.cases.count == 0:
        result.errors.append(ParseError(source, None, "at least one case", "none", "add the cases"))
    result.case_table = case_table(result.dataset, result.cases)


def _prototask_names(unit):
    return [name.split("/")[0] for name in sorted(unit.files) if name.endswith("/Prototask.spec")]


def _prior_names(unit, prototask):
    places = (name.partition("/") for name in sorted(unit.files))
    return [
        file.removesuffix(".prior")
        for folder, _, file in places
        if folder == prototask and file.endswith(".prior")
    ]


def _read_prototask(unit, name, result):
    file = f"{name}/Prototask.spec"
    text = _text(unit, file, result)
    if text is None:
        return
    report = result.errors.append
    prototask = parse_prototask(text, name, result.dataset, unit.files[file], report=report)
    if prototask is None:
        return
    result.prototasks[name] = prototask
    for prior in _prior_names(unit, name):
        _read_prior(unit, f"{name}/{prior}.prior", prior, prototask, result)
    if not _prior_names(unit, name):
        source = unit.files[file]
        remedy = "add std.prior"
        report(ParseError(source, None, "a .prior file beside it", "none", remedy, kind="specification"))


def _read_prior(unit, path, name, prototask, result):
    text = _text(unit, path, result)
    if text is None:
        return
    before = len(result.errors)
    source, report = unit.files[path], result.errors.append
    prior = parse_prior(text, name, result.dataset, prototask, source, report=report)
    if len(result.errors) == before:
        result.priors[(prototask.name, name)] = prior


def _make_rows(unit, result):
    result.rows = {
        "attributes": [_attribute_row(result, attribute) for attribute in result.dataset.attributes],
        "prototasks": [],
        "priors": [],
        "tasks": [],
    }
    for prototask in result.prototasks.values():
        count = _case_count(unit, prototask, result)
        row = _prototask_row(unit, prototask, count, result)
        result.rows["prototasks"].append(row)
        for name in row["priors"]:
            if prior := result.priors.get((prototask.name, name)):
                result.rows["priors"] += _prior_rows(result.dataset, prototask, prior)
        result.rows["tasks"] += _task_rows(prototask, row)
    result.rows["datasets"] = [_dataset_row(unit, result)]


def _dataset_row(unit, result):
    dataset, cases = result.dataset, result.cases
    columns = cases.columns.values() if cases else ()
    types = {row["task_type"] for row in result.rows["prototasks"]}
    indexed = bool(cases) and any(index is not None for index in cases.commonality)
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
    }


def _document(unit, name, result):
    if name not in unit.files:
        return None
    try:
        return read_document(unit.files[name])
    except ParseError as error:
        result.errors.append(error)
        return None


def _attribute_row(result, attribute):
    column = result.cases.columns[attribute.number] if result.cases else None
    limits = attribute.range
    numbers = np.array([])
    if column is not None and limits.kind != "categorical":
        numbers = column.numbers[~np.isnan(column.numbers)]
    return {
        "dataset": result.dataset.name,
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


def _case_count(unit, prototask, result):
    """How many cases does a prototask use? None without data or with an unreadable case file.

    A case with the wrong number of values counts too: it keeps the others in their places.
    """
    total = result.cases.count + result.cases.left_out if result.cases else 0
    if total == 0:
        return None
    if prototask.cases == "all":
        count = total
    elif prototask.cases == "no missing":
        numbers = (*prototask.inputs, *prototask.targets)
        count = int((~np.any([result.cases.columns[n].missing for n in numbers], axis=0)).sum())
    else:
        count = _count_indexes(unit, prototask, prototask.cases, total, False, result)
    if count is not None and prototask.order != "retain":
        _count_indexes(unit, prototask, prototask.order, count, True, result)
    return count


def _count_indexes(unit, prototask, name, count, permutation, result):
    path = f"{prototask.name}/{name}"
    text = _text(unit, path, result)
    if text is None:
        return None
    report = result.errors.append
    source = unit.files[path]
    return len(parse_indexes(text, source, count=count, permutation=permutation, report=report))


def task_type(dataset, prototask, prior):
    """Is a prototask `classification` (all targets categorical), `regression` or `mixed`?

    Types come from the prior; without one, from the attributes' ranges.
    """
    categorical = set()
    for number in prototask.targets:
        if prior is not None:
            categorical.add(prior.line(number).type in CATEGORICAL_TYPES)
        else:
            categorical.add(dataset.attribute(number).range.kind == "categorical")
    return "mixed" if len(categorical) > 1 else "classification" if True in categorical else "regression"


def _prototask_row(unit, prototask, count, result):
    priors = _prior_names(unit, prototask.name)
    chosen = "std" if "std" in priors else next(iter(priors), None)
    names = {attribute.number: attribute.name for attribute in result.dataset.attributes}
    return {
        "dataset": prototask.dataset,
        "prototask": prototask.name,
        "origin": prototask.origin,
        "cases": prototask.cases,
        "order": prototask.order,
        "inputs": [names[number] for number in prototask.inputs],
        "targets": [names[number] for number in prototask.targets],
        "test_set_size": prototask.test_set_size,
        "training_set_sizes": list(prototask.training_set_sizes),
        "test_set_selection": prototask.test_set_selection,
        "maximum_instances": prototask.maximum_instances,
        "task_type": task_type(result.dataset, prototask, result.priors.get((prototask.name, chosen))),
        "case_count": count,
        "priors": priors,
        "summary": _document(unit, f"{prototask.name}/Summary", result),
    }


def _prior_rows(dataset, prototask, prior):
    roles = [*((number, "input") for number in prototask.inputs)]
    roles += [(number, "target") for number in prototask.targets]
    for number, role in roles:
        attribute, line = dataset.attribute(number), prior.line(number)
        coding = default_coding(attribute, line)
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
        }


def options_text(options):
    """Return options as they are written: `passive=no scale=sqrt`."""
    return " ".join(f"{name}={value}" for name, value in options)


def _task_rows(prototask, row):
    for task in list_tasks(prototask, row["priors"]):
        instances, test_cases = standard_numbers(prototask, task.training_size, row["case_count"])
        yield {
            "dataset": task.dataset,
            "prototask": task.prototask,
            "task": task.name,
            "prior": task.prior,
            "training_size": task.training_size,
            "test_set_selection": prototask.test_set_selection,
            "task_type": row["task_type"],
            "instances": instances,
            "test_cases": test_cases,
        }


def standard_numbers(prototask, training_size, case_count):
    """Return (instances, test cases of each) of a standard task, (None, None) without data.

    Source: DELVE manual, section 6.2.
    """
    if case_count is None:
        return None, None
    left = case_count - prototask.test_set_size
    instances = max(0, min(prototask.maximum_instances, left // training_size))
    if prototask.test_set_selection == "common":
        return instances, prototask.test_set_size
    return instances, prototask.test_set_size // instances if instances else 0
