"""Faults of a dataset, of one of its prototasks or of one of its priors, which `dcheck` prints.

Source: DELVE manual, section 3.4 and appendix C (`dcheck`)."""

import hashlib
import os
import re
from collections.abc import Collection, Iterator, Mapping

from delvecore.checks.data_rules import (
    PROTOTASK,
    SPECIFICATION,
    STORED,
    check_cases,
    check_dataset,
    check_prior,
    check_prototask,
    no_file,
)
from delvecore.checks.result_rules import check_contributors, check_published
from delvecore.encoding.prototask_cases import case_file
from delvecore.errors import Fault, Faults, ParseError, Problem, Report, attempt
from delvecore.model import Dataset
from delvecore.readers.array import SPECIFICATION as ARRAY
from delvecore.readers.array import no_member, read_array
from delvecore.readers.cases import Cases, read_case_file
from delvecore.readers.dataset import DATA, GENERATOR, has_data, read_generator
from delvecore.readers.files import read_document, read_pieces, read_text
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.prototask import parse_prototask
from delvecore.readers.source_files import CONTRIBUTOR
from delvecore.readers.specifications import PRIOR_SUFFIX, prototask_names


def dataset_problems(hierarchy: Hierarchy, *names: str, local: bool = False) -> list[Problem]:
    """Return the problems at a place of the data; names as in `check_place`."""
    faults = Faults()
    check_place(hierarchy, names, report=faults.append, local=local)
    return [fault.problem for fault in faults]


def check_place(
    hierarchy: Hierarchy,
    names: tuple[str, ...],
    *,
    report: Report,
    local: bool = False,
    contributors: bool = False,
) -> None:
    """Check a dataset, a prototask or a prior file; `report` receives a ParseError for each fault.

    `names` has one to three names: of the dataset, the prototask and the file (`std.prior`). `local`
    checks a dataset without its prototasks, or a prototask without its priors. `contributors` requires the
    contributors of a dataset. Raises DelveError for any other place.
    """
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
    reporter = report if len(names) == 1 else None
    cases = read_checked_cases(files, dataset, place, inside.values(), report=reporter)
    for prototask in () if local and len(names) == 1 else below:
        folder = hierarchy.directory("data", names[0], prototask)
        priors = len(names) == 1 or not local
        check_prototask(
            inside[prototask],
            prototask,
            dataset,
            cases,
            folder,
            report=report,
            priors=priors,
            may_lack_order=True,
        )
    if len(names) == 1:
        check_published(hierarchy, "data", dataset.name, report=report)
        check_contributors(hierarchy, "data", dataset.name, report=report, needed=contributors)


def _check_array(hierarchy: Hierarchy, name: str, report: Report) -> None:
    """Check the members of an array: one without a dataset is a hole; others need a prototask and prior."""
    array = read_array(hierarchy, name, report=report)
    for member in array.members if array else ():
        has_dataset = hierarchy.find("data", member.dataset, SPECIFICATION)
        prior = member.prior + PRIOR_SUFFIX
        if has_dataset and not hierarchy.find("data", member.dataset, member.prototask, prior):
            report(no_member(hierarchy.find("data", name, ARRAY) or name, member))


def _place(hierarchy: Hierarchy, names: tuple[str, ...]) -> str:
    """Return the true path of a place; DelveError if it cannot be checked."""
    path = "/" + "/".join(names)
    what = "a dataset, a prototask or a .prior file"
    if not names or len(names) > 3 or (len(names) == 3 and not names[2].endswith(PRIOR_SUFFIX)):
        raise Fault(path, what, "another path", "give the path of one")
    if len(names) == 3:
        directory = hierarchy.find("data", *names)
    else:
        directory = next(iter(hierarchy.directories("data", *names)), None)
    if directory is None:
        raise Fault(path, what, "nothing", "check the path")
    return directory


def _files(hierarchy: Hierarchy, names: tuple[str, ...]) -> dict[str, str]:
    """Return the true paths of a directory's files by plain name; report and omit files with two copies."""
    doubled: list[ParseError] = []
    files = hierarchy.reporting(doubled.append).files("data", *names)
    for error in doubled:
        hierarchy.report(error)
    sources = {error.source for error in doubled}
    return {name: path for name, path in files.items() if path not in sources}


def read_checked_cases(
    files: Mapping[str, str],
    dataset: Dataset,
    place: str,
    prototasks: Collection[Mapping[str, str]],
    *,
    report: Report | None,
) -> Cases | None:
    """Read and check `Dataset.data`; return its cases, or None if they are unusable.

    files: those in the dataset's directory, `place`; prototasks: the files of each by plain name. No cases
    are needed if all prototasks store their cases. report: receives the faults of the file; None ignores
    them."""
    tell = report or (lambda error: None)
    is_needed = not prototasks or not all(STORED in one for one in prototasks)
    if not has_data(files) and is_needed:
        tell(no_file(place, DATA))
    if not has_data(files) or not dataset.attributes:
        return None
    try:
        if (path := case_file(files)) is None:
            return None
        cases = read_case_file(path, dataset, report=tell, check=report is not None)
    except ParseError as error:
        tell(error)
        return None
    check_cases(dataset, cases, path, report=tell)
    if DATA in files and GENERATOR in files:
        _check_generated(files, tell)
    return cases


