"""Losses of a method on a task, from its predictions: in memory, or as files.

Source: DELVE manual, section 7.5 and appendix C (`mloss`).
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from delvecore.encoding.decode import decode_densities, decode_log_densities, density_scale
from delvecore.encoding.normalization import Constants
from delvecore.errors import DelveError
from delvecore.losses import functions
from delvecore.losses.applicability import PREDICTIONS, allowed_losses, has_distribution
from delvecore.losses.method_task import MethodTask, checked_words, decode_table
from delvecore.losses.predictions import PredictionFile, choose_predictions, list_predictions
from delvecore.losses.word_tables import WordTable, parse_table
from delvecore.number_arrays import format_numbers
from delvecore.readers.files import read_text
from delvecore.writers.files import write_atomically
from delvecore.writers.task_files import losses_text, predictions_text

__all__ = ["TaskLosses", "compute_task_losses", "write_task_losses"]

WHOLE = 1e-3
"""How far a guess of an integer may lie from it: coding and decoding with few digits move it a little."""


@dataclass(frozen=True)
class TaskLosses:
    """Losses of a method on a task.

    losses: {(loss letter, instance): float64, a loss a test case}; decoded: {file name: columns of text} of
    the decoded predictions; notes: what could not be computed and why, one line each.
    """

    losses: dict[tuple[str, int], np.ndarray]
    decoded: dict[str, list[list[str]]]
    notes: tuple[str, ...]


def compute_task_losses(
    task: MethodTask,
    *,
    losses: str | None = None,
    instances: Iterable[int] | None = None,
    progress: Callable[[str], None] = lambda line: None,
    write: Callable[[str, str], None] = lambda name, text: None,
) -> TaskLosses:
    """Return the losses that a method's prediction files give on a task.

    losses: letters, None for all that the task allows; instances: numbers, None for all that have
    predictions; progress receives a line for each file worked on; write receives the name and text of each
    finished file. Raises DelveError (ParseError naming file and line) at the first bad file.
    """
    work = _Work(task, progress, write)
    allowed = allowed_losses(task.prototask, task.prior)
    if losses is None or not work.files:
        work.note_unused(allowed)
    for loss in (allowed if losses is None else losses) if work.files else ():
        if loss in allowed:
            work.evaluate(loss, None if instances is None else set(instances))
        else:
            possible = ", ".join(allowed)
            work.notes.append(
                f"{task.path}: loss {loss} has no meaning for its targets (possible: {possible})"
            )
    return TaskLosses(work.losses, work.decoded, tuple(work.notes))


def write_task_losses(task: MethodTask, directory: str, **options) -> TaskLosses:
    """Compute losses and write the decoded predictions and `loss.L.n` files into a true directory.

    Each file is written complete or not at all; a bad prediction file leaves the old loss file. options: as
    of `compute_task_losses`.
    """

    def write(name, text):
        write_atomically(os.path.join(directory, name), text)

    return compute_task_losses(task, write=write, **options)


@dataclass
class _Work:
    """One computation: what was read is kept, since several losses use it."""

    task: MethodTask
    progress: Callable[[str], None]
    write: Callable[[str, str], None]
    losses: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    decoded: dict[str, list[list[str]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    known_targets: dict[int, list[list[str]]] = field(default_factory=dict)
    known_constants: dict[int, dict[int, Constants]] = field(default_factory=dict)

    @cached_property
    def files(self) -> list[PredictionFile]:
        return list_predictions(self.task.hierarchy.files("methods", *self.task.names))

    @cached_property
    def explicit(self) -> bool:
        return has_distribution(self.task.target_types)

    def note_unused(self, allowed: str) -> None:
        """Note that there are no predictions, or which serve no loss of the task."""
        if not self.files:
            self.notes.append(f"{self.task.path}: no prediction files")
        kinds = {loss: set(PREDICTIONS[loss]) - (set() if self.explicit else {"prob"}) for loss in allowed}
        for file in self.files:
            if not any(file.kind in kinds[loss] for loss in allowed if file.loss in ("", loss)):
                self.notes.append(f"{self.task.path}: no loss of this task uses {file.name}")

    def evaluate(self, loss: str, instances: set[int] | None) -> None:
        files = choose_predictions(self.files, loss, distribution=self.explicit)
        found = {file.instance for file in files}
        everywhere = {file.instance for file in self.files}
        missing = sorted((everywhere if instances is None else instances) - found)
        if not files:
            self.notes.append(f"{self.task.path}: no prediction files for loss {loss}")
        elif missing:
            numbers = " ".join(map(str, missing))
            self.notes.append(f"{self.task.path}: no prediction file for loss {loss} of instance {numbers}")
        for file in files:
            if instances is None or file.instance in instances:
                self.evaluate_file(loss, file)

    def evaluate_file(self, loss: str, file: PredictionFile) -> None:
        table = self.read(file)
        name = f"loss.{loss}.{file.instance}"
        if file.kind == "guess":
            values = self.guess_losses(loss, file, table)
        elif file.kind == "prob":
            values = self.distribution_losses(loss, file, table)
        else:
            values = self.density_losses(file, table)
        self.progress(f"creating {name}...")
        self.losses[loss, file.instance] = values
        self.write(name, losses_text(values))

    def read(self, file: PredictionFile) -> WordTable:
        width = 1
        if file.kind == "prob":
            width = len(self.task.targets[0][0].range.categories)
        elif file.kind == "guess":
            width = self.task.target_width if file.coded else len(self.task.targets)
        if file.coded and file.decoded.name not in self.decoded:
            self.progress(f"decoding {file.name}...")
        count = len(self.targets(file.instance)[0])
        return parse_table(read_text(file.path), file.path, width=width, count=count)

    def constants(self, instance: int) -> dict[int, Constants]:
        if instance not in self.known_constants:
            self.known_constants[instance] = self.task.constants(instance)
        return self.known_constants[instance]

    def targets(self, instance: int) -> list[list[str]]:
        if instance not in self.known_targets:
            self.progress(f"decoding targets.{instance}...")
            self.known_targets[instance] = self.task.target_words(instance)
        return self.known_targets[instance]

    def guess_losses(self, loss: str, file: PredictionFile, table: WordTable) -> np.ndarray:
        guesses = self.decoded_guesses(file, table)
        targets = self.targets(file.instance)
        if loss == "Z":
            return functions.zero_one_loss(*self.comparable(guesses, targets))
        function = functions.squared_error if loss == "S" else functions.absolute_error
        return function(_floats(guesses), _floats(targets))

    def decoded_guesses(self, file: PredictionFile, table: WordTable) -> list[list[str]]:
        if not file.coded:
            targets = enumerate(self.task.targets)
            return [checked_words(table, place, attribute) for place, (attribute, _) in targets]
        name = file.decoded.name
        if name not in self.decoded:
            columns = decode_table(table, self.task.targets, self.constants(file.instance))
            self.keep(name, columns)
        return self.decoded[name]

    def keep(self, name: str, columns: list[list[str]]) -> None:
        self.decoded[name] = columns
        self.write(name, predictions_text(columns))

    def comparable(self, guesses, targets) -> tuple[np.ndarray, np.ndarray]:
        """Return guesses and targets as arrays of words; a guess of an integer that is near enough becomes
        the word of its target."""
        pairs = zip(guesses, targets, self.task.target_types, strict=True)
        same = [_matched(*pair[:2]) if pair[2] == "integer" else pair[0] for pair in pairs]
        return np.array(same, dtype=object).T, np.array(targets, dtype=object).T

    def distribution_losses(self, loss: str, file: PredictionFile, table: WordTable) -> np.ndarray:
        attribute = self.task.targets[0][0]
        rows = table.numbers(0, len(attribute.range.categories), logarithms=file.logarithms)
        try:
            probabilities = functions.normalized_probabilities(rows, logarithms=file.logarithms)
        except ValueError as error:
            expected = "probabilities that are not negative, with a positive sum"
            raise table.fault(error.args[0], expected, " ".join(table.rows[error.args[0]])) from None
        positions = self.target_positions(attribute, file.instance)
        function = functions.squared_probability_loss if loss == "Q" else functions.log_probability_loss
        return function(probabilities, positions)

    def target_positions(self, attribute, instance: int) -> np.ndarray:
        places = {value: place for place, value in enumerate(attribute.range.categories)}
        try:
            return np.array([places[word] for word in self.targets(instance)[0]])
        except KeyError as error:
            expected = f"targets among {' '.join(places)}"
            raise DelveError(
                f"{self.task.path} instance {instance}: expected {expected}, found {error}"
            ) from None

    def density_losses(self, file: PredictionFile, table: WordTable) -> np.ndarray:
        values = table.numbers(0, 1, logarithms=file.logarithms)[:, 0]
        if not file.logarithms and (values < 0).any():
            position = int(np.flatnonzero(values < 0)[0])
            raise table.fault(position, "a probability or density, not negative", table.rows[position][0])
        if file.coded:
            values = self.decoded_density(file, values)
        return functions.log_density_loss(values) if file.logarithms else functions.density_loss(values)

    def decoded_density(self, file: PredictionFile, values: np.ndarray) -> np.ndarray:
        known = self.constants(file.instance)
        codings = [coding for _, coding in self.task.targets]
        try:
            scale = density_scale(codings, [known.get(target.number) for target, _ in self.task.targets])
        except DelveError as error:
            raise DelveError(f"{file.path}: {error}") from None
        decode = decode_log_densities if file.logarithms else decode_densities
        texts = format_numbers(decode(values, scale))
        self.keep(file.decoded.name, [texts])
        return np.array([float(text) for text in texts])


def _serves(file: PredictionFile, loss: str, *, explicit: bool) -> bool:
    """Can some file of this kind and name serve a loss? explicit: whether `prob` files have a meaning."""
    kinds = [kind for kind in PREDICTIONS[loss] if explicit or kind != "prob"]
    return file.kind in kinds and file.loss in ("", loss)


def _floats(columns: list[list[str]]) -> np.ndarray:
    """Return columns of text as an array of shape (cases, columns)."""
    return np.array([[float(word) for word in column] for column in columns]).T


def _matched(guesses: list[str], targets: list[str]) -> list[str]:
    pairs = zip(guesses, targets, strict=True)
    return [target if abs(float(guess) - float(target)) < WHOLE else guess for guess, target in pairs]
