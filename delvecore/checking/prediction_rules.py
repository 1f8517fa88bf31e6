"""Rules for prediction files: names, instances, lengths, and that each number can be what it claims to be.

`mloss` stops at the first fault of a file; here every line is looked at. Source: manual, section 7.5 and
appendix C (`mloss`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from delvecore.encoding.codings import column_names
from delvecore.errors import DelveError, ParseError, Report, located
from delvecore.losses.applicability import allowed_losses, has_distribution, is_allowed, prediction_kinds
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import PredictionFile, choose_predictions, parse_prediction_name
from delvecore.losses.spec import NO_GUESS, parse_loss
from delvecore.losses.word_tables import LOG_OF_ZERO
from delvecore.model import CATEGORICAL_TYPES
from delvecore.numerals.numbers import is_number
from delvecore.readers.files import read_text

__all__ = ["check_prediction_file", "check_prediction_set", "prediction_files", "useful_files"]

LIKE_PREDICTIONS = re.compile(r"[cl]{0,2}(guess|prob|ptarg)\..*")
ROUNDING = 1e-6
"""How far above one a probability may lie by rounding."""


def prediction_files(files: Mapping[str, str], count: int, *, report: Report) -> list[PredictionFile]:
    """Return the prediction files of a task's directory whose names can be right; report the others.

    files: true path by plain name; count: of the task's instances.
    """
    found = []
    for name, path in sorted(files.items()):
        if not LIKE_PREDICTIONS.fullmatch(name):
            continue
        file = parse_prediction_name(name, path)
        if file is None:
            expected = "a name such as cguess.0, prob.3, clptarg.L.7"
            report(ParseError(path, None, expected, repr(name), "rename it", kind="results"))
        elif file.instance >= count:
            expected = f"an instance from 0 to {count - 1}"
            report(ParseError(path, None, expected, f"{file.instance}", "remove it", kind="results"))
        else:
            found.append(file)
    return found


def check_prediction_set(
    task: MethodTask, files: list[PredictionFile], count: int, place: str, *, report: Report
) -> dict[str, list[PredictionFile]]:
    """Check that predictions are there for all instances; return {loss: the files that serve it}.

    count: of the task's instances; place: the task's directory.
    """
    distribution = has_distribution(task.target_types)
    serving: dict[str, list[PredictionFile]] = {}
    lacking: dict[tuple[int, ...], list[str]] = {}
    for loss in _losses(task, files):
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
            found = f"none of instance {' '.join(map(str, absent))}"
            report(ParseError(place, None, expected, found, "run the method on them", kind="results"))
    return serving


def _losses(task: MethodTask, files: list[PredictionFile]) -> list[str]:
    """Return the losses that the targets allow, and those specialised ones that files are for."""
    named = {file.loss for file in files if parse_loss(file.loss)}
    special = [loss for loss in sorted(named) if is_allowed(loss, task.prototask, task.prior)]
    return list(dict.fromkeys((*allowed_losses(task.prototask, task.prior), *special)))


def useful_files(task: MethodTask, files: list[PredictionFile], *, report: Report) -> list[PredictionFile]:
    """Return the prediction files that serve some loss of the task; report the others."""
    useful, distribution = [], has_distribution(task.target_types)
    kinds = {loss: prediction_kinds(loss, distribution=distribution) for loss in _losses(task, files)}
    for file in files:
        if any(file.kind in kinds[loss] for loss in kinds if file.loss in ("", loss)):
            useful.append(file)
        else:
            expected = "predictions that some loss of this task uses"
            report(ParseError(file.path, None, expected, repr(file.name), "remove it", kind="results"))
    return useful


@dataclass(frozen=True)
class _Field:
    """What the words of one column of a prediction file may be. words: as they are; numbers: or numbers from
    low to high; what: in a few words."""

    what: str
    words: frozenset[str] = frozenset()
    numbers: bool = True
    low: float = float("-inf")
    high: float = float("inf")

    def permits(self, word: str) -> bool:
        if word in self.words:
            return True
        return self.numbers and is_number(word) and self.low <= float(word) <= self.high


def check_prediction_file(task: MethodTask, file: PredictionFile, count: int, *, report: Report) -> bool:
    """Check every line of a prediction file; return whether it is without a fault.

    count: of the instance's test cases.
    """
    faults: list[ParseError] = []
    try:
        faults += _line_faults(read_text(file.path), file, _fields(task, file), count)
    except ParseError as error:
        faults.append(error)
    for fault in faults:
        report(fault)
    return not faults


def _line_faults(text: str, file: PredictionFile, fields: list[_Field], count: int) -> Iterator[ParseError]:
    lines = [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    for number, words in lines:
        if len(words) != len(fields):
            plural = "" if len(fields) == 1 else "s"
            yield _fault(file, number, f"{len(fields)} value{plural}", str(len(words)))
            continue
        for word, field in zip(words, fields, strict=True):
            if not field.permits(word):
                yield _fault(file, number, field.what, repr(word))
        if file.kind == "prob" and _is_nothing(words, file.logarithms):
            yield _fault(file, number, "a probability above zero", "none")
    if len(lines) != count:
        last = lines[-1][0] if lines else None
        expected = f"{count} lines, one for each test case"
        yield _fault(file, last, expected, str(len(lines)), "write it anew")


def _fault(file: PredictionFile, line: int | None, expected: str, found: str, remedy: str = "") -> ParseError:
    return ParseError(file.path, line, expected, found, remedy, kind="results")


def _is_nothing(words: list[str], logarithms: bool) -> bool:
    if logarithms:
        return all(word.lower() in LOG_OF_ZERO for word in words)
    return all(is_number(word) and float(word) == 0 for word in words)


def _fields(task: MethodTask, file: PredictionFile) -> list[_Field]:
    """Return what the columns of a prediction file may hold."""
    if file.kind == "guess":
        return _guess_fields(task, file)
    if file.kind == "prob":
        what = "a log probability, at most 0" if file.logarithms else "a probability from 0 to 1"
        width = len(task.targets[0][0].range.categories or ())
        return [_probability(what, file.logarithms, discrete=True)] * width
    discrete = set(task.target_types) <= {*CATEGORICAL_TYPES, "integer"} and not file.coded
    what = "the log of a" if file.logarithms else "a"
    what += " probability" if discrete else " probability or density"
    if discrete:
        what += ", at most 0" if file.logarithms else " from 0 to 1"
    elif not file.logarithms:
        what += ", not negative"
    return [_probability(what, file.logarithms, discrete=discrete)]


def _probability(what: str, logarithms: bool, *, discrete: bool) -> _Field:
    if logarithms:
        high = ROUNDING if discrete else float("inf")
        return _Field(what, frozenset(("-inf", "-Inf", "-infinity", "-Infinity", "-INF")), high=high)
    return _Field(what, low=0.0, high=1 + ROUNDING if discrete else float("inf"))


def _guess_fields(task: MethodTask, file: PredictionFile) -> list[_Field]:
    loss = parse_loss(file.loss) if file.loss else None
    may_pass = loss is None or loss.penalty is not None or bool(loss.matrix)
    gap = frozenset((NO_GUESS,)) if may_pass else frozenset()
    fields = []
    for attribute, coding in task.targets:
        values = frozenset(attribute.range.categories or ())
        numeric = attribute.range.kind != "categorical"
        if not file.coded or coding.coding == "copy":
            what = (
                f"a number for {attribute.name}"
                if numeric
                else f"one of {' '.join(attribute.range.categories or ())}"
            )
            fields.append(_Field(what, values | gap, numbers=numeric))
        else:
            fields += [_Field(f"a number for {name}", gap) for name in column_names(attribute, coding)]
    return fields
