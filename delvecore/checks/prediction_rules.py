"""Rules for prediction and loss files: names, instances, lengths, and that each number can be what it claims.

`mloss` stops at the first fault of a file of predictions; here every line is looked at. Losses are to be what
`mloss` makes of the predictions that are there. Source: DELVE manual, section 7.5 and appendix C (`mloss`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from delvecore.encoding.codings import code_of, column_names
from delvecore.errors import DelveError, ParseError, Report, attempt, located, result_fault
from delvecore.losses.compute import possible_losses, useless_files
from delvecore.losses.method_task import MethodTask
from delvecore.losses.predictions import (
    LOG_OF_ZERO,
    OUTPUTS,
    PredictionFile,
    choose_predictions,
    parse_prediction_name,
)
from delvecore.losses.spec import NO_GUESS, has_distribution, parse_loss
from delvecore.losses.standard_losses import LOSSES
from delvecore.model import DISCRETE_TYPES
from delvecore.number_format.numbers import is_number
from delvecore.readers.files import read_text
from delvecore.readers.results import parse_losses

LIKE_PREDICTIONS = re.compile(r"[cl]{0,2}(guess|prob|ptarg|outputs)\..*")
ROUNDING = 1e-6
"""How far above one a probability may lie by rounding."""
LOSS_NAME = re.compile(r"loss\.(.+)\.(0|[1-9][0-9]*)")
MOST_DIGITS = 9
TOLERANCE = 2e-8
"""Relative difference of two losses that nine digits allow."""
REMEDY = "run mloss again"


def prediction_files(files: Mapping[str, str], count: int, *, report: Report) -> list[PredictionFile]:
    """Return the prediction files of a task's directory whose names can be right; report the others. files:
    true path by plain name; count: of the task's instances."""
    found = []
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
            found.append(file)
    return found


def check_prediction_set(
    task: MethodTask, files: list[PredictionFile], count: int, place: str, *, report: Report
) -> dict[str, list[PredictionFile]]:
    """Check that predictions are there for all instances; return {loss: the files that serve it}. count: of
    the task's instances; place: the task's directory."""
    distribution = has_distribution(task.target_types)
    serving: dict[str, list[PredictionFile]] = {}
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
            found = f"none of instance {' '.join(map(str, absent))}"
            report(result_fault(place, None, expected, found, "run the method on them"))
    return serving


def useful_files(task: MethodTask, files: list[PredictionFile], *, report: Report) -> list[PredictionFile]:
    """Return the prediction files that serve some loss of the task, or a metric; report the others."""
    distribution = has_distribution(task.target_types)
    useless = set(useless_files(files, possible_losses(task, files), distribution=distribution))
    if distribution:
        useless = {file for file in useless if file.kind != OUTPUTS}
    for file in (file for file in files if file in useless):
        expected = "predictions that some loss of this task uses"
        report(result_fault(file.path, None, expected, repr(file.name), "remove it"))
    return [file for file in files if file not in useless]


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
    """Check every line of a prediction file; return whether it is without a fault. count: of the instance's
    test cases."""
    text = attempt(report, read_text, file.path)
    if text is None:
        return False
    faults = list(_line_faults(text, file, _fields(task, file), count))
    for fault in faults:
        report(fault)
    return not faults


