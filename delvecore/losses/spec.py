"""Names of losses: standard letters, the specialized losses of the manual's section 5.3, and metrics.

What is known of a letter stands in `losses.standard_losses`. `Z0.2N` is a loss of guesses with a penalty for
making no guess; `Mcosts` is given by a loss matrix, in the file `costs` of the prototask's data directory. Of
all losses lower is better. Which losses a task allows: DELVE manual, sections 5.2 (Figure 5.1) and 5.3."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from sys import float_info
from typing import NamedTuple

from delvecore.losses.metrics import Metric, known_metric
from delvecore.losses.standard_losses import GUESS_LOSSES, LOSS_SPECS, LOSSES, PREFERRED, LossSpec
from delvecore.model import CATEGORICAL_TYPES, Prior, Prototask
from delvecore.number_format.numbers import is_number

NO_GUESS = "?"
"""What stands in a prediction file in place of a guess that is not made."""
ROUNDING = 1e-9
LOWER_IS_BETTER = " (lower is better)"
_PLAIN_CHARACTERS = ".0123456789eE-"


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

    def constant(self, baselines: Iterable[float | None]) -> float | None:
        """Return what standardizes this loss, from that of its letter for each target (`Test-set-stats`).

        Those of several targets are added; None where that of a target is undefined, or there is no target.
        With a no-guess penalty the baseline makes, for each target, the best constant guess, or no guess
        where that costs less."""
        limit = inf if self.penalty is None else self.penalty
        values = list(baselines)
        known = [min(value, limit) for value in values if value is not None]
        return sum(known) if known and len(known) == len(values) else None


def is_logarithmic(name: str) -> bool:
    """Is the loss of this name a log probability? `LossSpec.is_logarithmic` says what follows from it."""
    return name in LOSS_SPECS and LOSS_SPECS[name].is_logarithmic


@lru_cache(maxsize=1000)
def parse_loss(name: str) -> Loss | None:
    """Return the Loss that a name such as `S`, `Z0.2N` or `Mcosts` stands for, None if it is no such name.

    >>> parse_loss("Z0.2N").penalty
    0.2
    """
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


def metric_loss(metric: Metric) -> str:
    """Return the name of the loss that is kept of a metric: its own where that tells its direction, or is a
    letter, else its title, such as `-score`."""
    if metric == known_metric(metric.name) or (metric.name in LOSS_SPECS and not metric.higher_is_better):
        return metric.name
    is_plain = known_metric(metric.name) is None and parse_loss(metric.name) is None
    return metric.title if metric.higher_is_better or is_plain else metric.name + LOWER_IS_BETTER


@lru_cache(maxsize=1000)
def metric_of(loss: str) -> Metric | None:
    """Return the metric of which a loss of this name is kept; None for the losses of DELVE, which have
    letters or are made of them."""
    known = None if loss in LOSS_SPECS else known_metric(loss)
    if known is not None or parse_loss(loss) is not None:
        return known
    best, _, name = loss.partition(" - ")
    if name and is_number(best):
        return Metric(name, True, float(best))
    return Metric(loss[1:], True) if loss[:1] == "-" else Metric(loss.removesuffix(LOWER_IS_BETTER), False)


def shown_name(loss: str) -> str:
    """Return what is shown of a loss by its short name: `S`, and `auc` where it is kept of a metric."""
    metric = metric_of(loss)
    return metric.name if metric else loss


def shown_value(loss: str, kept: float) -> float:
    """Return a mean loss as it is shown: as it is kept, and the value of the metric that it is kept of."""
    metric = metric_of(loss)
    return float(metric.values_of(kept)) if metric else kept


def is_higher_better(loss: str) -> bool:
    """Are higher ones better of the values that are shown? Of a metric that may be so."""
    metric = metric_of(loss)
    return metric is not None and metric.higher_is_better


def known_loss(name: str) -> Loss:
    """Return the Loss that a name stands for. Raises ValueError if it is no such name."""
    found = parse_loss(name)
    if found is None:
        raise ValueError(f"{name!r} is no loss")
    return found


def loss_limits(name: str, prototask: Prototask | None) -> tuple[float, float]:
    """Return the least and the most that a test case can lose. prototask: says how many targets there are;
    without one there is no upper bound, nor where test cases have weights. The most allows for rounding."""
    loss = known_loss(name)
    if is_logarithmic(name):
        return -inf, inf
    if loss.spec is None or prototask is None or prototask.stratified:
        return 0.0, inf
    return 0.0, max(loss.spec.most, loss.penalty or 0.0) * len(prototask.targets) * (1 + ROUNDING)


def is_baseline(letter: str, value: float) -> bool:
    """May this number stand for a loss in `Test-set-stats`? What losses are divided by is positive and no
    smaller than what a computer holds in full, or zero where all test targets are alike."""
    return LOSS_SPECS[letter].is_logarithmic or value == 0 or value >= float_info.min


def _is_file_name(text: str) -> bool:
    """May this be the plain name of a file in a prototask's directory? A file's name could hold anything but
    `/`; blanks would break lists of losses, and names that start with a dot are left out of archives."""
    return text[0] != "." and "/" not in text and not any(letter.isspace() for letter in text)


def loss_order(name: str) -> tuple[bool, str]:
    """Return a key that sorts names of losses: the letters first, then the specialized ones by name."""
    return (name not in LOSS_SPECS, name)


def loss_preference(loss: str) -> tuple[int, str]:
    """Return a key that sorts losses by how often they are wanted; specialized ones come last, by name."""
    return (PREFERRED.index(loss) if loss in LOSS_SPECS else len(PREFERRED)), loss


def split_losses(text: str) -> tuple[str, ...]:
    """Return the names of the losses that a text lists, each once, in the order given. Names are separated by
    blanks or commas; standard letters may also be joined (`SA`). An empty text gives no names. Raises
    ValueError with the first word that is no loss, or the first such letter of a word.

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
    return tuple(dict.fromkeys(names))


def prediction_kinds(loss: str, *, distribution: bool) -> tuple[str, ...]:
    """Return the kinds of prediction that serve a loss: guesses, too, for specialized losses. distribution:
    whether `prob` files have a meaning."""
    kinds = LOSS_SPECS[loss].predictions if loss in LOSS_SPECS else ("guess",)
    return tuple(kind for kind in kinds if distribution or kind != "prob")


def allowed_losses(prototask: Prototask, prior: Prior) -> str:
    """Return the letters of the losses that every target of the prototask allows, alphabetically."""
    return "".join(loss for loss in LOSSES if is_allowed(loss, prototask, prior))


def is_allowed(loss: str, prototask: Prototask, prior: Prior) -> bool:
    """Do the targets allow this loss? A penalty for no guess goes with a loss of guesses that they allow, a
    loss matrix with a single categorical target."""
    types = [prior.line(number).type for number in prototask.targets]
    known = parse_loss(loss)
    if known is None:
        return False
    return known.spec.allows(types) if known.spec else has_distribution(types)


def has_distribution(types: Sequence[str]) -> bool:
    """May a method write its whole predictive distribution? Only for one categorical target."""
    return len(types) == 1 and types[0] in CATEGORICAL_TYPES
