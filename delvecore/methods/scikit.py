"""Methods that need scikit-learn say so, in one line, where it is not installed."""

import importlib.util
from typing import Any

import numpy as np

from delvecore.errors import DelveError

__all__ = ["Model", "ScikitMethod", "smoothed", "state"]


Model = Any
"""What scikit-learn fits: the library tells no types."""


class ScikitMethod:
    """Mixed into a method that needs scikit-learn."""

    name: str

    def __init__(self) -> None:
        if importlib.util.find_spec("sklearn") is None:
            raise DelveError(
                f"{self.name}: expected scikit-learn, found none; "
                "pip install 'delve-browser[methods]' adds it"
            )


def state(rng: np.random.Generator) -> int:
    """Return a seed for scikit-learn, drawn from the generator of the instance."""
    return int(rng.integers(2**31))


def smoothed(
    shares: np.ndarray, known: np.ndarray, classes: np.ndarray, count: int, *, weight: float
) -> np.ndarray:
    """Return positive probabilities of all values from those that were learned for the known ones.

    shares: shape (cases, known values); classes: of the training cases; count: how many values there are.
    The frequencies of the training set, each count raised by one, are mixed in with this weight.
    """
    everyone = (np.bincount(classes, minlength=count) + 1) / (len(classes) + count)
    probabilities = np.zeros((len(shares), count))
    probabilities[:, known] = shares
    return (1 - weight) * probabilities + weight * everyone
