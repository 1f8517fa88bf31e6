"""Everything that is wrong with a dataset, one of its prototasks or one of its priors: what `dcheck` prints.
Source: DELVE manual, section 3.4 and appendix C (`dcheck`)."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from delvecore.checks.case_choice import STORED, compared_attributes
from delvecore.checks.dataset_rules import (
    SPECIFICATION,
    CaseFacts,
    Wanted,
    check_case_facts,
    check_dataset,
    collect_facts,
    no_file,
)
from delvecore.checks.prototask_rules import SPECIFICATION as PROTOTASK
from delvecore.checks.prototask_rules import check_prior, check_prototask
from delvecore.checks.shared_rules import check_contributors, check_published
from delvecore.encoding.case_file import case_file
from delvecore.errors import Fault, Faults, ParseError, Problem, Report, attempt
from delvecore.model import Dataset, Prototask
from delvecore.readers.array import SPECIFICATION as ARRAY
from delvecore.readers.array import no_member, read_array
from delvecore.readers.cases import Cases, read_case_blocks
from delvecore.readers.dataset import DATA, GENERATOR, has_data, read_generator
from delvecore.readers.files import read_pieces, read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.instances import INSTANCE_SUFFIX
from delvecore.readers.prototask import parse_prototask
from delvecore.readers.specifications import PRIOR_SUFFIX, prototask_names

__all__ = ["check_place", "dataset_problems", "read_facts", "wanted_facts"]


def dataset_problems(hierarchy: Hierarchy, *names: str, local: bool = False) -> list[Problem]:
    """Return what is wrong at a place of the data, given by names as in `check_place`."""
    found = Faults()
    check_place(hierarchy, names, report=found.append, local=local)
    return [fault.problem for fault in found]


def check_place(
    hierarchy: Hierarchy,
    names: tuple[str, ...],
    *,
    report: Report,
    local: bool = False,
    contributors: bool = False,
) -> None:
    """Check a dataset, a prototask or a prior file; report receives a ParseError for each fault. names: of
    the dataset, the prototask and the file (`std.prior`), as far as they are given; local: check a dataset
    without its prototasks, a prototask without its priors; contributors: must those of a dataset be named?
    Raises DelveError for a place that is none of these."""
    hierarchy = hierarchy.reporting(report)
    place = _place(hierarchy, names)
    files = _files(hierarchy, names[:1])
    if ARRAY in files and SPECIFICATION not in files and len(names) == 1:
        _check_array(hierarchy, names[0], report)
        return
    dataset = check_dataset(files, names[0], hierarchy.directory("data", names[0]), report=report)
    if dataset is None:
        return
    if len(names) == 3:
        _check_prior(hierarchy, dataset, names, report)
        return
    below = names[1:] if len(names) == 2 else prototask_names(hierarchy, names[0])
    inside = {prototask: _files(hierarchy, (names[0], prototask)) for prototask in below}
    told = report if len(names) == 1 else None
    facts = read_facts(files, dataset, wanted_facts(dataset, inside), place, report=told)
    for prototask in () if local and len(names) == 1 else below:
        folder = hierarchy.directory("data", names[0], prototask)
        priors = len(names) == 1 or not local
        check_prototask(inside[prototask], prototask, dataset, facts, folder, report=report, priors=priors)
    if len(names) == 1:
        check_published(hierarchy, "data", dataset.name, report=report)
        check_contributors(hierarchy, "data", dataset.name, report=report, needed=contributors)


def _check_array(hierarchy: Hierarchy, name: str, report: Report) -> None:
    """A member without a dataset is a hole; one of a dataset that is there must be one of its prototasks."""
    array = read_array(hierarchy, name, report=report)
    for member in array.members if array else ():
        has_dataset = hierarchy.find("data", member.dataset, SPECIFICATION)
        prior = member.prior + PRIOR_SUFFIX
        if has_dataset and not hierarchy.find("data", member.dataset, member.prototask, prior):
            report(no_member(hierarchy.find("data", name, ARRAY) or name, member))


def _place(hierarchy: Hierarchy, names: tuple[str, ...]) -> str:
    """Return the true path of a place; DelveError where it is none that can be checked."""
    path = "/" + "/".join(names)
    what = "a dataset, a prototask or a .prior file"
    if not names or len(names) > 3 or (len(names) == 3 and not names[2].endswith(PRIOR_SUFFIX)):
        raise Fault(path, what, "neither", "give the path of one")
    if len(names) == 3:
        found = hierarchy.find("data", *names)
    else:
        found = next(iter(hierarchy.directories("data", *names)), None)
    if found is None:
        raise Fault(path, what, "nothing", "check the path")
    return found


def _files(hierarchy: Hierarchy, names: tuple[str, ...]) -> dict[str, str]:
    """Return the files of a directory, true path by plain name; those that lie there twice are reported, and
    neither copy is used."""
    doubled: list[ParseError] = []
    files = hierarchy.reporting(doubled.append).files("data", *names)
    for error in doubled:
        hierarchy.report(error)
    sources = {error.source for error in doubled}
    return {name: path for name, path in files.items() if path not in sources}


def read_facts(
    files: Mapping[str, str],
    dataset: Dataset,
    wanted: Wanted,
    place: str,
    *,
    report: Report | None,
    keep: Callable[[Cases], object] = lambda block: None,
) -> CaseFacts | None:
    """Read and check `Dataset.data` block by block; return what the rules need of it, None where it is of no
    use. files: of the dataset's directory; wanted: what else to gather; place: the directory; report:
    receives the faults of the file, None leaves them out, when something else is being checked; keep:
    receives each block of cases."""
    tell = report or _ignore
    if not has_data(files) and wanted.cases:
        tell(no_file(place, DATA))
    if not has_data(files) or not dataset.attributes:
        return None
    try:
        if (path := case_file(files)) is None:
            return None
        blocks = read_case_blocks(read_pieces(path), dataset, path, report=tell, check=report is not None)
        facts = collect_facts(_kept(blocks, keep), wanted)
    except ParseError as error:
        tell(error)
        return None
    check_case_facts(dataset, facts, path, report=tell)
    if DATA in files and GENERATOR in files:
        _check_generated(files, tell)
    return facts


def _check_generated(files: Mapping[str, str], report: Report) -> None:
    """Where cases are both kept and generated they must be the same."""
    found = hashlib.sha256()
    try:
        expected = read_generator(files).checksum
        for piece in read_pieces(files[DATA]):
            found.update(piece)
    except ParseError as error:
        report(error)
        return
    if found.hexdigest() != expected:
        said = f"the cases that {GENERATOR} makes (checksum {expected[:12]}...)"
        remedy = "remove one of the two files"
        report(ParseError(files[DATA], None, said, f"{found.hexdigest()[:12]}...", remedy))


def _kept(blocks: Iterable[Cases], keep: Callable[[Cases], object]) -> Iterator[Cases]:
    for block in blocks:
        keep(block)
        yield block


def _ignore(error: ParseError) -> None:
    """Leave a fault out: it belongs to a file that is not being checked."""


def wanted_facts(dataset: Dataset, prototasks: Mapping[str, Mapping[str, str]]) -> Wanted:
    """Return what the rules of prototasks ask of a dataset's cases. prototasks: files of each, by name."""
    columns: set[int] = set()
    digests: set[frozenset[int]] = set()
    for name, files in prototasks.items():
        prototask = _parsed(files[PROTOTASK], name, dataset, _ignore) if PROTOTASK in files else None
        listed = any(file.endswith(INSTANCE_SUFFIX) for file in files)
        if prototask is not None and (prototask.stratified or listed):
            columns.update(prototask.targets)
        if prototask is not None and STORED in files:
            digests.add(compared_attributes(prototask))
    is_stored = bool(prototasks) and all(STORED in files for files in prototasks.values())
    return Wanted(frozenset(columns), frozenset(digests), cases=not is_stored)


def _check_prior(hierarchy: Hierarchy, dataset: Dataset, names: tuple[str, ...], report: Report) -> None:
    """Check one prior; its prototask's faults are told too, since it is checked against that."""
    *_, prototask_name, file = names
    path = hierarchy.find("data", dataset.name, prototask_name, PROTOTASK)
    if path is None:
        report(no_file(hierarchy.directory("data", *names[:2]), PROTOTASK))
        return
    prototask = _parsed(path, prototask_name, dataset, report)
    prior = hierarchy.find("data", *names)
    if prototask is not None and prior is not None:
        check_prior(prior, file.removesuffix(PRIOR_SUFFIX), dataset, prototask, report=report)


def _parsed(path: str, name: str, dataset: Dataset, report: Report) -> Prototask | None:
    text = attempt(report, read_text, path)
    return None if text is None else parse_prototask(text, name, dataset, path, report=report)
