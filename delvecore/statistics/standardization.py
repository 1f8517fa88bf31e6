"""The five losses by name, and losses in units of a simple baseline method.

The constant of a loss and task comes from the task's `Test-set-stats`: the baseline's loss for A, Q, S and Z,
and what is to be added to the raw loss for L. Standardized, the baseline, which ignores the inputs, loses
about 1 (L: 0). Source: DELVE manual, section 8.3.
"""

from math import isfinite

from delvecore.model import LOSSES

__all__ = ["LOSSES", "LOSS_NAMES", "standardized_mean", "standardized_spread", "usable_constant"]

LOSS_NAMES = {
    "A": "Absolute error",
    "L": "Negative Log probability",
    "Q": "Squared Probability",
    "S": "Squared error",
    "Z": "Zero-one",
}
_ADDED_TO = "L"


def usable_constant(loss, constant):
    """Return the constant if this loss can be standardized by it, else None.

    None: no constant recorded, one that is not finite, or zero to divide by.
    Raises ValueError for an unknown loss.
    """
    if loss not in LOSS_NAMES:
        raise ValueError(f"the loss must be one of {' '.join(LOSSES)}, got {loss!r}")
    if constant is None or not isfinite(constant):
        return None
    return constant if constant != 0 or loss == _ADDED_TO else None


def standardized_mean(loss, mean, constant):
    """What is this expected loss in units of the baseline? L adds the constant, the others divide by it.

    mean: a float, an array, or None where there is none. None where the constant cannot be used.
    """
    constant = usable_constant(loss, constant)
    if mean is None or constant is None:
        return None
    return mean + constant if loss == _ADDED_TO else mean / constant


def standardized_spread(loss, value, constant):
    """What is this difference, standard error or standard deviation in units of the baseline?

    As `standardized_mean`, but L stays as it is: a constant added to two losses is not in their difference.
    """
    constant = usable_constant(loss, constant)
    if value is None or constant is None:
        return None
    return value if loss == _ADDED_TO else value / constant
