"""The losses in words, and losses in units of a simple baseline method.

The constant of a standard loss and task is what `Test-set-stats` holds: the baseline's loss for A, Q,
S and Z, and what is to be added to the raw loss for L. Standardized, the baseline, which ignores the inputs,
loses about 1 (L: 0). The baseline of a specialised loss makes the best constant guess, or no guess where that
is allowed and costs less. What is kept of a metric has no baseline: its constant is 1. Source: DELVE manual,
sections 5.3 and 8.3."""

from math import isfinite
from typing import TypeVar

from delvecore.losses.spec import is_logarithmic, known_loss, metric_of
from delvecore.stats.kinds import Floats

__all__ = ["loss_title", "standardized_mean", "standardized_spread", "usable_constant"]

Number = TypeVar("Number", float, "Floats")


def loss_title(name: str) -> str:
    """Return a loss in words: `Squared error`, `Zero-one, no guess 0.2`, `1 - accuracy`."""
    if metric := metric_of(name):
        return metric.title
    loss = known_loss(name)
    if loss.spec is None:
        return f"Loss matrix {loss.matrix}"
    return loss.spec.name if loss.is_standard else f"{loss.spec.name}, no guess {name[1:-1]}"


def usable_constant(loss: str, constant: float | None) -> float | None:
    """Return the constant if this loss can be standardized by it, else None.

    None: no constant recorded, one that is not finite, or zero to divide by."""
    if constant is None or not isfinite(constant):
        return None
    return constant if constant != 0 or is_logarithmic(loss) else None


def standardized_mean(loss: str, mean: Number | None, constant: float | None) -> Number | None:
    """What is this expected loss in units of the baseline? L adds the constant, the others divide by it.

    mean: a float, an array, or None where there is none. None where the constant cannot be used."""
    constant = usable_constant(loss, constant)
    if mean is None or constant is None:
        return None
    return mean + constant if is_logarithmic(loss) else mean / constant


def standardized_spread(loss: str, value: Number | None, constant: float | None) -> Number | None:
    """What is this difference, standard error or standard deviation in units of the baseline?

    As `standardized_mean`, but L stays as it is: a constant added to two losses is not in their difference.
    """
    constant = usable_constant(loss, constant)
    if value is None or constant is None:
        return None
    return value if is_logarithmic(loss) else value / constant
