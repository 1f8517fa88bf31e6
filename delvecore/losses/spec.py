"""The losses: one record for each standard letter, and the specialised losses of the manual's section 5.3.

Every table of letters comes from LOSS_SPECS: what a letter is called, what it judges, which files serve it,
how it is standardized. `Z0.2N` is a loss of guesses with a penalty for making no guess; `Mcosts` is given by
a loss matrix, in the file `costs` of the prototask's data directory. Of all losses lower is better.
"""

from collections.abc import Iterable
from typing import NamedTuple

from delvecore.model import CATEGORICAL_TYPES, TYPES
from delvecore.numerals.numbers import is_number

__all__ = [
    "FILE_ORDER",
    "GUESS_LOSSES",
    "LOSSES",
    "LOSS_SPECS",
    "NO_GUESS",
    "PREFERRED",
    "Loss",
    "LossSpec",
    "is_logarithmic",
    "known_loss",
    "loss_order",
    "parse_loss",
    "split_losses",
]

NO_GUESS = "?"
"""What stands in a prediction file in place of a guess that is not made."""
_PLAIN_CHARACTERS = ".0123456789eE-"


class LossSpec(NamedTuple):
    """What is known of one standard loss. Its function and its baseline's stand in `losses.functions`."""

    letter: str
    name: str
    """In tables and in the output of commands."""
    page_name: str
    explanation: str
    of: str
    """The prediction that is judged, in words."""
    baseline: str
    """What the method does that standardizes the loss: it ignores the inputs."""
    preference: int
    """The loss that is wanted most often has 1."""
    types: tuple[str, ...]
    """Of the targets that allow the loss."""
    predictions: tuple[str, ...]
    """Kinds of prediction files that serve it, the first one where there is a choice."""
    point: str | None = None
    """Of a loss of guesses: the point of a distribution that loses least: mean, median or mode."""
    single_target: bool = False
    is_logarithmic: bool = False
    """Is it a log probability? Then what standardizes it is added, no divisor; it may be infinite; and
    censored targets count, by the probability of all values beyond their bound."""

    @property
    def baseline_value(self) -> float:
        """What the baseline loses in units of itself."""
        return 0.0 if self.is_logarithmic else 1.0

    def allows(self, types: Iterable[str]) -> bool:
        """Do targets of these types allow the loss?"""
        types = tuple(types)
        return set(types) <= set(self.types) and (len(types) == 1 or not self.single_target)


_NUMBERS = ("integer", "real")
_SPECS = (
    LossSpec(
        letter="S",
        name="Squared error",
        page_name="Squared error",
        explanation="Squared distance between guess and target.",
        of="a number",
        baseline="predicting the mean",
        preference=1,
        types=_NUMBERS,
        predictions=("guess",),
        point="mean",
    ),
    LossSpec(
        letter="A",
        name="Absolute error",
        page_name="Absolute error",
        explanation="Distance between guess and target.",
        of="a number",
        baseline="predicting the median",
        preference=3,
        types=_NUMBERS,
        predictions=("guess",),
        point="median",
    ),
    LossSpec(
        letter="Z",
        name="Zero-one",
        page_name="0-1 loss",
        explanation="0 for a right guess, 1 for a wrong one; the mean is the error rate.",
        of="a category or whole number",
        baseline="guessing the most frequent class",
        preference=2,
        types=(*CATEGORICAL_TYPES, "integer"),
        predictions=("guess",),
        point="mode",
    ),
    LossSpec(
        letter="Q",
        name="Squared Probability",
        page_name="Squared probability",
        explanation="Squared distance between the probabilities given and the class that came true.",
        of="a distribution over categories",
        baseline="predicting the class frequencies",
        preference=4,
        types=CATEGORICAL_TYPES,
        predictions=("prob",),
        single_target=True,
    ),
    LossSpec(
        letter="L",
        name="Negative Log probability",
        page_name="Log probability",
        explanation="Minus the natural logarithm of the probability (density) that the method gave the "
        "target.",
        of="a distribution or density",
        baseline="ignoring the inputs",
        preference=5,
        types=TYPES,
        predictions=("prob", "ptarg"),
        is_logarithmic=True,
    ),
)
LOSS_SPECS = {spec.letter: spec for spec in _SPECS}
"""{letter: what is known of the loss}, losses of numbers first."""
LOSSES = "".join(sorted(LOSS_SPECS))
PREFERRED = "".join(sorted(LOSS_SPECS, key=lambda letter: LOSS_SPECS[letter].preference))
"""The letters, the one that is wanted most often first."""
FILE_ORDER = PREFERRED[::-1]
"""The letters in the order of their lines in `Test-set-stats`, that of DELVE 1.1."""
GUESS_LOSSES = "".join(letter for letter in LOSSES if LOSS_SPECS[letter].point)
"""The standard losses of guesses (Figure 5.1), to which a no-guess penalty may be added."""