def _check_generated(files: Mapping[str, str], report: Report) -> None:
    """Compare kept cases with generated ones."""
    digest = hashlib.sha256()
    try:
        expected = read_generator(files).checksum
        for piece in read_pieces(files[DATA]):
            digest.update(piece)
    except ParseError as error:
        report(error)
        return
    if digest.hexdigest() != expected:
        expected_cases = f"the cases that {GENERATOR} makes (checksum {expected[:12]}...)"
        remedy = "remove one of the two files"
        report(ParseError(files[DATA], None, expected_cases, f"{digest.hexdigest()[:12]}...", remedy))


def _check_prior(hierarchy: Hierarchy, dataset: Dataset, names: tuple[str, ...], report: Report) -> None:
    """Check one prior. Faults of its prototask are reported, too, because the prior depends on it."""
    *_, prototask_name, file = names
    path = hierarchy.find("data", dataset.name, prototask_name, PROTOTASK)
    if path is None:
        report(no_file(hierarchy.directory("data", *names[:2]), PROTOTASK))
        return
    text = attempt(report, read_text, path)
    prototask = None if text is None else parse_prototask(text, prototask_name, dataset, path, report=report)
    prior = hierarchy.find("data", *names)
    if prototask is not None and prior is not None:
        check_prior(prior, file.removesuffix(PRIOR_SUFFIX), dataset, prototask, report=report)


DEPTH = 4
"""Depth to which the folders of `Source` are searched, as in the archive."""
FEWEST_WORDS = 40
"""Minimum number of words of a description from which others could implement the method."""
PROGRAM = re.compile(
    r"(?i)(.*\.(c|cc|cpp|cxx|h|hpp|f|f77|f90|for|py|pyx|r|m|java|jl|lisp|lsp|pl|tcl|sh|go|rs|scm|o|a|so|tar|tgz"
    r"|png|jpg|gif|ps|pdf|json|toml|yaml|yml|cfg|ini|lock)|makefile.*)"
)
"""Names of programs and pictures, which do not replace a description."""
TOPICS = (
    ("how attributes are encoded", r"encod|\bcod(e|ed|es|ing|ings)\b"),
    ("the parameters and how they are set", r"parameter|setting|\bset to\b|constant"),
    ("the criterion for convergence of an optimization", r"converg|stopp|\bstops?\b|terminat|directly"),
    ("rough estimates of the computational cost", r"\bcosts?\b|second|minute|\bhours?\b|\bcpu\b|operations"),
    (
        "which datasets the method was tuned on, if any",
        r"\btun(e|ed|es|ing)\b|assessment data|development data",
    ),
)
"""Required topics of a description (section 7.1 and appendix B), and words that indicate them."""


def check_documentation(hierarchy: Hierarchy, method: str, *, report: Report) -> None:
    """Check that a method has a summary, and a description of all TOPICS."""
    place = attempt(report, hierarchy.directory, "methods", method)
    if place is None:
        return
    path = hierarchy.find("methods", method, "Summary")
    summary = attempt(report, read_document, path) if path else ""
    if summary is not None and not summary.strip():
        actual = "an empty one" if path else "none"
        report(_fault(path or place, "a file Summary, a brief description of the method", actual, "write it"))
    texts = described(hierarchy, method, report=report)
    words = sum(len(text.split()) for text in texts.values())
    if words < FEWEST_WORDS:
        expected = f"a description of the method in {SOURCE_DIRECTORY}, a text file next to any programs"
        actual = "none" if not words else f"one of {words} words"
        remedy = "describe it so that others can implement it"
        report(_fault(place, expected, actual, remedy))
        return
    text = "\n".join(texts.values())
    for topic, pattern in TOPICS:
        if not re.search(pattern, text, re.IGNORECASE):
            source = next(iter(texts)) if len(texts) == 1 else f"{place}/{SOURCE_DIRECTORY}"
            remedy = "add it, or state that it does not apply"
            report(_fault(source, f"a description that mentions {topic}", "no mention of it", remedy))


def described(hierarchy: Hierarchy, method: str, *, report: Report = lambda error: None) -> dict[str, str]:
    """Return the texts in a method's `Source`, except programs, by path."""
    texts: dict[str, str] = {}
    for name, path in _sources(hierarchy, (method, SOURCE_DIRECTORY)):
        if PROGRAM.fullmatch(os.path.basename(name)) or name == CONTRIBUTOR:
            continue
        text = attempt(report, read_document, path)
        if text is not None and "\0" not in text:
            texts[path] = text
    return texts


def _fault(source: str, expected: str, actual: str, remedy: str) -> ParseError:
    return ParseError(source, None, expected, actual, remedy, kind="documentation")


def _sources(hierarchy: Hierarchy, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield (plain name, path) of the files of a directory and of the folders in it."""
    yield from hierarchy.files("methods", *names).items()
    if len(names) <= DEPTH:
        for folder in hierarchy.subdirectories("methods", *names):
            yield from _sources(hierarchy, (*names, folder))
