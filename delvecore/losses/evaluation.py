"""One prediction file in, losses out, with the true targets and constants of its instance kept at hand."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from delvecore.encoding.decode import decode_densities, decode_log_densities, density_scale
from delvecore.encoding.normalization import Constants
from delvecore.errors import DelveError
from delvecore.losses import functions
from delvecore.losses.applicability import has_distribution
from delvecore.losses.method_task import MethodTask, checked_words, decode_table
from delvecore.losses.predictions import PredictionFile
from delvecore.losses.word_tables import WordTable, parse_table
from delvecore.number_arrays import format_numbers
from delvecore.readers.files import read_text

__all__ = ["Evaluation"]

WHOLE = 1e-3
"""How far a guess of an integer may lie from it: coding and decoding with few digits move it a little."""


@dataclass
class Evaluation:
    """The evaluation of a method's predictions on one task.

    decoded: {file name: columns of text} of the predictions decoded so far; progress receives a line for
    each file decoded. What was read is kept, since several losses use it.
    """

    task: MethodTask
    progress: Callable[[str], None]
    decoded: dict[str, list[list[str]]] = field(default_factory=dict)
    _targets: dict[int, list[list[str]]] = field(default_factory=dict)
    _constants: dict[int, dict[int, Constants]] = field(default_factory=dict)

    @cached_property
    def has_distribution(self) -> bool:
        """Do `prob` files have a meaning?"""
        return has_distribution(self.task.target_types)

    def losses(self, loss: str, file: PredictionFile) -> np.ndarray:
        """Return the losses that a prediction file gives, one a test case.

        Raises ParseError naming file and line for a bad file, DelveError for targets that cannot be had.
        """
        table = self._read(file)
        if file.kind == "guess":
            return self._guess_losses(loss, file, table)
        if file.kind == "prob":
            return self._distribution_losses(loss, file, table)
        return self._density_losses(file, table)

    def _read(self, file: PredictionFile) -> WordTable:
        width = 1
        if file.kind == "prob":
            width = len(self.task.targets[0][0].range.categories)
        elif file.kind == "guess":
            width = self.task.target_width if file.coded else len(self.task.targets)
        if file.coded and file.decoded.name not in self.decoded:
            self.progress(f"decoding {file.name}...")
        count = len(self._targets_of(file.instance)[0])
        return parse_table(read_text(file.path), file.path, width=width, count=count)

    def _constants_of(self, instance: int) -> dict[int, Constants]:
        if instance not in self._constants:
            self._constants[instance] = self.task.constants(instance)
        return self._constants[instance]

    def _targets_of(self, instance: int) -> list[list[str]]:
        if instance not in self._targets:
            self.progress(f"decoding targets.{instance}...")
            self._targets[instance] = self.task.target_words(instance)
        return self._targets[instance]

    def _guess_losses(self, loss, file, table) -> np.ndarray:
        guesses, targets = self._guesses(file, table), self._targets_of(file.instance)
        if loss == "Z":
            return functions.zero_one_loss(*self._comparable(guesses, targets))
        function = functions.squared_error if loss == "S" else functions.absolute_error
        return function(_floats(guesses), _floats(targets))

    def _guesses(self, file, table) -> list[list[str]]:
        if not file.coded:
            targets = enumerate(self.task.targets)
            return [checked_words(table, place, attribute) for place, (attribute, _) in targets]
        name = file.decoded.name
        if name not in self.decoded:
            self.decoded[name] = decode_table(table, self.task.targets, self._constants_of(file.instance))
        return self.decoded[name]

    def _comparable(self, guesses, targets) -> tuple[np.ndarray, np.ndarray]:
        """Return guesses and targets as arrays of words; a guess of an integer that is near enough becomes
        the word of its target."""
        pairs = zip(guesses, targets, self.task.target_types, strict=True)
        same = [_matched(*pair[:2]) if pair[2] == "integer" else pair[0] for pair in pairs]
        return np.array(same, dtype=object).T, np.array(targets, dtype=object).T

    def _distribution_losses(self, loss, file, table) -> np.ndarray:
        attribute = self.task.targets[0][0]
        rows = table.numbers(0, len(attribute.range.categories), logarithms=file.logarithms)
        try:
            probabilities = functions.normalized_probabilities(rows, logarithms=file.logarithms)
        except ValueError as error:
            expected = "probabilities that are not negative, with a positive sum"
            raise table.fault(error.args[0], expected, repr(" ".join(table.rows[error.args[0]]))) from None
        positions = self._target_positions(attribute, file.instance)
        function = functions.squared_probability_loss if loss == "Q" else functions.log_probability_loss
        return function(probabilities, positions)

    def _target_positions(self, attribute, instance: int) -> np.ndarray:
        places = {value: place for place, value in enumerate(attribute.range.categories)}
        try:
            return np.array([places[word] for word in self._targets_of(instance)[0]], dtype=np.int64)
        except KeyError as error:
            expected = f"targets among {' '.join(places)}"
            where = f"{self.task.path} instance {instance}"
            raise DelveError(f"{where}: expected {expected}, found {error}; correct the data") from None

    def _density_losses(self, file, table) -> np.ndarray:
        values = table.numbers(0, 1, logarithms=file.logarithms)[:, 0]
        if not file.logarithms and (values < 0).any():
            position = int(np.flatnonzero(values < 0)[0])
            expected = "a probability or density, not negative"
            raise table.fault(position, expected, repr(table.rows[position][0]))
        if file.coded:
            values = self._decoded_density(file, values)
        return functions.log_density_loss(values) if file.logarithms else functions.density_loss(values)

    def _decoded_density(self, file, values) -> np.ndarray:
        known = self._constants_of(file.instance)
        codings = [coding for _, coding in self.task.targets]
        try:
            scale = density_scale(codings, [known.get(target.number) for target, _ in self.task.targets])
        except DelveError as error:
            raise DelveError(f"{file.path}: {error}") from None
        decode = decode_log_densities if file.logarithms else decode_densities
        texts = format_numbers(decode(values, scale))
        self.decoded[file.decoded.name] = [texts]
        return np.array([float(text) for text in texts])


def _floats(columns: list[list[str]]) -> np.ndarray:
    """Return columns of text as an array of shape (cases, columns)."""
    return np.array([[float(word) for word in column] for column in columns]).T


def _matched(guesses: list[str], targets: list[str]) -> list[str]:
    pairs = zip(guesses, targets, strict=True)
    return [target if abs(float(guess) - float(target)) < WHOLE else guess for guess, target in pairs]
