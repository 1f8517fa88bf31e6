"""Rules for a prototask's directory: its specification, priors, case, order and instance files, and sizes.

`readers.prototask` and `readers.prior` report what cannot be read or does not fit the dataset's
specification; here is what takes the data or other files to see, and what can be read but must not be.
Instances are made as for a method's run (`encoding.instances`), so what passes here can be run. Source:
DELVE manual, sections 4.1 to 4.4, 6.2 and 6.3."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from delvecore.checks.dataset_rules import NO_GROUP, CaseFacts, case_digests, file_text
from delvecore.encoding.codings import check_coding, default_coding
from delvecore.encoding.instances import Instance, standard_instances
from delvecore.encoding.plans import planned_instances
from delvecore.encoding.prototask_cases import PrototaskCases, column_at
from delvecore.encoding.task_instances import listed_instances
from delvecore.errors import DelveError, Fault, Faults, ParseError, Report, attempt, located, spec_fault
from delvecore.model import RETAIN, SEQUENTIAL, Dataset, Prior, PriorLine, Prototask
from delvecore.plan import Plan
from delvecore.readers.cases import read_case_blocks
from delvecore.readers.files import read_pieces, read_text
from delvecore.readers.instances import INSTANCE_SUFFIX, parse_listing
from delvecore.readers.loss_files import read_indexes
from delvecore.readers.prior import category_order, lines_by_attribute, parse_prior
from delvecore.readers.prototask import key_lines, parse_prototask
from delvecore.readers.specifications import PRIOR_SUFFIX, parse_task_name, priors_among

ALL, NO_MISSING = "all", "no missing"
KEYWORDS = {"cases": (ALL, NO_MISSING), "order": (RETAIN, SEQUENTIAL)}
SPECIFICATION, STORED = "Prototask.spec", "Prototask.data"
REMEDY = "make it again with dgenproto"


@dataclass(frozen=True)
class ChosenCases:
    """Which cases a prototask uses. count: how many, None where nothing says it; is_known: whether these are
    known, and their order; chosen: the positions (from 0) of these cases in the dataset, ascending, None for
    all of them; order: the numbers (from 1) of these in the prototask's order, None where the dataset's order
    is kept."""

    count: int | None = None
    is_known: bool = False
    chosen: np.ndarray | None = None
    order: np.ndarray | None = None

    @cached_property
    def positions(self) -> np.ndarray:
        """The positions (int64, from 0) of the cases in the dataset, in the prototask's order."""
        chosen = np.arange(self.count or 0) if self.chosen is None else self.chosen
        return chosen if self.order is None else chosen[self.order - 1]


def choose_cases(
    files: Mapping[str, str],
    prototask: Prototask,
    dataset: Dataset,
    facts: CaseFacts | None,
    lines: Mapping[str, int],
    *,
    report: Report,
) -> ChosenCases:
    """Check how a prototask chooses and orders its cases; return them. files: of the prototask's directory;
    facts: of the dataset's cases or None; lines: of the keys of `Prototask.spec`."""
    stored = attempt(report, _read_stored, files[STORED], prototask, dataset) if STORED in files else None
    chosen = _chosen_cases(
        files=files, prototask=prototask, stored=stored, facts=facts, lines=lines, report=report
    )
    if stored is not None:
        _check_stored(stored, _expected_digests(stored, prototask, facts, chosen), chosen, report)
    return chosen


def _chosen_cases(
    files: Mapping[str, str],
    prototask: Prototask,
    stored: "_StoredCases | None",
    facts: CaseFacts | None,
    lines: Mapping[str, int],
    report: Report,
) -> ChosenCases:
    told = {"cases": prototask.cases, "order": prototask.order}
    absent = [key for key, name in told.items() if name not in files and name.lower() not in KEYWORDS[key]]
    for key in absent if stored is None else ():
        keywords = ", ".join(map(repr, KEYWORDS[key]))
        expected = f"{key} to be {keywords} or a file beside the specification"
        remedy = "make it with dgenorder" if key == "order" else "add the file"
        report(spec_fault(files[SPECIFICATION], lines[key], expected, repr(told[key]), remedy))
    if facts is None or facts.total == 0 or "cases" in absent:
        return ChosenCases(stored.count if stored else None)
    faults = Faults()
    chosen = _chosen(
        files=files, prototask=prototask, facts=facts, lines=lines, report=report, report_file=faults.append
    )
    count, order = facts.total if chosen is None else len(chosen), None
    if "order" not in absent and prototask.order_file is not None:
        order = _indexes(files[prototask.order], count, faults.append, permutation=True)
    for fault in faults:
        report(fault)
    return ChosenCases(count, not faults and not absent, chosen, order)


