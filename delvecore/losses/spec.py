"""Names of losses: standard letters, the specialized losses of the manual's section 5.3, and metrics.

Records of letters are in `losses.standard_losses`. `Z0.2N` is a loss of guesses with a penalty for making no
guess. `Mcosts` is the loss of a matrix, in the file `costs` of the prototask's data directory. Lower losses
are better. Source: DELVE manual, sections 5.2 (Figure 5.1) and 5.3."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf
from sys import float_info
from types import MappingProxyType

from delvecore.errors import DelveError
from delvecore.losses.standard_losses import GUESS_LOSSES, LOSS_SPECS, LOSSES, PREFERRED, Loss
from delvecore.measures import Baseline, Measure, Measures
from delvecore.model import CATEGORICAL_TYPES, Prior, Prototask
from delvecore.number_format.numbers import is_number

NO_GUESS = "?"
"""A missing guess in a prediction file."""
ROUNDING = 1e-9
_PLAIN_CHARACTERS = ".0123456789eE-"


def is_logarithmic(name: str) -> bool:
    """Is the loss of this name a log probability? See `Loss.is_logarithmic`."""
    return name in LOSS_SPECS and LOSS_SPECS[name].is_logarithmic


BEST_CONSTANT = "the best constant guess"


@lru_cache(maxsize=1000)
def parse_loss(name: str) -> Loss | None:
    """Return the loss of a name such as `S`, `Z0.2N` or `Mcosts`, None for other names.

    >>> parse_loss("Z0.2N").penalty
    0.2
    """
    if len(name) < 2:
        return LOSS_SPECS.get(name)
    if name[0] == "M":
        # Blanks would break lists of losses, and archives omit files whose names start with a dot.
        is_file_name = name[1] != "." and "/" not in name and not any(map(str.isspace, name))
        return _matrix_loss(name) if is_file_name else None
    penalty = name[1:-1]
    if name[0] not in GUESS_LOSSES or name[-1] != "N" or penalty.strip(_PLAIN_CHARACTERS):
        return None
    if penalty[:1] == "-" or not is_number(penalty):
        return None
    return _with_penalty(LOSS_SPECS[name[0]], name, penalty)


def _matrix_loss(name: str) -> Loss:
    title = f"Loss matrix {name[1:]}"
    return Loss(
        name,
        title,
        best=0.0,
        baseline=Baseline(1.0, BEST_CONSTANT),
        name=title,
        letter=None,
        explanation=f"What a guess costs for each true value is in the prototask's file {name[1:]}.",
        types=CATEGORICAL_TYPES,
        single_target=True,
        matrix=name[1:],
    )


def _with_penalty(loss: Loss, name: str, penalty: str) -> Loss:
    return replace(
        loss,
        key=name,
        title=f"{loss.title}, {penalty} for no guess",
        name=f"{loss.name}, no guess {penalty}",
        baseline=Baseline(1.0, f"{BEST_CONSTANT}, or none"),
        explanation=f"{loss.explanation} Making no guess costs {penalty}.",
        most=max(loss.most, float(penalty)),
        penalty=float(penalty),
    )


NO_MEASURES: Measures = MappingProxyType({})


def measure_named(key: str, measures: Measures = NO_MEASURES) -> Measure:
    """Return the measure with a key: one of the measures of an archive, otherwise a loss of DELVE.

    Raises ValueError for an unknown key.

    >>> measure_named("Z0.2N").title
    '0-1 loss, 0.2 for no guess'
    """
    return measures.get(key) or known_loss(key)


def known_loss(name: str) -> Loss:
    """Return the Loss of this name. Raises ValueError for an unknown name."""
    loss = parse_loss(name)
    if loss is None:
        raise ValueError(f"{name!r} is not a loss")
    return loss


def loss_limits(name: str, prototask: Prototask | None, *, test_cases: int) -> tuple[float, float]:
    """Return the least and the largest possible loss of a test case, with a margin for rounding.

    prototask: the prototask with the targets; without one there is no upper bound. test_cases: number of test
    cases of the instance. A weight of a stratified target is at most half of this number."""
    loss = known_loss(name)
    if is_logarithmic(name):
        return -inf, inf
    if prototask is None:
        return 0.0, inf
    largest_weight = max(test_cases / 2, 1.0) if prototask.stratified else 1.0
    return 0.0, loss.most * len(prototask.targets) * largest_weight * (1 + ROUNDING)


def is_baseline(letter: str, value: float) -> bool:
    """Can this number belong to a loss in `Test-set-stats`?

    Divisors are positive normal floating-point numbers, or zero if all test targets are equal."""
    return LOSS_SPECS[letter].is_logarithmic or value == 0 or value >= float_info.min


def loss_order(name: str) -> tuple[bool, str]:
    """Return a key that sorts names of losses: first the letters, then specialized losses by name."""
    return (name not in LOSS_SPECS, name)


def loss_preference(loss: str) -> tuple[int, str]:
    """Return a key that sorts losses by frequency of use, and specialized losses last, by name."""
    return (PREFERRED.index(loss) if loss in LOSS_SPECS else len(PREFERRED)), loss


def split_losses(text: str) -> tuple[str, ...]:
    """Return the names of the losses in a text, in their order; none for an empty text.

    Names are separated by blanks or commas, and standard letters may be joined (`SA`). Raises ValueError with
    the first unknown word, or the first unknown letter of a word.

    >>> split_losses("SA Z0.2N")
    ('S', 'A', 'Z0.2N')
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
    return tuple(names)


def check_once(names: Sequence[str]) -> None:
    """Raise DelveError if -l names a loss or metric twice."""
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise DelveError(f"-l: expected each loss or metric once, found {twice[0]} again")


def prediction_kinds(loss: str, *, distribution: bool) -> tuple[str, ...]:
    """Return the kinds of prediction for a loss; for specialized losses, these are guesses.

    distribution: whether the method can predict a distribution."""
    kinds = LOSS_SPECS[loss].predictions if loss in LOSS_SPECS else ("guess",)
    return tuple(kind for kind in kinds if distribution or kind != "prob")


def allowed_losses(prototask: Prototask, prior: Prior) -> str:
    """Return the letters of the losses that every target of the prototask allows, alphabetically."""
    return "".join(loss for loss in LOSSES if is_allowed(loss, prototask, prior))


def is_allowed(loss: str, prototask: Prototask, prior: Prior) -> bool:
    """Do the targets allow this loss?

    A loss with a penalty is allowed if the loss without the penalty is allowed. A loss matrix needs a single
    categorical target."""
    types = [prior.line(number).type for number in prototask.targets]
    known = parse_loss(loss)
    return known is not None and known.allows(types)


def has_distribution(types: Sequence[str]) -> bool:
    """Can a method predict a distribution? This needs a single categorical target."""
    return len(types) == 1 and types[0] in CATEGORICAL_TYPES
