"""Which losses does a task allow? Source: DELVE manual, sections 5.2 (Figure 5.1) and 5.3."""

from delvecore.losses.spec import parse_loss
from delvecore.model import CATEGORICAL_TYPES, LOSSES, Prior, Prototask

__all__ = ["PREDICTIONS", "allowed_losses", "is_allowed", "prediction_kinds"]

PREDICTIONS = {
    "A": ("guess",),
    "S": ("guess",),
    "Z": ("guess",),
    "L": ("prob", "ptarg"),
    "Q": ("prob",),
}
"""Which kinds of prediction serve a standard loss."""


def prediction_kinds(loss: str, *, distribution: bool) -> tuple[str, ...]:
    """Return the kinds of prediction that serve a loss: guesses, too, for specialised losses.

    distribution: whether `prob` files have a meaning.
    """
    return tuple(kind for kind in PREDICTIONS.get(loss, ("guess",)) if distribution or kind != "prob")


def allowed_losses(prototask: Prototask, prior: Prior) -> str:
    """Return the letters of the losses that every target of the prototask allows, alphabetically.

    S and A: real and integer targets; Z: categorical and integer ones; Q: one categorical target; L: all.
    """
    return "".join(loss for loss in LOSSES if is_allowed(loss, prototask, prior))


def is_allowed(loss: str, prototask: Prototask, prior: Prior) -> bool:
    """Do the targets allow this loss? A penalty for no guess goes with a loss of guesses that they allow, a
    loss matrix with a single categorical target."""
    types = [prior.line(number).type for number in prototask.targets]
    known = parse_loss(loss)
    return has_distribution(types) if known.matrix else _is_allowed(known.letter, types)


def _is_allowed(loss, types):
    if loss in "AS":
        return set(types) <= {"integer", "real"}
    if loss == "Z":
        return set(types) <= {*CATEGORICAL_TYPES, "integer"}
    if loss == "Q":
        return has_distribution(types)
    return True


def has_distribution(types: list[str]) -> bool:
    """May a method write its whole predictive distribution? Only for one categorical target."""
    return len(types) == 1 and types[0] in CATEGORICAL_TYPES