def _chosen(
    files: Mapping[str, str],
    prototask: Prototask,
    facts: CaseFacts,
    lines: Mapping[str, int],
    report: Report,
    report_file: Report,
) -> np.ndarray | None:
    """Return the positions of the cases in use, in the dataset's order, None for all of them. A case with a
    wrong number of values counts where all cases are used: it keeps the others in their places."""
    if prototask.cases.lower() == ALL:
        return None
    if prototask.cases.lower() == NO_MISSING:
        chosen = np.flatnonzero(facts.complete(prototask.used))
        if not len(chosen):
            expected = "cases without missing values among inputs and targets"
            report(spec_fault(files[SPECIFICATION], lines["cases"], expected, "none"))
        return chosen
    path = files[prototask.cases]
    return np.sort(_indexes(path, facts.total, report_file, permutation=False)).astype(np.int64) - 1


def _indexes(path: str, count: int, report: Report, *, permutation: bool) -> np.ndarray:
    """Return the numbers of a case or order file, none after reporting why it cannot be read."""
    numbers = attempt(report, read_indexes, path, count=count, permutation=permutation, report=report)
    if numbers is not None and not len(numbers) and not permutation:
        report(ParseError(path, None, "at least one case number", "none", "list the cases to use"))
    return np.empty(0, dtype=np.int64) if numbers is None else numbers


@dataclass(frozen=True)
class _StoredCases:
    """source: the file `Prototask.data`; count: of its cases, those with a wrong number of values included;
    digests: of the others, as the prototask lists its attributes; by_number: the same if the columns stood by
    the numbers of the attributes, as earlier versions wrote them; lines: on which these cases start; faults:
    of single cases."""

    source: str
    count: int
    digests: np.ndarray
    by_number: np.ndarray
    lines: np.ndarray
    faults: list[ParseError]


def compared_attributes(prototask: Prototask) -> frozenset[int]:
    """Return the attributes whose words `Prototask.data` has in common with the dataset."""
    return frozenset(prototask.used) - {0}


def _read_stored(source: str, prototask: Prototask, dataset: Dataset) -> _StoredCases:
    """Return the cases of `Prototask.data`; ParseError where it cannot be read."""
    listed, compared = tuple(dict.fromkeys(prototask.used)), compared_attributes(prototask)
    faults = Faults()
    digests, by_number = [np.empty(0, dtype=np.uint64)], [np.empty(0, dtype=np.uint64)]
    lines, left_out = [np.empty(0, dtype=np.int64)], 0
    part = dataset._replace(attributes=tuple(map(dataset.attribute, listed)))
    for block in read_case_blocks(read_pieces(source), part, source, report=faults.append):
        columns = (block.columns[number] for number in listed)
        turned = replace(block, columns=dict(zip(sorted(listed), columns, strict=True)))
        digests.append(case_digests(block, compared))
        by_number.append(case_digests(turned, compared))
        lines.append(block.lines)
        left_out += block.left_out
    known, others = np.concatenate(digests), np.concatenate(by_number)
    return _StoredCases(
        source=source,
        count=len(known) + left_out,
        digests=known,
        by_number=others,
        lines=np.concatenate(lines),
        faults=faults,
    )


def _expected_digests(
    stored: _StoredCases, prototask: Prototask, facts: CaseFacts | None, chosen: ChosenCases
) -> np.ndarray:
    """Return what the digests of `Prototask.data` are to be: its own where the dataset does not tell."""
    numbers = compared_attributes(prototask)
    is_told = facts is not None and chosen.is_known and not facts.left_out and numbers in facts.digests
    if facts is None or not is_told or not len(stored.digests) == stored.count == chosen.count:
        return stored.digests
    digests: np.ndarray = facts.digests[numbers][chosen.positions]
    return digests


