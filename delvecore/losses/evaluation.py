"""Losses and predicted values of prediction files."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property

import numpy as np

from delvecore.encoding.codings import decode_densities, density_scale
from delvecore.errors import Fault
from delvecore.losses import functions
from delvecore.losses.functions import (
    LOSS_FUNCTIONS,
    density_loss,
    guess_losses,
    log_density_loss,
    matrix_losses,
    value_places,
)
from delvecore.losses.method_task import MethodTask, counted_positions, missing_targets, unknown_targets
from delvecore.losses.predictions import (
    OUTPUTS,
    ResultFile,
    WordTable,
    decode_guesses,
    parse_table,
    plain_guesses,
)
from delvecore.losses.spec import NO_GUESS, has_distribution, known_loss
from delvecore.losses.standard_losses import Loss
from delvecore.model import INTEGER
from delvecore.number_format.columns import format_numbers, numbers_of
from delvecore.readers.cases import Column, make_column

KEPT_CHARACTERS = 1 << 24
"""Number of characters of prediction files that are kept for further losses, about 30 megabytes."""


class Evaluation:
    """Evaluation of a method's predictions on one task. Files are kept for further losses.

    Attributes
    ----------
    decoded : dict[str, sequence of sequence of str]
        Columns of text of the predictions decoded so far, by name of the file.
    progress : callable
        Receives a line for each decoded file.
    """

    def __init__(self, task: MethodTask, progress: Callable[[str], None] = lambda line: None) -> None:
        self.task, self.progress = task, progress
        self.decoded: dict[str, Sequence[Sequence[str]]] = {}
        self._left_out: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(4, dtype=np.int64))
        self._reported: set[int] = set()
        self._tables: dict[str, WordTable] = {}
        self._kept = 0
        self._true, self._constants = cache(task.true_targets), cache(task.constants)
        self._matrix = cache(task.loss_matrix)

    @cached_property
    def has_distribution(self) -> bool:
        """May the method predict a distribution, in `prob` files?"""
        return has_distribution(self.task.target_types)

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the single categorical target."""
        return self.task.targets[0][0].range.categories or ()

    def losses(self, loss: str, file: ResultFile) -> np.ndarray:
        """Return the losses of a prediction file, one per test case that counts in this loss.

        Losses are multiplied by the weights of the test cases, if they have weights. Raises ParseError with
        file and line for a bad file, DelveError for targets that cannot be read."""
        table = self._read(file)
        counted = self.counted(loss, file.instance)
        true = self._true(file.instance)
        total, missing, unknown = len(true[0].missing), missing_targets(true), unknown_targets(true, loss)
        judged = total - unknown.sum()
        self._left_out[loss] += [total, missing.sum(), (unknown & ~missing).sum(), judged - len(counted)]
        weights = self.task.weights(file.instance)
        if file.kind == "guess":
            losses = self._guess_losses(known_loss(loss), file, table, counted)
        elif file.kind == "prob":
            losses = self._distribution_losses(loss, file, table, counted)
        else:
            losses = self._density_losses(file, table)[counted]
        return losses if weights is None else losses * weights[counted]

    def left_out_notes(self) -> list[str]:
        """Return a line for each loss with omitted test cases: their number, and the reasons."""
        notes = []
        for loss, (total, *counts) in self._left_out.items():
            missing, censored, spare = counts
            reasons = [
                *([f"{missing} with missing targets"] if missing else []),
                *([f"{censored} with censored targets"] if censored else []),
                *([f"{spare} more to give all instances the same number"] if spare else []),
            ]
            if reasons:
                omitted = f"{sum(counts)} of {total} test cases left out: {', '.join(reasons)}"
                notes.append(f"{self.task.path}: loss {loss}: {omitted}")
        return notes

    def counted(self, loss: str, instance: int) -> np.ndarray:
        """Return the positions of the instance's test cases that count in a loss, ascending. Raises
        DelveError for an instance without such cases."""
        if not self.task.has_unknown_targets:
            return np.arange(len(self._true(instance)[0].missing))
        numbers = sorted({*self.task.instance_numbers, instance})
        unknown = [unknown_targets(self._true(number), loss) for number in numbers]
        counted = counted_positions(unknown)[numbers.index(instance)]
        if not len(counted):
            expected = "a test case in every instance whose targets are known"
            raise Fault(self.task.path, f"{expected} for loss {loss}", "none in some")
        return counted

    def _read(self, file: ResultFile) -> WordTable:
        width = 1
        if file.kind in ("prob", OUTPUTS):
            width = len(self.values)
        elif file.kind == "guess":
            width = self.task.target_width if file.coded else len(self.task.targets)
        if file.coded and file.decoded.name not in self.decoded:
            self.progress(f"decoding {file.name}...")
        if file.instance not in self._reported:
            self.progress(f"decoding targets.{file.instance}...")
            self._reported.add(file.instance)
        count = len(self._true(file.instance)[0].missing)
        if file.path not in self._tables:
            text = self.task.read(file.path)
            table = parse_table(text, file.path, width=width, count=count)
            if self._kept + len(text) > KEPT_CHARACTERS:
                return table
            self._kept += len(text)
            self._tables[file.path] = table
        return self._tables[file.path]

    def _guess_losses(
        self, loss: Loss, file: ResultFile, table: WordTable, counted: np.ndarray
    ) -> np.ndarray:
        guesses = self._guesses(file, table)
        matrix = self._matrix(loss.key) if loss.matrix else None
        if loss.penalty is None and not (matrix and matrix.no_guess):
            _demand_guesses(loss, table, guesses)
        some = words_at(guesses, counted)
        targets = words_at([column.words for column in self._true(file.instance)], counted)
        if matrix:
            return matrix_losses(matrix, some[0], targets[0])
        attributes = [attribute for attribute, _ in self.task.targets]
        return guess_losses(loss, some, targets, attributes, self.task.target_types)

    def _guesses(self, file: ResultFile, table: WordTable) -> Sequence[Sequence[str]]:
        if not file.coded:
            return plain_guesses(table, self.task.targets)
        name = file.decoded.name
        if name not in self.decoded:
            self.decoded[name] = decode_guesses(table, self.task.targets, self._constants(file.instance))
        return self.decoded[name]

    def _demanded(self, loss: str, file: ResultFile) -> Sequence[Sequence[str]]:
        """Return the guesses of a file. Raises ParseError for a missing guess."""
        table = self._read(file)
        guesses = self._guesses(file, table)
        _demand_guesses(known_loss(loss), table, guesses)
        return guesses

    def class_guesses(self, file: ResultFile, counted: np.ndarray) -> np.ndarray:
        """Return the guesses of a single categorical target for some test cases, as positions of its values.
        Raises ParseError for a bad file, and for a case without a guess."""
        return value_places(words_at(self._demanded("Z", file), counted)[0], self.values)

    def number_guesses(self, file: ResultFile, counted: np.ndarray) -> np.ndarray:
        """Return the guesses of numeric targets for some test cases, shape (cases, targets). Raises
        ParseError for a bad file, and for a case without a guess."""
        guesses = self._demanded("S", file)
        numbers: np.ndarray = np.stack([numbers_of(words) for words in guesses], axis=1)[counted]
        return numbers

    def class_targets(self, instance: int, counted: np.ndarray) -> np.ndarray:
        """Return the true values of a single categorical target, as positions of its values. Raises
        DelveError for an unknown value."""
        words = words_at([self._true(instance)[0].words], counted)[0]
        try:
            return value_places(words, self.values)
        except KeyError as error:
            expected = f"targets among {' '.join(self.values)}"
            where = f"{self.task.path} instance {instance}"
            raise Fault(where, expected, error, "correct the data") from None

    def class_probabilities(self, file: ResultFile) -> np.ndarray:
        """Return the probabilities of a `prob` file, shape (test cases, values of the target), normalized.
        Raises ParseError for a bad file."""
        return self._probabilities(file, self._read(file))

    def output_errors(self, file: ResultFile) -> np.ndarray:
        """Return the squared errors of plain outputs, summed over classes, of each test case that counts.

        The target is 1 for the true class, otherwise 0. Errors are multiplied by the weights of the test
        cases, if they have weights. Raises ParseError for a bad file."""
        counted = self.counted(PROBABILITIES, file.instance)
        outputs = self._read(file).numbers(0, len(self.values), logarithms=False)[counted]
        actual = self.class_targets(file.instance, counted)
        errors = np.square(outputs - np.eye(len(self.values))[actual]).sum(axis=1)
        weights = self.task.weights(file.instance)
        weighted: np.ndarray = errors if weights is None else errors * weights[counted]
        return weighted

    def _probabilities(self, file: ResultFile, table: WordTable) -> np.ndarray:
        rows = table.numbers(0, len(self.values), logarithms=file.logarithms)
        try:
            return functions.normalized_probabilities(rows, logarithms=file.logarithms)
        except ValueError as error:
            expected = "probabilities that are not negative, with a positive sum"
            raise table.fault(error.args[0], expected, repr(" ".join(table.rows[error.args[0]]))) from None

    def _distribution_losses(
        self, loss: str, file: ResultFile, table: WordTable, counted: np.ndarray
    ) -> np.ndarray:
        probabilities = self._probabilities(file, table)
        column = self._true(file.instance)[0]
        bounded = column.censored[counted] != 0
        known, losses = counted[~bounded], np.empty(len(counted))
        positions = self.class_targets(file.instance, known)
        losses[~bounded] = LOSS_FUNCTIONS[loss](probabilities[known], positions)
        places, values = counted[bounded], make_column(self.values).numbers
        some = column.numbers[places], column.censored[places]
        losses[bounded] = functions.log_probability_beyond(probabilities[places], values, *some)
        return losses

    def _density_losses(self, file: ResultFile, table: WordTable) -> np.ndarray:
        values = table.numbers(0, 1, logarithms=file.logarithms)[:, 0]
        if not file.logarithms and (values < 0).any():
            position = int(np.flatnonzero(values < 0)[0])
            expected = "a probability or density, not negative"
            raise table.fault(position, expected, repr(table.rows[position][0]))
        if file.coded:
            values = self._decoded_density(file, values)
        return log_density_loss(values) if file.logarithms else density_loss(values)

    def _decoded_density(self, file: ResultFile, values: np.ndarray) -> np.ndarray:
        constants, true = self._constants(file.instance), self._true(file.instance)
        # Predictions of an integer target are probabilities, which have no scale.
        places = [place for place, kind in enumerate(self.task.target_types) if kind != INTEGER]
        targets = [self.task.targets[place] for place in places]
        codings, columns = [coding for _, coding in targets], [true[place] for place in places]
        try:
            scales = [density_scale([coding], [constants.get(target.number)]) for target, coding in targets]
        except Fault as error:
            raise error.within(file.path, is_file=True) from None
        values = _with_scales_of_bounds(values, columns, scales, logarithms=file.logarithms)
        words = [column.words for column in columns]
        decoded = decode_densities(values, math.prod(scales), codings, words, logarithms=file.logarithms)
        texts = format_numbers(decoded)
        self.decoded[file.decoded.name] = [texts]
        return numbers_of(texts)


