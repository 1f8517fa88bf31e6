"""Rules for the files that `mgendata` makes: `Coding-used`, and data that are what it would make of them now.

Data files may be removed after use, but `mloss` trusts those that are there. Source: DELVE manual, sections
7.3 to 7.5 and appendix C (`mgendata`)."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose

from delvecore.encoding.codings import check_coding
from delvecore.encoding.encode import TaskPlan
from delvecore.errors import DelveError, ParseError, Report, attempt, located, result_fault
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.published import PublishedResult, read_published_of
from delvecore.losses.standard_losses import TEST_SET_STATS_LOSSES
from delvecore.model import Coding, Dataset, Prior, Prototask
from delvecore.number_format.numbers import is_number, round_number
from delvecore.readers.contributors import CONTRIBUTOR, contributor_file, read_contributors
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.lines import token_lines
from delvecore.readers.prior import lines_by_attribute, parse_codings
from delvecore.readers.results import parse_test_set_stats
from delvecore.readers.specifications import dataset_names, read_task
from delvecore.writers.task_files import task_data_files


def check_contributors(
    hierarchy: Hierarchy, part: str, name: str, *, report: Report, needed: bool = False
) -> None:
    """Check the contributors of a dataset (part `data`) or method (`methods`). needed: must some be named? In
    archives older than the file nobody is."""
    place = attempt(report, hierarchy.directory, part, name)
    if place is None:
        return
    if contributor_file(hierarchy, part, name):
        attempt(report, lambda: read_contributors(hierarchy, part, name, report=report))
    elif needed:
        expected = (
            f"a file {SOURCE_DIRECTORY}/{CONTRIBUTOR}, with name, address and date of who contributed this"
        )
        report(ParseError(place, None, expected, "none", "write it", kind="documentation"))


def check_published(hierarchy: Hierarchy, part: str, name: str, *, report: Report) -> None:
    """Check the published results of a dataset (part `data`) or method (`methods`). Nothing is known of the
    tasks of datasets that are not there."""
    hierarchy = hierarchy.reporting(lambda error: None)  # faults of other files are told elsewhere
    known = dataset_names(hierarchy)
    asked: dict[str, bool] = {}

    def is_task(one: PublishedResult) -> bool:
        if one.path not in asked:
            asked[one.path] = one.dataset not in known or _is_task(hierarchy, one)
        return asked[one.path]

    read_published_of(hierarchy.files(part, name), (part, name), is_task, report=report)


def _is_task(hierarchy: Hierarchy, one: PublishedResult) -> bool:
    try:
        read_task(hierarchy, one.dataset, one.prototask, one.task)
    except DelveError:
        return False
    return True


STATISTICS = "Test-set-stats"
ROOTS = ("train", "validation", "test", "targets", "normalize")
TOLERANCE = 2e-8
REMEDY = "run mgendata again"

Values = Sequence[float | None]


def allowed_codings(
    text: str, source: str, dataset: Dataset, prototask: Prototask, prior: Prior, *, report: Report
) -> dict[int, Coding]:
    """Return {attribute number: Coding} of those inputs and targets to which a `Coding-used` file gives a
    coding that suits them; report the others. text, source: of the file."""
    codings, lines = parse_codings(text, dataset, source, report=report), lines_by_attribute(text, dataset)
    good = {}
    for number in prototask.used:
        if number not in codings:
            continue
        attribute, function = dataset.attribute(number), prototask.transformation(number)
        try:
            check_coding(codings[number], attribute, prior.line(number), function)
        except ValueError as error:
            report(result_fault(source, lines.get(number), *error.args))
            continue
        good[number] = codings[number]
    return good


def check_codings(
    text: str, source: str, dataset: Dataset, prototask: Prototask, prior: Prior, *, report: Report
) -> dict[int, Coding]:
    """Check a `Coding-used` file as a whole: each input and target has its line, and no other attribute.
    Returns what `allowed_codings` does."""
    lines, used = lines_by_attribute(text, dataset), prototask.used
    for number in used:
        if number not in lines:
            report(
                result_fault(source, None, f"the coding of {dataset.attribute(number).name}", "none", REMEDY)
            )
    for number in sorted(set(lines) - set(used)):
        expected = "codings of the inputs and targets of the prototask only"
        report(result_fault(source, lines[number], expected, dataset.attribute(number).name, REMEDY))
    return allowed_codings(text, source, dataset, prototask, prior, report=report)


def check_statistics(files: Mapping[str, str], plan: TaskPlan, place: str, *, report: Report) -> None:
    """Check that `Test-set-stats` is there and right. place: the task's directory."""
    path = files.get(STATISTICS)
    if path is None:
        report(result_fault(place, None, f"a file {STATISTICS}", "none", "make it with mgendata"))
        return
    text = attempt(report, read_text, path)
    if text is None:
        return
    kept = parse_test_set_stats(text, path, report=report)
    lines = {tokens[0]: number for number, tokens in token_lines(text)}
    statistics = test_set_statistics(plan.cases, plan.prior, plan.instances)
    for loss in TEST_SET_STATS_LOSSES:
        right = tuple(None if value is None else round_number(value) for value in statistics[loss])
        if loss not in lines:
            report(result_fault(path, None, f"a line for loss {loss}", "none", REMEDY))
        elif loss in kept and not _same_constants(kept[loss], right):
            expected = f"{loss} {shown_constants(right)}, computed from the test targets"
            report(result_fault(path, lines[loss], expected, shown_constants(kept[loss]), REMEDY))


