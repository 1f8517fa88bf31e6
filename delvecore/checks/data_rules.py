"""Rules for datasets and prototasks beyond the syntax that `readers` check.

Some rules need the data or other files. Instances are made as for a run of a method, so that data without a
fault can be run. Source: DELVE manual, sections 3.1, 3.3, 3.4, 4.1 to 4.4, 6.2 and 6.3."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow.compute as pc

from delvecore.encoding.codings import check_coding, default_coding
from delvecore.encoding.instances import Instance, standard_instances
from delvecore.encoding.prototask_cases import (
    ALL,
    NO_MISSING,
    PrototaskCases,
    column_at,
    no_missing,
    random_order,
)
from delvecore.encoding.schemes import planned_instances
from delvecore.encoding.task_instances import listed_instances
from delvecore.errors import DelveError, Fault, Faults, ParseError, Report, attempt, located, spec_fault
from delvecore.model import RANDOM_ORDER, RETAIN, SEQUENTIAL, Dataset, Prior, PriorLine, Prototask, Range
from delvecore.number_format.numbers import is_number
from delvecore.plan import Plan
from delvecore.readers.cases import Cases, Column, read_case_file, take_words, words_of
from delvecore.readers.dataset import attribute_lines, parse_dataset
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import INSTANCE_SUFFIX
from delvecore.readers.instances import parse_listing
from delvecore.readers.prior import category_order, lines_by_attribute, parse_prior
from delvecore.readers.prototask import key_lines, parse_prototask, read_indexes
from delvecore.readers.specifications import PRIOR_SUFFIX, parse_task_name, priors_among

SPECIFICATION = "Dataset.spec"


def file_text(files: Mapping[str, str], name: str, place: str, *, report: Report) -> str | None:
    """Return the text of a required file, or None after a report."""
    if name in files:
        return attempt(report, read_text, files[name])
    report(no_file(place, name))
    return None


def no_file(place: str, name: str) -> ParseError:
    """Return the fault of a directory that lacks a file."""
    remedy = "add it, or remove the directory"
    return ParseError(place, None, f"a file {name}", "none", remedy, kind="hierarchy")


def check_dataset(files: Mapping[str, str], name: str, place: str, *, report: Report) -> Dataset | None:
    """Read and check `Dataset.spec`; return the Dataset, or None if there is nothing to read."""
    text = file_text(files, SPECIFICATION, place, report=report)
    if text is None:
        return None
    source = files[SPECIFICATION]
    dataset = parse_dataset(text, name, source, report=report)
    for attribute, line in zip(dataset.attributes, attribute_lines(text), strict=False):
        for expected, actual in _range_faults(attribute.range):
            report(spec_fault(source, line, expected, actual, "correct the range"))
    return dataset


def _range_faults(limits: Range) -> Iterator[tuple[str, str]]:
    """Yield (expected, found) for the parts of a range that no value of a data file can match."""
    for value in limits.values:
        if value[0] in "@\\:" or (value.endswith(":") and is_number(value[:-1])):
            yield "values that do not look like an index, a censored value or a continuation", repr(value)
    for interval in limits.intervals:
        closed = interval.low_closed and interval.high_closed and abs(interval.low) != float("inf")
        if interval.low == interval.high and not closed:
            yield "intervals that hold a number", "one that is empty"
    for word in sorted({word for word in limits.missing if limits.missing.count(word) > 1}):
        yield "each missing value once", f"{word} twice"


def check_cases(dataset: Dataset, cases: Cases, source: str, *, report: Report) -> None:
    """Check that there are cases, and the commonality indexes that `Dataset.spec` announces.

    Indexes without an announcement are not a fault: DELVE 1.1 required that the line be omitted."""
    if cases.count == 0:
        report(ParseError(source, None, "at least one case", "none", "add the cases"))
    elif dataset.commonality and not cases.has_groups:
        expected = "commonality indexes, which Dataset.spec announces"
        report(ParseError(source, None, expected, "none", "add them, or remove the line from Dataset.spec"))


KEYWORDS = {"cases": (ALL, NO_MISSING), "order": (RETAIN, SEQUENTIAL)}
PROTOTASK, STORED = "Prototask.spec", "Prototask.data"
REMEDY = "make it again with dgenproto"
Columns = Mapping[int, Column]


Chosen = tuple[int | None, np.ndarray | None, np.ndarray | None]
"""Cases of a prototask: their number, None if unknown; their positions in the dataset (int64, from 0) in the
prototask's order, None if not known exactly; the positions in the dataset's order, None if unknown."""


def choose_cases(
    files: Mapping[str, str],
    prototask: Prototask,
    dataset: Dataset,
    cases: Cases | None,
    lines: Mapping[str, int],
    *,
    report: Report,
    may_lack_order: bool,
) -> Chosen:
    """Check how a prototask chooses and orders its cases; return them.

    may_lack_order: whether `Random-order`, which dgenorder makes, may be missing."""
    stored = attempt(report, _read_stored, files[STORED], prototask, dataset) if STORED in files else None
    options = {"cases": prototask.cases, "order": prototask.order}
    absent = [key for key, name in options.items() if name not in files and name.lower() not in KEYWORDS[key]]
    for key in absent if stored is None else ():
        keywords = ", ".join(map(repr, KEYWORDS[key]))
        expected = f"{key} to be {keywords} or a file next to the specification"
        remedy = "add the file"
        if options[key] == RANDOM_ORDER:
            if may_lack_order and key == "order":
                continue
            remedy = "make it with dgenorder"
        report(spec_fault(files[PROTOTASK], lines[key], expected, repr(options[key]), remedy))
    if cases is None or cases.total == 0 or "cases" in absent:
        chosen: Chosen = stored[0].total if stored else None, None, None
    else:
        chosen = _choose(files, prototask, cases, lines, is_ordered="order" not in absent, report=report)
    if stored is not None:
        _check_stored(files[STORED], *stored, cases, *chosen[:2], report)
    return chosen


def _choose(
    files: Mapping[str, str],
    prototask: Prototask,
    cases: Cases,
    lines: Mapping[str, int],
    *,
    is_ordered: bool,
    report: Report,
) -> Chosen:
    """Return the cases that the prototask uses.

    If it uses all, they include cases with a wrong number of values."""
    faults = Faults()
    if prototask.cases.lower() == ALL:
        positions = np.arange(cases.total)
    elif prototask.cases.lower() == NO_MISSING:
        positions = np.flatnonzero(no_missing(prototask, cases))
        if not len(positions):
            expected = "cases without missing values among inputs and targets"
            report(spec_fault(files[PROTOTASK], lines["cases"], expected, "none"))
    else:
        path = files[prototask.cases]
        positions = np.sort(_indexes(path, cases.total, faults.append, permutation=False)) - 1
    count, faulty = len(positions), bool(faults)
    if is_ordered and prototask.order_file is not None:
        order = _indexes(files[prototask.order], count, faults.append, permutation=True)
        positions = positions[order - 1]
    for fault in faults:
        report(fault)
    unordered = None if faulty else np.sort(positions)
    return count, positions if is_ordered and not faults else None, unordered


def _indexes(path: str, count: int, report: Report, *, permutation: bool) -> np.ndarray:
    """Return the numbers of a case or order file, or no numbers after a report."""
    numbers = attempt(report, read_indexes, path, count=count, permutation=permutation, report=report)
    if numbers is not None and not len(numbers) and not permutation:
        report(ParseError(path, None, "at least one case number", "none", "list the cases to use"))
    return np.empty(0, dtype=np.int64) if numbers is None else numbers


def _read_stored(source: str, prototask: Prototask, dataset: Dataset) -> tuple[Cases, Faults]:
    """Return the cases of `Prototask.data`, with columns in the prototask's order, and their faults."""
    faults = Faults()
    listed = tuple(map(dataset.attribute, dict.fromkeys(prototask.used)))
    return read_case_file(source, dataset._replace(attributes=listed), report=faults.append), faults


