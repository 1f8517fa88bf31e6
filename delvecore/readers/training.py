"""Training record of a network: `Training.n`, with keys and the curve of its errors.

Source: L. Prechelt, PROBEN1, technical report 21/94, Universität Karlsruhe 1994, sections 2.9 and 3.3.
"""

from typing import NamedTuple

from delvecore.errors import ParseError
from delvecore.number_format.numbers import is_number

TRAINING = "Training"
"""The name of the file, before a dot and the number of the instance."""
PUBLISHED_AS = {
    "training": "training-error",
    "validation": "validation-error",
    "test": "squared-error-percentage",
    "classification": "classification-error",
    "overfit": "generalization-loss",
    "epochs": "total-epochs",
    "relevant": "relevant-epochs",
    "correlation": "correlation",
}
"""Facts about networks, with their names as measures of published results: tables 3 to 11."""
WORDS = ("Network", "Outputs")
COUNTS = ("Weights", "Total-Epochs", "Relevant-Epochs", "Connection-Traversals")
CURVE = "Curve"


class Strip(NamedTuple):
    """Measurements after a number of epochs.

    Attributes
    ----------
    training, validation : float
        Squared error percentages.
    loss : float
        Generalization loss GL in percent.
    progress : float
        Progress P in parts per thousand.
    """

    epoch: int
    training: float
    validation: float
    loss: float
    progress: float


class TrainingRecord(NamedTuple):
    """Record of the training of a network.

    Attributes
    ----------
    epochs : int
        Number of trained epochs.
    relevant : int
        Epoch with the lowest validation error, whose weights were kept.
    traversals : int
        Total number of traversals of connections.
    """

    network: str
    outputs: str
    weights: int
    epochs: int
    relevant: int
    traversals: int
    curve: tuple[Strip, ...]

    @property
    def kept(self) -> Strip:
        """The strip with the selected weights."""
        return next((one for one in self.curve if one.epoch == self.relevant), self.curve[-1])


def parse_training(text: str, source: str) -> TrainingRecord:
    """Return the record in a `Training.n` file. Raises ParseError."""
    lines = text.splitlines()
    values: dict[str, str] = {}
    start = 0
    for start, line in enumerate(lines, start=1):
        key, colon, value = line.partition(":")
        if not colon:
            raise _fault(source, start, "a line KEY: VALUE", repr(line))
        values[key] = value.strip()
        if key == CURVE:
            break
    for key in (*WORDS, *COUNTS, CURVE):
        if key not in values or (key in COUNTS and not values[key].isdecimal()):
            raise _fault(source, None, f"a line {key}:", repr(values.get(key, "none")))
    curve = tuple(_strip(line, source, number) for number, line in enumerate(lines[start:], start=start + 1))
    if not curve:
        raise _fault(source, start, "a line for each strip of the curve", "none")
    weights, epochs, relevant, traversals = (int(values[key]) for key in COUNTS)
    counts = {"weights": weights, "epochs": epochs, "relevant": relevant, "traversals": traversals}
    return TrainingRecord(values["Network"], values["Outputs"], **counts, curve=curve)


def _strip(line: str, source: str, number: int) -> Strip:
    words = line.split()
    if len(words) != len(Strip._fields) or not words[0].isdecimal() or not all(map(_is_measure, words[1:])):
        raise _fault(source, number, f"an epoch and {len(Strip._fields) - 1} numbers", repr(line))
    return Strip(int(words[0]), *map(float, words[1:]))


def _is_measure(word: str) -> bool:
    return is_number(word) or word == "inf"


def _fault(source: str, line: int | None, expected: str, actual: str) -> ParseError:
    return ParseError(source, line, expected, actual, "run the method again", kind="results")
