"""Inputs of metrics for all instances of a method's task, from losses, predictions and the dataset."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from delvecore.errors import DelveError, Fault
from delvecore.losses.evaluation import PROBABILITIES, Evaluation
from delvecore.losses.method_task import MethodTask, plan_positions
from delvecore.losses.predictions import OUTPUTS, ResultFile, choose_predictions, list_predictions
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.metrics.metric import Judged, Options, UndefinedError
from delvecore.model import Attribute
from delvecore.readers.files import read_text
from delvecore.readers.lines import token_lines
from delvecore.stats.classification.summary import InstancePredictions

NO_OPTIONS: Options = MappingProxyType({})
BENEFITS = "benefits"
"""The default file of a cost-benefit matrix, next to Prototask.spec."""
GUESSES, NUMBERS = "Z", "S"
KEEP = "delve run --keep predictions keeps them"

OF_DATASET = frozenset(("targets", "training", "previous", "order", "span"))
"""Inputs of metrics for numeric targets that only the dataset has."""
Results = Mapping[tuple[str, int], np.ndarray]
"""Losses of a method on a task, by letter and instance."""


def letters_in(needs: Collection[str]) -> list[str]:
    """Return the losses of cases among the inputs of a metric."""
    return [name for name in needs if name in LOSS_SPECS]


def reads_files(needs: Collection[str]) -> bool:
    """Does a metric need inputs other than losses of cases?"""
    return any(name not in LOSS_SPECS for name in needs)


def number_facts(task: MethodTask) -> list[Judged]:
    """Return the inputs of metrics that the dataset has for a task with numeric targets, by instance.

    They are the same for all methods: targets of the cases that count, known training targets, the target
    before each test case, and the span. Raises DelveError if the dataset cannot be read."""
    plan, numbers = task.plan, task.prototask.targets
    values = np.stack([plan.columns[number].numbers for number in numbers], axis=1)
    known = np.isfinite(values) & np.stack([plan.columns[n].censored == 0 for n in numbers], axis=1)
    span = _span([target for target, _ in task.targets], values[known])
    judged = []
    for one, places in zip(plan.instances, plan_positions(plan.cases, plan.instances, "S"), strict=True):
        training, targets = values[one.training], values[one.test[places]]
        training = training[known[one.training].all(axis=1)]
        previous = np.concatenate([training[-1:], targets[:-1]])
        judged.append(Judged(targets=targets, training=training, previous=previous, span=span))
    return judged


def _span(targets: Collection[Attribute], values: np.ndarray) -> tuple[float, float]:
    """Return the smallest and the largest permitted value of the targets; without a bound, that of the
    data."""
    ends: list[tuple[float, float]] = []
    for target in targets:
        ends += [part[:2] for part in (*target.range.intervals, *target.range.integers)]
        ends += [(float(value), float(value)) for value in target.range.values]
    low = min((low for low, _ in ends), default=-np.inf)
    high = max((high for _, high in ends), default=np.inf)
    return (
        low if np.isfinite(low) else float(values.min()),
        high if np.isfinite(high) else float(values.max()),
    )


class Predictions(Evaluation):
    """The predictions of a method on a task, by instance, read at their first use.

    Properties raise DelveError if there are no such predictions, ParseError for a bad file."""

    def _files(self, loss: str) -> list[ResultFile]:
        files = list_predictions(self.task.files)
        return choose_predictions(files, loss, distribution=self.has_distribution)

    @cached_property
    def classes(self) -> tuple[InstancePredictions, ...]:
        """Predicted classes of a task with one categorical target. Raises DelveError for other targets, and
        without guesses."""
        if not self.has_distribution:
            raise Fault(
                self.task.path,
                "one categorical target, because a contingency table counts classes",
                "others",
                "mstats and mtable judge all kinds of target",
            )
        guesses = self._files(GUESSES)
        if not guesses:
            raise Fault(
                self.task.path,
                "prediction files guess.0, guess.1, ...",
                "none",
                f"losses alone do not show which class was predicted; {KEEP}",
            )
        probabilities = {file.instance: file for file in self._files(PROBABILITIES)}
        predictions = []
        for file in guesses:
            counted, rows = self.counted(GUESSES, file.instance), None
            guessed = self.class_guesses(file, counted)
            actual = self.class_targets(file.instance, counted)
            if file.instance in probabilities:
                rows = self.class_probabilities(probabilities[file.instance])[counted]
            predictions.append(InstancePredictions(file.instance, actual, guessed, rows))
        return tuple(predictions)

    @cached_property
    def numbers(self) -> Mapping[int, np.ndarray]:
        """Numeric guesses for the test cases that count in squared error, shape (cases, targets).

        Raises DelveError without guesses."""
        files = self._files(NUMBERS)
        if not files:
            raise Fault(self.task.path, "prediction files guess.0, guess.1, ...", "none", KEEP)
        return {
            file.instance: self.number_guesses(file, self.counted(NUMBERS, file.instance)) for file in files
        }

    @cached_property
    def errors_of_outputs(self) -> Mapping[int, np.ndarray]:
        """Squared errors of plain outputs, see `output_errors`; empty without such outputs."""
        files = [file for file in list_predictions(self.task.files) if file.kind == OUTPUTS]
        return {file.instance: self.output_errors(file) for file in files}


def of_losses(losses: Results) -> Iterator[tuple[int, Judged]]:
    """Yield (instance, its losses of cases), by number."""
    for number in sorted({number for _, number in losses}):
        yield number, Judged(_own(losses, number))


def of_numbers(
    predictions: Predictions, needs: Collection[str], *, losses: Results, facts: Sequence[Judged] | None
) -> Iterator[tuple[int, Judged]]:
    """Yield (instance, inputs of a metric) for numeric targets.

    losses: losses of the method; facts: `number_facts` of the task, None if they are not needed. Raises
    DelveError if required predictions are missing, ParseError for a bad file."""
    guesses = predictions.numbers if "guesses" in needs else {}
    outputs = len(predictions.task.targets)
    for number, one in [(n, Judged()) for n in guesses] or of_losses(losses):
        instance_facts = facts[number] if facts else Judged()
        span = instance_facts.span if "span" in needs else None
        instance_facts = replace(
            instance_facts, losses=one.losses, guesses=guesses.get(number), outputs=outputs
        )
        yield number, replace(instance_facts, span=span)


def of_classes(
    predictions: Predictions, needs: Collection[str], *, losses: Results, options: Options = NO_OPTIONS
) -> Iterator[tuple[int, Judged]]:
    """Yield (instance, inputs of a metric) for a single categorical target; see `of_numbers`.

    options: those of the metric, with the cost-benefit matrix or its file. Raises UndefinedError if required
    probabilities are missing."""
    task, classes = predictions.task, predictions.values
    if "table" not in needs:
        errors = predictions.errors_of_outputs if "outputs" in needs else {}
        for number, of_instance in of_losses(losses):
            yield number, replace(of_instance, classes=classes, output_errors=errors.get(number))
        return
    worth = _matrix(task, options, len(classes)) if "matrix" in needs else None
    for one in predictions.classes:
        if "probabilities" in needs and one.probabilities is None:
            raise UndefinedError("no probabilities are kept")
        judged = Judged(_own(losses, one.instance), classes, one.actual, one.guessed, one.probabilities)
        yield one.instance, replace(judged, matrix=worth)


def _own(losses: Results, instance: int) -> dict[str, np.ndarray]:
    return {letter: values for (letter, number), values in losses.items() if number == instance}


def matrix_text(matrix: Collection[Collection[float]]) -> str:
    """Return a cost-benefit matrix as it follows a metric's name, with rows of predicted classes:
    `1_-5;0_2`."""
    return ";".join("_".join(f"{value:g}" for value in row) for row in matrix)


def parse_matrix(text: str) -> list[list[float]]:
    """Parse a text that `matrix_text` made. Raises DelveError unless it is a square matrix."""
    try:
        rows = [[float(word) for word in row.split("_")] for row in text.split(";")]
    except ValueError:
        rows = []
    if not rows or any(len(row) != len(rows) or not np.isfinite(row).all() for row in rows):
        raise DelveError(f"matrix: expected rows of numbers such as 1_-5;0_2, found {text!r}")
    return rows


def _matrix(task: MethodTask, options: Options, size: int) -> np.ndarray:
    """Return the cost-benefit matrix of the options, or of a file next to Prototask.spec.

    It has a line per predicted class, with the benefit for each true class, in the order of the dataset's
    specification. Raises UndefinedError without a file, and for a matrix in the options with the wrong
    size."""
    if "matrix" in options:
        benefits = parse_matrix(options["matrix"])
        if len(benefits) != size:
            raise UndefinedError(f"the matrix has {len(benefits)} classes, the target has {size}")
        return np.array(benefits)
    name = options.get("benefits", BENEFITS)
    path = task.hierarchy.find("data", task.prototask.dataset, task.prototask.name, name)
    if path is None:
        raise UndefinedError(f"there is no cost-benefit matrix {name} next to Prototask.spec")
    rows = [words for _, words in token_lines(read_text(path))]
    try:
        matrix = np.array([[float(word) for word in words] for words in rows])
    except ValueError:
        matrix = np.empty(0)
    if matrix.shape != (size, size) or not np.isfinite(matrix).all():
        expected = f"{size} lines of {size} numbers, one line per predicted class"
        raise Fault(path, expected, f"{len(rows)} lines", "see docs/metrics.md", is_file=True)
    return matrix