def _differences(stored: Columns, columns: Columns, positions: np.ndarray) -> np.ndarray:
    """Return the places of stored cases whose words differ from the dataset's at these positions."""
    differs = np.zeros(len(positions), dtype=bool)
    for number in filter(None, stored):
        words = words_of(take_words(columns[number].words, positions)).array
        stored_words = words_of(stored[number].words).array.cast(words.type)
        differs |= pc.not_equal(stored_words, words).to_numpy(zero_copy_only=False)
    return np.flatnonzero(differs)


def _check_stored(
    source: str,
    own: Cases,
    faults: Faults,
    cases: Cases | None,
    count: int | None,
    positions: np.ndarray | None,
    report: Report,
) -> None:
    """Check that `Prototask.data` holds the prototask's cases and columns in its order.

    Earlier versions wrote columns by attribute number, which only the dataset's cases reveal. source, own,
    faults: the file, its cases and their faults; cases: those of the dataset; count, positions: see `Chosen`.
    """
    is_told = cases is not None and not cases.left_out and own.count == own.total == count
    other = np.empty(0, dtype=np.int64)
    if cases is not None and positions is not None and is_told:
        other = _differences(own.columns, cases.columns, positions)
        turned = dict(zip(sorted(own.columns), own.columns.values(), strict=True))
        if len(_differences(turned, cases.columns, positions)) < len(other):
            columns = "columns as Prototask.spec lists them, inputs, then targets"
            report(ParseError(source, None, columns, "columns by attribute number", REMEDY))
            return
    for fault in faults:
        report(fault)
    if count != own.total:
        expected = f"{count} cases, as many as the prototask uses"
        report(ParseError(source, None, expected, f"{own.total}", REMEDY))
    if positions is not None and len(other):
        values = f"the values of case {positions[other[0]] + 1} of Dataset.data, inputs, then targets"
        actual = "other values, also by attribute number"
        actual += f" ({len(other)} cases differ)" if len(other) > 1 else ""
        report(ParseError(source, int(own.lines[other[0]]), values, actual, REMEDY))


