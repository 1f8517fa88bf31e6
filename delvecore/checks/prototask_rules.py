"""Rules for a prototask's directory: its specification, priors, case, order and instance files, and sizes.

`readers.prototask` and `readers.prior` report what cannot be read or does not fit the dataset's
specification; here is what takes the data or other files to see, and what can be read but must not be.
Instances are made as for a method's run (`encoding.instances`), so what passes here can be run. Source:
DELVE manual, sections 4.1 to 4.4, 6.2 and 6.3."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from delvecore.checks.case_choice import SPECIFICATION, ChosenCases, choose_cases
from delvecore.checks.dataset_rules import NO_GROUP, CaseFacts, file_text
from delvecore.encoding.codings import check_coding, default_coding
from delvecore.encoding.instances import Instance, standard_instances
from delvecore.encoding.plans import planned_instances
from delvecore.encoding.prototask_cases import PrototaskCases, column_at
from delvecore.encoding.task_instances import listed_instances
from delvecore.errors import DelveError, Fault, Faults, Report, attempt, located, spec_fault
from delvecore.model import Dataset, Prior, PriorLine, Prototask
from delvecore.plan import Plan
from delvecore.readers.files import read_text
from delvecore.readers.instances import INSTANCE_SUFFIX, parse_listing
from delvecore.readers.prior import category_order, lines_by_attribute, parse_prior
from delvecore.readers.prototask import key_lines, parse_prototask
from delvecore.readers.specifications import PRIOR_SUFFIX, parse_task_name, priors_among

__all__ = ["SPECIFICATION", "CheckedPrototask", "check_prior", "check_prototask"]


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
    remedy = "remove the line, or make the file anew with delve instances"
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