def _check_stored(stored: _StoredCases, expected: np.ndarray, chosen: ChosenCases, report: Report) -> None:
    """Check that `Prototask.data` holds the cases that the prototask takes from the dataset, in its order,
    and their values in the order of its attributes. Nothing is concluded from ranges: only the dataset's
    cases (expected: their digests) tell one order of columns from another."""
    other = np.flatnonzero(expected != stored.digests)
    if np.count_nonzero(expected != stored.by_number) < len(other):
        columns = "columns as Prototask.spec lists them, inputs, then targets"
        report(ParseError(stored.source, None, columns, "columns by attribute number", REMEDY))
        return
    for fault in stored.faults:
        report(fault)
    if chosen.count != stored.count:
        cases = f"{chosen.count} cases, as many as the prototask uses"
        report(ParseError(stored.source, None, cases, f"{stored.count}", REMEDY))
    if len(other):
        values = f"the values of case {chosen.positions[other[0]] + 1} of Dataset.data, inputs, then targets"
        found = "others, by attribute number too"
        found += f" ({len(other)} cases differ)" if len(other) > 1 else ""
        report(ParseError(stored.source, int(stored.lines[other[0]]), values, found, REMEDY))


@dataclass(frozen=True)
class CheckedPrototask:
    """What a prototask's directory holds. prototask: None where its specification is of no use; case_count:
    of the cases in use, None where the data do not say; priors: those without a fault, by name; chosen: the
    cases in use."""

    prototask: Prototask | None = None
    case_count: int | None = None
    priors: dict[str, Prior] = field(default_factory=dict)
    chosen: ChosenCases = field(default_factory=ChosenCases)

    @property
    def positions(self) -> np.ndarray | None:
        """The positions of the cases in the dataset (from 0), in the prototask's order, None where they are
        not known."""
        return self.chosen.positions if self.chosen.is_known else None


def check_prototask(
    files: Mapping[str, str],
    name: str,
    dataset: Dataset,
    facts: CaseFacts | None,
    place: str,
    *,
    report: Report,
    priors: bool = True,
) -> CheckedPrototask:
    """Read and check a prototask; each fault goes to report. files: of the prototask's directory, true path
    by plain name; facts: of the dataset's cases, None where they cannot be read; place: the directory;
    priors: whether its prior files are checked too."""
    text = file_text(files, SPECIFICATION, place, report=report)
    source = files.get(SPECIFICATION, "")
    prototask = None if text is None else parse_prototask(text, name, dataset, source, report=report)
    if text is None or prototask is None:
        return CheckedPrototask()
    lines = key_lines(text)
    _check_order(prototask, dataset, source, lines, report)
    chosen = choose_cases(files, prototask, dataset, facts, lines, report=report)
    if facts is not None and chosen.is_known:
        _check_sizes(
            prototask=prototask,
            dataset=dataset,
            facts=facts,
            chosen=chosen,
            source=source,
            lines=lines,
            report=report,
        )
        cases = _cases(prototask, dataset, facts, chosen)
        _check_instance_files(files, cases, report, planned=not facts.left_out)
    found = {}
    for prior_name in priors_among(files) if priors else ():
        path = files[prior_name + PRIOR_SUFFIX]
        if prior := check_prior(path, prior_name, dataset, prototask, report=report):
            found[prior_name] = prior
    if priors and not priors_among(files):
        report(spec_fault(source, None, "a .prior file beside it", "none", "add std.prior"))
    return CheckedPrototask(prototask, chosen.count, found, chosen)


def _check_order(
    prototask: Prototask, dataset: Dataset, source: str, lines: Mapping[str, int], report: Report
) -> None:
    """Cases in an informative order are reordered unless the prototask is sequential: section 4.4."""
    if dataset.order == "informative" and prototask.order.lower() == "retain":
        expected = "an order file or 'sequential', since the order of the dataset is informative"
        report(spec_fault(source, lines["order"], expected, "'retain'", "make an order with dgenorder"))
    sizes = prototask.training_set_sizes
    for size in sorted({size for size in sizes if sizes.count(size) > 1}):
        line = lines["training-set-sizes"]
        report(spec_fault(source, line, "each training set size once", f"{size} twice"))


