"""Rules for the files of a method's tasks: codings, data files, predictions and losses.

Data files must equal the output of `mgendata`, and losses that of `mloss` for the predictions. `mloss` stops
at the first fault of a file; these rules check every line. Source: DELVE manual, sections 7.3 to 7.5
and appendix C (`mgendata`, `mloss`)."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import inf, isclose
from operator import attrgetter

import numpy as np

from delvecore.encoding.codings import check_coding, code_of, column_names
from delvecore.encoding.encode import TaskPlan
from delvecore.errors import DelveError, ParseError, Report, attempt, located, result_fault
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.compute import possible_losses, useless_files
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import (
    LOG_OF_ZERO,
    OUTPUTS,
    ResultFile,
    choose_predictions,
    parse_prediction_name,
)
from delvecore.losses.published import PublishedResult, read_published_of
from delvecore.losses.spec import NO_GUESS, has_distribution, parse_loss
from delvecore.losses.standard_losses import LOSSES, TEST_SET_STATS_LOSSES
from delvecore.model import DISCRETE_TYPES, Coding, Dataset, Prior, Prototask
from delvecore.number_format.numbers import is_number, round_number
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.lines import token_lines
from delvecore.readers.prior import lines_by_attribute, parse_codings
from delvecore.readers.results import parse_losses, parse_test_set_stats
from delvecore.readers.source_files import CONTRIBUTOR, contributor_file, read_contributors
from delvecore.readers.specifications import dataset_names, read_task
from delvecore.writers.task_files import task_data_files


def check_contributors(
    hierarchy: Hierarchy, part: str, name: str, *, report: Report, needed: bool = False
) -> None:
    """Check the contributors of a dataset or method. needed: whether one must be named."""
    place = attempt(report, hierarchy.directory, part, name)
    if place is None:
        return
    if contributor_file(hierarchy, part, name):
        attempt(report, lambda: read_contributors(hierarchy, part, name, report=report))
    elif needed:
        expected = f"a file {SOURCE_DIRECTORY}/{CONTRIBUTOR}, with name, address and date of the contributor"
        report(ParseError(place, None, expected, "none", "write it", kind="documentation"))


def check_published(hierarchy: Hierarchy, part: str, name: str, *, report: Report) -> None:
    """Check the published results of a dataset or method, on existing datasets."""
    hierarchy = hierarchy.reporting(lambda error: None)  # Other checks report faults of other files.
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
"""Maximum relative difference of two numbers with nine digits."""
REMEDY = "run mgendata again"

Values = Sequence[float | None]


def allowed_codings(
    text: str,
    source: str,
    dataset: Dataset,
    prototask: Prototask,
    prior: Prior,
    *,
    report: Report,
    strict: bool = False,
) -> dict[int, Coding]:
    """Return the codings of `Coding-used` that suit inputs and targets, by number; report the others.

    strict: see `delvecore.encoding.codings.check_coding`."""
    codings, lines = parse_codings(text, dataset, source, report=report), lines_by_attribute(text, dataset)
    good = {}
    for number in prototask.used:
        if number not in codings:
            continue
        attribute, function = dataset.attribute(number), prototask.transformation(number)
        try:
            check_coding(codings[number], attribute, prior.line(number), function, strict=strict)
        except ValueError as error:
            report(result_fault(source, lines.get(number), *error.args))
            continue
        good[number] = codings[number]
    return good


def check_coding_lines(
    text: str, source: str, dataset: Dataset, prototask: Prototask, *, report: Report
) -> None:
    """Report inputs and targets without a line in `Coding-used`, and other attributes."""
    lines, used = lines_by_attribute(text, dataset), prototask.used
    for number in used:
        if number not in lines:
            expected = f"the coding of {dataset.attribute(number).name}"
            report(result_fault(source, None, expected, "none", REMEDY))
    for number in sorted(set(lines) - set(used)):
        expected = "codings of the inputs and targets of the prototask only"
        report(result_fault(source, lines[number], expected, dataset.attribute(number).name, REMEDY))


def check_statistics(files: Mapping[str, str], plan: TaskPlan, place: str, *, report: Report) -> None:
    """Check that `Test-set-stats` exists and is correct. place: the task's directory."""
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
    """Are these the same values? A single `undefined` may replace the values of all targets."""
    if not any(value is not None for value in (*kept, *right)):
        return True
    return len(kept) == len(right) and all(map(same_constant, kept, right))


def same_constant(value: float | None, other: float | None) -> bool:
    """Are these the same numbers of `Test-set-stats`, apart from rounding to nine digits?"""
    if value is None or other is None:
        return value is other
    return isclose(value, other, rel_tol=TOLERANCE)


def shown_constants(values: Iterable[float | None]) -> str:
    """Return numbers of `Test-set-stats` as the file has them."""
    return " ".join("undefined" if value is None else f"{value:.9g}" for value in values)