class Loss(NamedTuple):
    """One loss. name: as in file names; letter: of the standard loss, or of the one that a penalty is added
    to, None for a matrix; penalty: of making no guess, or None; matrix: the name of its file, or None."""

    name: str
    letter: str | None
    penalty: float | None
    matrix: str | None

    @property
    def is_standard(self) -> bool:
        return self.name == self.letter

    @property
    def spec(self) -> LossSpec | None:
        """The standard loss that it is, or that a penalty is added to; None for a matrix."""
        return LOSS_SPECS[self.letter] if self.letter else None

    def constant(self, baselines: Iterable[float]) -> float:
        """Return what standardizes this loss, from that of its letter for each target (`Test-set-stats`).

        Those of several targets are added. With a no-guess penalty the baseline makes, for each target, the
        best constant guess, or no guess where that costs less.
        """
        if (penalty := self.penalty) is None:
            return sum(baselines)
        return sum(min(one, penalty) for one in baselines)


def is_logarithmic(name: str) -> bool:
    """Is the loss of this name a log probability? `LossSpec.is_logarithmic` says what follows from it."""
    return name in LOSS_SPECS and LOSS_SPECS[name].is_logarithmic


def parse_loss(name: str) -> Loss | None:
    """Return the Loss that a name such as `S`, `Z0.2N` or `Mcosts` stands for, None if it is no such name."""
    if len(name) < 2:
        return Loss(name, name, None, None) if name in LOSS_SPECS else None
    if name[0] == "M":
        return Loss(name, None, None, name[1:]) if _is_file_name(name[1:]) else None
    penalty = name[1:-1]
    if name[0] not in GUESS_LOSSES or name[-1] != "N" or penalty.strip(_PLAIN_CHARACTERS):
        return None
    if penalty[:1] == "-" or not is_number(penalty):
        return None
    return Loss(name, name[0], float(penalty), None)


def known_loss(name: str) -> Loss:
    """Return the Loss that a name stands for; ValueError if it is no such name."""
    found = parse_loss(name)
    if found is None:
        raise ValueError(f"{name!r} is no loss")
    return found


def _is_file_name(text: str) -> bool:
    """May this be the plain name of a file in a prototask's directory? A file's name could hold anything but
    `/`; blanks would break lists of losses, and names that start with a dot are left out of archives."""
    return text[0] != "." and "/" not in text and not any(letter.isspace() for letter in text)


def loss_order(name: str) -> tuple[bool, str]:
    """Return a key that sorts names of losses: the letters first, then the specialised ones by name."""
    return (name not in LOSS_SPECS, name)


def split_losses(text: str) -> tuple[str, ...]:
    """Return the names of the losses that a text lists, each once, in the order given.

    Names are separated by blanks or commas; standard letters may also be joined (`SA`). ValueError holds the
    first word, or the letter of a word made of letters, that is no loss; an empty text gives no names.
    """
    names: list[str] = []
    for word in text.replace(",", " ").split():
        if parse_loss(word):
            names.append(word)
            continue
        strange = [letter for letter in word if letter not in LOSSES]
        if strange:
            raise ValueError(strange[0] if word.isalpha() else word)
        names += word
    return tuple(dict.fromkeys(names))