@dataclass(frozen=True, eq=False)
class CheckedPrototask:
    """Content of a prototask's directory; prototask is None if its specification is unusable.

    Attributes
    ----------
    count, positions
        Count and positions of its cases, see `Chosen`.
    """

    prototask: Prototask | None = None
    priors: dict[str, Prior] = field(default_factory=dict)
    count: int | None = None
    positions: np.ndarray | None = None


def check_prototask(
    files: Mapping[str, str],
    name: str,
    dataset: Dataset,
    cases: Cases | None,
    place: str,
    *,
    report: Report,
    priors: bool = True,
    may_lack_order: bool = False,
) -> CheckedPrototask:
    """Read and check a prototask's directory.

    cases: those of the dataset, None if unreadable; may_lack_order: see `choose_cases`."""
    text = file_text(files, PROTOTASK, place, report=report)
    source = files.get(PROTOTASK, "")
    prototask = None if text is None else parse_prototask(text, name, dataset, source, report=report)
    if text is None or prototask is None:
        return CheckedPrototask()
    lines = key_lines(text)
    _check_order(prototask, dataset, source, lines, report)
    count, positions, unordered = choose_cases(
        files, prototask, dataset, cases, lines, report=report, may_lack_order=may_lack_order
    )
    if cases is not None and unordered is not None:
        some_order = positions
        if some_order is None:  # an order that dgenorder could make
            groups = _cases(prototask, dataset, cases, unordered).groups
            some_order = unordered[random_order(len(unordered), 0, groups=groups)]
        used = _cases(prototask, dataset, cases, some_order)
        _check_sizes(used, cases, source, lines, report)
        planned = positions is not None and not cases.left_out
        _check_instance_files(files, used, report, planned=planned)
    checked_priors = {}
    for prior_name in priors_among(files) if priors else ():
        path = files[prior_name + PRIOR_SUFFIX]
        if prior := check_prior(path, prior_name, dataset, prototask, report=report):
            checked_priors[prior_name] = prior
    if priors and not priors_among(files):
        report(spec_fault(source, None, "a .prior file next to it", "none", "add std.prior"))
    return CheckedPrototask(prototask, checked_priors, count, positions)


def _check_order(
    prototask: Prototask, dataset: Dataset, source: str, lines: Mapping[str, int], report: Report
) -> None:
    """Check the order (section 4.4): a non-sequential prototask must not keep an informative order."""
    if dataset.order == "informative" and prototask.order.lower() == "retain":
        expected = "an order file or 'sequential', since the order of the dataset is informative"
        report(spec_fault(source, lines["order"], expected, "'retain'", "make an order with dgenorder"))
    sizes = prototask.training_set_sizes
    for size in sorted({size for size in sizes if sizes.count(size) > 1}):
        line = lines["training-set-sizes"]
        report(spec_fault(source, line, "each training set size once", f"{size} twice"))


def _check_sizes(
    used: PrototaskCases, cases: Cases, source: str, lines: Mapping[str, int], report: Report
) -> None:
    """Check that each training set size gives an instance: manual, sections 4.2, 6.2 and 6.3."""
    prototask = used.prototask
    if prototask.is_sequential and cases.has_groups:
        expected = "no commonality indexes, since the prototask is sequential"
        actual = "some in Dataset.data"
        report(spec_fault(source, lines["order"], expected, actual, "use a random order"))
        return
    seen = set()
    for size in dict.fromkeys(prototask.training_set_sizes):
        try:
            _make_instances(used, size, are_known=not cases.left_out)
        except Fault as error:
            key = error.key or "training-set-sizes"
            fault = located(error, source, lines[key], kind="specification")
            if str(fault) not in seen:
                seen.add(str(fault))
                report(fault)