def _same_constants(kept: Values, right: Values) -> bool:
    """Are these the same values? One `undefined` may stand for all targets."""
    if not any(value is not None for value in (*kept, *right)):
        return True
    return len(kept) == len(right) and all(map(same_constant, kept, right))


def same_constant(value: float | None, other: float | None) -> bool:
    """Are these the same numbers of `Test-set-stats`, but for rounding to nine digits?"""
    if value is None or other is None:
        return value is other
    return isclose(value, other, rel_tol=TOLERANCE)


def shown_constants(values: Iterable[float | None]) -> str:
    """Return numbers of `Test-set-stats` as the file has them."""
    return " ".join("undefined" if value is None else f"{value:.9g}" for value in values)


def check_data_files(files: Mapping[str, str], plan: TaskPlan, *, report: Report) -> set[int]:
    """Check the `train`, `test`, `targets` and `normalize` files that are there; return the instances of
    which some are wrong, so that losses cannot be judged. files: of the task's directory, true path by plain
    name."""
    parts = {name: name.rpartition(".") for name in files}
    present = {name for name, (root, _, number) in parts.items() if root in ROOTS and number.isdecimal()}
    faulty: set[int] = set()
    if not present:
        return faulty
    try:
        for name, content in task_data_files(plan, dict.fromkeys(TEST_SET_STATS_LOSSES, (None,))):
            if name in present:
                present.remove(name)
                if not _check_file(files[name], content, report):
                    faulty.add(int(parts[name][2]))
    except DelveError as error:
        path = files[min(present)] if present else plan.task.path
        report(located(error, path, None, kind="results"))
        return set(range(len(plan.instances)))
    for name in sorted(present):
        expected = f"a file that mgendata makes for {plan.task.path}"
        report(result_fault(files[name], None, expected, repr(name), "remove it"))
    return faulty


def _check_file(path: str, content: Iterable[bytes], report: Report) -> bool:
    """Report the first line of a file that is not as it would be made now; return whether all are alike."""
    made, kept = b"".join(content).decode(), attempt(report, read_text, path)
    if kept is None or kept == made:
        return kept == made
    wanted, found = (
        [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        for text in (made, kept)
    )
    for (_, right), (number, words) in zip(wanted, found, strict=False):
        same = list(map(_same_word, right, words))
        if len(right) != len(words) or not all(same):
            shown = " ".join(words) if len(right) != len(words) else words[same.index(False)]
            expected = "what mgendata makes of the data and Coding-used"
            report(result_fault(path, number, expected, repr(shown), REMEDY))
            return False
    if len(wanted) != len(found):
        report(result_fault(path, None, f"{len(wanted)} lines", f"{len(found)}", REMEDY))
        return False
    return True


def _same_word(right: str, word: str) -> bool:
    if right == word or not is_number(right) or not is_number(word):
        return right == word
    return isclose(float(right), float(word), rel_tol=TOLERANCE, abs_tol=TOLERANCE)