def check_data_files(files: Mapping[str, str], plan: TaskPlan, *, report: Report) -> set[int]:
    """Check the existing data files; return the instances with a wrong file."""
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
    """Is a file equal to the text that `mgendata` would write? Report the first difference."""
    made, kept = b"".join(content).decode(), attempt(report, read_text, path)
    if kept is None or kept == made:
        return kept == made
    wanted, lines = (
        [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        for text in (made, kept)
    )
    for (_, right), (number, words) in zip(wanted, lines, strict=False):
        same = list(map(_same_word, right, words))
        if len(right) != len(words) or not all(same):
            shown = " ".join(words) if len(right) != len(words) else words[same.index(False)]
            expected = "the output of mgendata for the data and Coding-used"
            report(result_fault(path, number, expected, repr(shown), REMEDY))
            return False
    if len(wanted) != len(lines):
        report(result_fault(path, None, f"{len(wanted)} lines", f"{len(lines)}", REMEDY))
        return False
    return True


def _same_word(right: str, word: str) -> bool:
    if right == word or not is_number(right) or not is_number(word):
        return right == word
    return isclose(float(right), float(word), rel_tol=TOLERANCE, abs_tol=TOLERANCE)


LIKE_PREDICTIONS = re.compile(r"[cl]{0,2}(guess|prob|ptarg|outputs)\..*")
ROUNDING = 1e-6
"""Maximum excess of a probability over one by rounding."""
LOSS_NAME = re.compile(r"loss\.(.+)\.(0|[1-9][0-9]*)")
MOST_DIGITS = 9
RUN_MLOSS = "run mloss again"


def prediction_files(files: Mapping[str, str], count: int, *, report: Report) -> list[ResultFile]:
    """Return the prediction files with valid names; report the others. count: number of instances."""
    valid_files = []
    for name, path in sorted(files.items()):
        if not LIKE_PREDICTIONS.fullmatch(name):
            continue
        file = parse_prediction_name(name, path)
        if file is None:
            expected = "a name such as cguess.0, prob.3, clptarg.L.7"
            report(result_fault(path, None, expected, repr(name), "rename it"))
        elif file.instance >= count:
            expected = f"an instance from 0 to {count - 1}"
            report(result_fault(path, None, expected, f"{file.instance}", "remove it"))
        else:
            valid_files.append(file)
    return valid_files


def check_prediction_set(
    task: MethodTask, files: list[ResultFile], count: int, place: str, *, report: Report
) -> dict[str, list[ResultFile]]:
    """Check that all instances have predictions; return {loss: its prediction files}."""
    distribution = has_distribution(task.target_types)
    serving: dict[str, list[ResultFile]] = {}
    lacking: dict[tuple[int, ...], list[str]] = {}
    for loss in possible_losses(task, files):
        try:
            chosen = choose_predictions(files, loss, distribution=distribution)
        except DelveError as error:
            report(located(error, place, None, kind="results"))
            continue
        if chosen:
            serving[loss] = chosen
            absent = tuple(sorted(set(range(count)) - {file.instance for file in chosen}))
            lacking.setdefault(absent, []).append(loss)
    for absent, letters in lacking.items():
        if absent:
            expected = f"predictions of all {count} instances for loss {', '.join(letters)}"
            actual = f"none of instance {' '.join(map(str, absent))}"
            report(result_fault(place, None, expected, actual, "run the method on them"))
    return serving


def useful_files(task: MethodTask, files: list[ResultFile], *, report: Report) -> list[ResultFile]:
    """Return the prediction files that a loss or metric of the task uses; report the others."""
    distribution = has_distribution(task.target_types)
    useless = set(useless_files(files, possible_losses(task, files), distribution=distribution))
    if distribution:
        useless = {file for file in useless if file.kind != OUTPUTS}
    for file in (file for file in files if file in useless):
        expected = "predictions that a loss of this task uses"
        report(result_fault(file.path, None, expected, repr(file.name), "remove it"))
    return [file for file in files if file not in useless]


Permits = Callable[[str], bool]
Field = tuple[str, Permits]
"""The expected content of a column of a prediction file, in words, and whether a word is permitted there."""


def _numbers(low: float = -inf, high: float = inf, *, words: Collection[str] = ()) -> Permits:
    """Rule for a column: allow some words, and numbers from low to high."""
    return lambda word: word in words or (is_number(word) and low <= float(word) <= high)


def check_prediction_file(task: MethodTask, file: ResultFile, count: int, *, report: Report) -> bool:
    """Check every line of a prediction file, one per test case; return whether there is no fault."""
    text = attempt(report, read_text, file.path)
    if text is None:
        return False
    faults = list(_line_faults(text, file, _fields(task, file), count))
    for fault in faults:
        report(fault)
    return not faults


def _line_faults(text: str, file: ResultFile, fields: list[Field], count: int) -> Iterator[ParseError]:
    lines = [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    for number, words in lines:
        if len(words) != len(fields):
            plural = "" if len(fields) == 1 else "s"
            yield result_fault(file.path, number, f"{len(fields)} value{plural}", str(len(words)))
            continue
        for word, (expected, permits) in zip(words, fields, strict=True):
            if not permits(word):
                yield result_fault(file.path, number, expected, repr(word))
        if file.kind == "prob" and all(_is_nothing(word, file.logarithms) for word in words):
            yield result_fault(file.path, number, "a probability above zero", "none")
    if len(lines) != count:
        last = lines[-1][0] if lines else None
        expected = f"{count} lines, one for each test case"
        yield result_fault(file.path, last, expected, str(len(lines)), "write it again")


def _is_nothing(word: str, logarithms: bool) -> bool:
    return word.lower() in LOG_OF_ZERO if logarithms else is_number(word) and float(word) == 0


def _fields(task: MethodTask, file: ResultFile) -> list[Field]:
    """Return the rules for the columns of a prediction file."""
    if file.kind == "guess":
        return _guess_fields(task, file)
    if file.kind == OUTPUTS:
        return [("a number", _numbers())] * len(task.targets[0][0].range.categories or ())
    if file.kind == "prob":
        what = "a log probability, at most 0" if file.logarithms else "a probability from 0 to 1"
        width = len(task.targets[0][0].range.categories or ())
        return [(what, _probability(file.logarithms, discrete=True))] * width
    discrete = set(task.target_types) <= set(DISCRETE_TYPES)
    what = "the log of a" if file.logarithms else "a"
    what += " probability" if discrete else " probability or density"
    if discrete:
        what += ", at most 0" if file.logarithms else " from 0 to 1"
    elif not file.logarithms:
        what += ", not negative"
    return [(what, _probability(file.logarithms, discrete=discrete))]


def _probability(logarithms: bool, *, discrete: bool) -> Permits:
    if not logarithms:
        return _numbers(0.0, 1 + ROUNDING if discrete else inf)
    words = ("-inf", "-Inf", "-infinity", "-Infinity", "-INF")
    return _numbers(high=ROUNDING if discrete else inf, words=words)


def _guess_fields(task: MethodTask, file: ResultFile) -> list[Field]:
    loss = parse_loss(file.loss) if file.loss else None
    may_pass = loss is None or loss.penalty is not None or bool(loss.matrix)
    gap = frozenset((NO_GUESS,)) if may_pass else frozenset()
    fields: list[Field] = []
    for attribute, coding in task.targets:
        values = frozenset(attribute.range.categories or ())
        numeric = attribute.range.kind != "categorical"
        if not file.coded or code_of(attribute, coding).keeps_words:
            listed = " ".join(attribute.range.categories or ())
            words = values | gap
            if numeric:
                fields.append((f"a number for {attribute.name}", _numbers(words=words)))
            else:
                fields.append((f"one of {listed}", words.__contains__))
        else:
            permits = _numbers(words=gap)
            fields += [(f"a number for {name}", permits) for name in column_names(attribute, coding)]
    return fields


def loss_files(files: Mapping[str, str], *, report: Report) -> list[ResultFile]:
    """Return the loss files of a task's directory, by loss and instance; report invalid names."""
    loss_paths = []
    for name, path in files.items():
        if not name.startswith("loss."):
            continue
        match = LOSS_NAME.fullmatch(name)
        if match and len(match[2]) <= MOST_DIGITS and parse_loss(match[1]):
            loss_paths.append(ResultFile(int(match[2]), match[1], "loss", path=path))
        else:
            known = f"{' '.join(LOSSES)}, or such as Z0.2N, Mfile"
            expected = f"loss.L.n with a loss ({known}) and an instance's number"
            report(result_fault(path, None, expected, repr(name), "rename it"))
    return sorted(loss_paths, key=attrgetter("loss", "instance"))


def check_losses(file: ResultFile, made: np.ndarray, *, report: Report) -> None:
    """Compare a readable loss file with the losses of the predictions."""
    text = read_text(file.path)
    kept = np.array(parse_losses(text, file.path, loss=file.loss), dtype=np.float64)
    if len(kept) != len(made):
        expected = f"{len(made)} losses, one per test case"
        report(result_fault(file.path, None, expected, f"{len(kept)}", RUN_MLOSS))
        return
    with np.errstate(invalid="ignore"):
        near = np.abs(kept - made) <= TOLERANCE * np.maximum(np.abs(made), 1e-3)
    other = np.flatnonzero(~(near | (kept == made)))
    if len(other):
        first = int(other[0])
        expected = f"the loss of the stored prediction, {made[first]:.9g}"
        actual = f"{kept[first]:.9g}" + (f" ({len(other)} of {len(made)} differ)" if len(other) > 1 else "")
        lines = [number for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        report(result_fault(file.path, lines[first], expected, actual, RUN_MLOSS))
