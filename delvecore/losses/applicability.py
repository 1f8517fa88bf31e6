"""Which losses does a task allow? Source: DELVE manual, sections 5.2 (Figure 5.1) and 5.3."""

from collections.abc import Sequence

from delvecore.losses.spec import LOSS_SPECS, LOSSES, parse_loss
from delvecore.model import CATEGORICAL_TYPES, Prior, Prototask

__all__ = ["allowed_losses", "has_distribution", "is_allowed", "prediction_kinds"]


def prediction_kinds(loss: str, *, distribution: bool) -> tuple[str, ...]:
    """Return the kinds of prediction that serve a loss: guesses, too, for specialised losses.

    distribution: whether `prob` files have a meaning.
    """
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