def _make_instances(used: PrototaskCases, size: int, *, are_known: bool) -> None:
    """Raise DelveError for too few cases. are_known: whether groups and values of the target are known."""
    prototask = used.prototask
    if are_known and (used.groups is not None or prototask.stratified):
        standard_instances(prototask, used.count, size, groups=used.groups, strata=used.strata)
        return
    least = prototask.test_set_size + (prototask.maximum_dependency_range or 0)
    count = min(used.count, least + prototask.maximum_instances * size)  # no more cases than they need
    standard_instances(prototask._replace(stratified=False), count, size)


def _cases(prototask: Prototask, dataset: Dataset, cases: Cases, positions: np.ndarray) -> PrototaskCases:
    """Return the used cases with their groups and targets, if known, because instances depend on these."""
    commonality: Sequence[int | None] = ()
    columns = {}
    if not cases.left_out:
        columns = {number: column_at(cases.columns[number], positions) for number in prototask.targets}
        if cases.has_groups:
            commonality = [cases.commonality[position] for position in positions.tolist()]
    return PrototaskCases(dataset, prototask, columns, positions + 1, commonality)


def _check_instance_files(
    files: Mapping[str, str], cases: PrototaskCases, report: Report, *, planned: bool
) -> None:
    """Check `TASK.instances` files: syntax, membership, order, distance, and agreement with their scheme."""
    for name in sorted(files):
        if not name.endswith(INSTANCE_SUFFIX):
            continue
        path, task = files[name], parse_task_name(name.removesuffix(INSTANCE_SUFFIX))
        if task is None or f"{task[0]}.prior" not in files:
            expected = "a name such as std.100.instances, of a prior and a training set size"
            report(spec_fault(path, None, expected, repr(name), "rename it"))
        faults = Faults()
        try:
            listed, plan = parse_listing(read_text(path), path, report=faults.append)
            if not faults:
                instances = listed_instances(listed, cases, path)
                if plan and planned:
                    _check_plan(instances, plan, cases, path, listed[0].lines["scheme"])
        except DelveError as error:
            faults.append(located(error, path, None, kind="specification"))
        for fault in faults:
            report(fault)


def _check_plan(
    instances: Sequence[Instance], plan: Plan, cases: PrototaskCases, path: str, line: int
) -> None:
    """Raise ParseError if the sets of a file differ from those of its scheme."""
    try:
        made = planned_instances(cases, plan)
    except DelveError as error:
        raise located(error, path, line, kind="specification") from None
    remedy = "remove the line, or make the file again with delve instances"
    if len(made) != len(instances):
        expected, actual = f"{len(made)} instances of {plan.words}", f"{len(instances)}"
        raise spec_fault(path, line, expected, actual, remedy)
    for own, other in zip(instances, made, strict=True):
        for name in ("training", "test"):
            if not np.array_equal(np.sort(getattr(own, name)), np.sort(getattr(other, name))):
                expected = f"in instance {own.number} the {name} set of {plan.words}"
                raise spec_fault(path, line, expected, "another one", remedy)


def check_prior(
    path: str, name: str, dataset: Dataset, prototask: Prototask, *, report: Report
) -> Prior | None:
    """Read and check a prior file; return the Prior, or None after reporting a fault."""
    text = attempt(report, read_text, path)
    if text is None:
        return None
    faults = Faults()
    prior = parse_prior(text, name, dataset, prototask, path, report=faults.append)
    lines = lines_by_attribute(text, dataset)
    for line in prior.lines:
        for expected, actual in _line_faults(line, dataset):
            where = lines.get(line.attribute)
            faults.append(spec_fault(path, where, expected, actual, "correct the line"))
    for fault in faults:
        report(fault)
    return None if faults else prior


def _line_faults(line: PriorLine, dataset: Dataset) -> Iterator[tuple[str, str]]:
    """Yield (expected, found) for a line that can be read."""
    if len(set(line.levels)) < len(line.levels):
        yield "each level once", f"{line.levels!r}"
    if line.option("coding"):
        attribute = dataset.attribute(line.attribute)
        try:
            check_coding(default_coding(attribute, line), attribute, line)
        except ValueError as error:
            expected, actual = error.args
            yield expected, actual
    passive = line.option("passive")
    if line.type == "ordinal" and passive is not None:
        order = category_order(dataset.attribute(line.attribute), line.option("order"))
        if order and passive != order[0]:
            yield f"passive only for the first value of an ordinal attribute, {order[0]}", repr(passive)
