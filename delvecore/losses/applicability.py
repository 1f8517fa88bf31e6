"""Which losses does a task allow? Source: DELVE manual, section 5.2, Figure 5.1."""

from delvecore.model import CATEGORICAL_TYPES, LOSSES, Prior, Prototask

__all__ = ["PREDICTIONS", "allowed_losses"]

PREDICTIONS = {
    "A": ("guess",),
    "S": ("guess",),
    "Z": ("guess",),
    "L": ("prob", "ptarg"),
    "Q": ("prob",),
}
"""Which kinds of prediction serve a loss."""


def allowed_losses(prototask: Prototask, prior: Prior) -> str:
    """Return the letters of the losses that every target of the prototask allows, alphabetically.

    S and A: real and integer targets; Z: categorical and integer ones; Q: one categorical target; L: all.
    """
    types = [prior.line(number).type for number in prototask.targets]
    return "".join(loss for loss in LOSSES if _is_allowed(loss, types))


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