def _demand_guesses(loss: Loss, table: WordTable, guesses: Iterable[Sequence[str]]) -> None:
    """Raise ParseError for the first missing guess if the loss has no penalty for it."""
    for words in guesses:
        if NO_GUESS in words:
            expected = f"a guess, since loss {loss.key} has no penalty for making none"
            raise table.fault(words.index(NO_GUESS), expected, repr(NO_GUESS))


def _with_scales_of_bounds(
    values: np.ndarray, columns: Sequence[Column], scales: Sequence[float], *, logarithms: bool
) -> np.ndarray:
    """Return predictions of coded targets whose division by all scales gives predictions of the targets.

    The prediction of a censored target is the probability of the values beyond its bound, which is the same
    for the coded target. It is multiplied by the scales to undo the division."""
    values = values.copy()
    for column, scale in zip(columns, scales, strict=True):
        bounded = column.censored != 0
        values[bounded] = values[bounded] + math.log(scale) if logarithms else values[bounded] * scale
    return values


PROBABILITIES = "Q"


def words_at(columns: Sequence[Sequence[str]], positions: np.ndarray) -> Sequence[Sequence[str]]:
    """Return the words of columns at some positions; the columns themselves if all positions are needed."""
    if len(positions) == len(columns[0]):
        return columns
    return [[words[place] for place in positions.tolist()] for words in columns]
