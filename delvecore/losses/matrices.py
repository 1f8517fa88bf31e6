"""Loss matrices of prototasks: where they lie, and what guesses cost by them. Source: manual, section 5.3."""

from collections.abc import Mapping

import numpy as np

from delvecore.errors import Fault
from delvecore.losses.spec import known_loss
from delvecore.model import Attribute, Prototask
from delvecore.readers.files import read_text
from delvecore.readers.hierarchy import Hierarchy
from delvecore.readers.loss_matrix import LossMatrix, parse_loss_matrix

__all__ = ["least_expected_loss", "matrix_loss", "read_loss_matrix"]


def read_loss_matrix(hierarchy: Hierarchy, prototask: Prototask, target: Attribute, loss: str) -> LossMatrix:
    """Return the matrix of a loss such as `Mcosts`, from the prototask's data directory.

    target: the categorical target, whose values in the order of the dataset's specification index lines and
    columns. Raises DelveError where the file is absent, ParseError where it is no such matrix, ValueError for
    a loss without one.
    """
    name = known_loss(loss).matrix
    if name is None:
        raise ValueError(f"expected the loss of a matrix, such as Mcosts, got {loss!r}")
    path = hierarchy.find("data", prototask.dataset, prototask.name, name)
    if path is None:
        expected = f"the loss matrix {name} beside Prototask.spec"
        raise Fault(prototask.path, expected, "none", "add it or ask for another loss")
    return parse_loss_matrix(read_text(path), path, values=target.range.categories or ())


def matrix_loss(matrix: LossMatrix, guesses: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return what each guess costs, float64; lower is better.

    guesses, targets: int positions among the matrix's values; a guess of -1 is no guess, which the matrix
    must allow (ValueError otherwise).
    """
    if (guesses < 0).any() and matrix.no_guess is None:
        raise ValueError("guesses only: this loss matrix does not allow to make none")
    return _rows(matrix)[np.where(guesses < 0, len(matrix.values), guesses), targets]


def least_expected_loss(matrix: LossMatrix, counts: Mapping[str, float]) -> float | None:
    """What loses the best constant guess, or no guess at all, when the true values have these counts?

    None where no value was counted.
    """
    weights = np.array([counts.get(value, 0) for value in matrix.values], dtype=np.float64)
    if not weights.sum():
        return None
    return float(min(_rows(matrix) @ weights) / weights.sum())


def _rows(matrix: LossMatrix) -> np.ndarray:
    """Return the losses as an array, a line a guess, that of no guess last where there is one."""
    return np.array(matrix.losses if matrix.no_guess is None else (*matrix.losses, matrix.no_guess))