def _check_sizes(
    prototask: Prototask,
    dataset: Dataset,
    facts: CaseFacts,
    chosen: ChosenCases,
    source: str,
    lines: Mapping[str, int],
    report: Report,
) -> None:
    """Check that each standard training set size gives at least one instance, gaps, groups and strata allowed
    for. Source: sections 4.2, 6.2 and 6.3."""
    if prototask.is_sequential and facts.groups is not None:
        expected = "no commonality indexes, since the prototask is sequential"
        found = "some in Dataset.data"
        report(spec_fault(source, lines["order"], expected, found, "use a random order"))
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
        least = prototask.test_set_size + (prototask.maximum_dependency_range or 0)

        def make_plain(size: int) -> object:  # of no more cases than they need
            count = min(chosen.count or 0, least + prototask.maximum_instances * size)
            return standard_instances(plain, count, size)

        return make_plain
    cases = _cases(prototask, dataset, facts, chosen)
    groups, strata = cases.groups, cases.strata
    return lambda size: standard_instances(prototask, cases.count, size, groups=groups, strata=strata)


def _cases(prototask: Prototask, dataset: Dataset, facts: CaseFacts, chosen: ChosenCases) -> PrototaskCases:
    """Return the cases in use as far as instances depend on them and they are known: groups and targets."""
    positions, columns = chosen.positions, {}
    commonality: Sequence[int | None] = ()
    if facts.groups is not None and not facts.left_out:
        commonality = [None if group == NO_GROUP else group for group in facts.groups[positions].tolist()]
    if not facts.left_out:
        wanted = facts.columns.keys() & set(prototask.targets)
        columns = {number: column_at(facts.columns[number], positions) for number in wanted}
    return PrototaskCases(dataset, prototask, columns, positions + 1, commonality)


def _check_instance_files(
    files: Mapping[str, str], cases: PrototaskCases, report: Report, *, planned: bool
) -> None:
    """Check the files `TASK.instances` of a prototask's directory: syntax, membership, order, distance, and
    whether the sets are those that their scheme promises. planned: are the cases known exactly, as it takes
    to make the sets anew?"""
    for name in sorted(files):
        if not name.endswith(INSTANCE_SUFFIX):
            continue
        path, task = files[name], parse_task_name(name.removesuffix(INSTANCE_SUFFIX))
        if task is None or f"{task[0]}.prior" not in files:
            expected = "a name such as std.100.instances, of a prior and a training set size"
            report(spec_fault(path, None, expected, repr(name), "rename it"))
        faults = Faults()
        try:
            listing = parse_listing(read_text(path), path, report=faults.append)
            if not faults:
                found = listed_instances(listing.instances, cases, path)
                if listing.plan and planned:
                    _check_plan(found, listing.plan, cases, path, listing.lines["scheme"])
        except DelveError as error:
            faults.append(located(error, path, None, kind="specification"))
        for fault in faults:
            report(fault)


def _check_plan(
    instances: Sequence[Instance], plan: Plan, cases: PrototaskCases, path: str, line: int
) -> None:
    """Raise ParseError where the sets of a file are not those of the scheme that it names."""
    try:
        made = planned_instances(cases, plan)
    except DelveError as error:
        raise located(error, path, line, kind="specification") from None
    remedy = "remove the line, or make the file again with delve instances"
    if len(made) != len(instances):
        expected, found = f"{len(made)} instances of {plan.words}", f"{len(instances)}"
        raise spec_fault(path, line, expected, found, remedy)
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
        for expected, found in _line_faults(line, dataset):
            where = lines.get(line.attribute)
            faults.append(spec_fault(path, where, expected, found, "correct the line"))
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
            expected, found = error.args
            yield expected, found
    passive = line.option("passive")
    if line.type == "ordinal" and passive is not None:
        order = category_order(dataset.attribute(line.attribute), line.option("order"))
        if order and passive != order[0]:
            yield f"passive only for the first value of an ordinal attribute, {order[0]}", repr(passive)