def _line_faults(text: str, file: PredictionFile, fields: list[_Field], count: int) -> Iterator[ParseError]:
    lines = [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    for number, words in lines:
        if len(words) != len(fields):
            plural = "" if len(fields) == 1 else "s"
            yield result_fault(file.path, number, f"{len(fields)} value{plural}", str(len(words)))
            continue
        for word, field in zip(words, fields, strict=True):
            if not field.permits(word):
                yield result_fault(file.path, number, field.what, repr(word))
        if file.kind == "prob" and all(_is_nothing(word, file.logarithms) for word in words):
            yield result_fault(file.path, number, "a probability above zero", "none")
    if len(lines) != count:
        last = lines[-1][0] if lines else None
        expected = f"{count} lines, one for each test case"
        yield result_fault(file.path, last, expected, str(len(lines)), "write it again")


def _is_nothing(word: str, logarithms: bool) -> bool:
    return word.lower() in LOG_OF_ZERO if logarithms else is_number(word) and float(word) == 0


def _fields(task: MethodTask, file: PredictionFile) -> list[_Field]:
    """Return what the columns of a prediction file may hold."""
    if file.kind == "guess":
        return _guess_fields(task, file)
    if file.kind == OUTPUTS:
        return [_Field("a number")] * len(task.targets[0][0].range.categories or ())
    if file.kind == "prob":
        what = "a log probability, at most 0" if file.logarithms else "a probability from 0 to 1"
        width = len(task.targets[0][0].range.categories or ())
        return [_probability(what, file.logarithms, discrete=True)] * width
    discrete = set(task.target_types) <= set(DISCRETE_TYPES)
    what = "the log of a" if file.logarithms else "a"
    what += " probability" if discrete else " probability or density"
    if discrete:
        what += ", at most 0" if file.logarithms else " from 0 to 1"
    elif not file.logarithms:
        what += ", not negative"
    return [_probability(what, file.logarithms, discrete=discrete)]


def _probability(what: str, logarithms: bool, *, discrete: bool) -> _Field:
    infinity = float("inf")
    if not logarithms:
        return _Field(what, low=0.0, high=1 + ROUNDING if discrete else infinity)
    words = frozenset(("-inf", "-Inf", "-infinity", "-Infinity", "-INF"))
    return _Field(what, words, high=ROUNDING if discrete else infinity)


def _guess_fields(task: MethodTask, file: PredictionFile) -> list[_Field]:
    loss = parse_loss(file.loss) if file.loss else None
    may_pass = loss is None or loss.penalty is not None or bool(loss.matrix)
    gap = frozenset((NO_GUESS,)) if may_pass else frozenset()
    fields = []
    for attribute, coding in task.targets:
        values = frozenset(attribute.range.categories or ())
        numeric = attribute.range.kind != "categorical"
        if not file.coded or code_of(attribute, coding).keeps_words:
            listed = " ".join(attribute.range.categories or ())
            what = f"a number for {attribute.name}" if numeric else f"one of {listed}"
            fields.append(_Field(what, values | gap, numbers=numeric))
        else:
            fields += [_Field(f"a number for {name}", gap) for name in column_names(attribute, coding)]
    return fields


@dataclass(frozen=True, order=True)
class LossFile:
    """A loss file's name taken apart, and its path."""

    loss: str
    instance: int
    path: str


def loss_files(files: Mapping[str, str], *, report: Report) -> list[LossFile]:
    """Return the loss files of a task's directory, by loss and instance; report names that are none. files:
    true path by plain name."""
    found = []
    for name, path in files.items():
        if not name.startswith("loss."):
            continue
        match = LOSS_NAME.fullmatch(name)
        if match and len(match[2]) <= MOST_DIGITS and parse_loss(match[1]):
            found.append(LossFile(match[1], int(match[2]), path))
        else:
            known = f"{' '.join(LOSSES)}, or such as Z0.2N, Mfile"
            expected = f"loss.L.n with a loss ({known}) and an instance's number"
            report(result_fault(path, None, expected, repr(name), "rename it"))
    return sorted(found)


def check_losses(file: LossFile, made: np.ndarray, *, report: Report) -> None:
    """Check a loss file that can be read against the losses made of the predictions now: shape (cases,),
    lower is better."""
    text = read_text(file.path)
    kept = np.array(parse_losses(text, file.path, loss=file.loss), dtype=np.float64)
    if len(kept) != len(made):
        expected = f"{len(made)} losses, one a test case"
        report(result_fault(file.path, None, expected, f"{len(kept)}", REMEDY))
        return
    with np.errstate(invalid="ignore"):
        near = np.abs(kept - made) <= TOLERANCE * np.maximum(np.abs(made), 1e-3)
    other = np.flatnonzero(~(near | (kept == made)))
    if len(other):
        first = int(other[0])
        expected = f"the loss of the prediction that is there, {made[first]:.9g}"
        found = f"{kept[first]:.9g}" + (f" ({len(other)} of {len(made)} differ)" if len(other) > 1 else "")
        lines = [number for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        report(result_fault(file.path, lines[first], expected, found, REMEDY))
