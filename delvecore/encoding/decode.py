"""Predictions back from coded numbers to the attributes' own values. Source: manual, section 7.5."""

import math

import numpy as np

from delvecore.encoding.attribute_codes import CATEGORICAL, category_codes
from delvecore.encoding.normalization import Constants
from delvecore.encoding.transformations import inverse, log_derivatives
from delvecore.errors import Fault
from delvecore.model import Attribute, Coding
from delvecore.numerals.number_arrays import format_numbers
from delvecore.numerals.text_columns import CodeColumn

__all__ = ["NORMALIZED", "decode_densities", "decode_log_densities", "decode_numbers", "density_scale"]

NORMALIZED = ("nm-abs", "nm-sqr")


def decode_numbers(
    attribute: Attribute, coding: Coding, codes: np.ndarray, constants: Constants | None
) -> list[str]:
    """Return the value, as text, that each row of coded numbers stands for.

    codes: shape (cases, numbers of the code), finite; constants: for nm-abs and nm-sqr. A categorical code
    that no value has stands for the value with the nearest code (of `1-of-n` without passive value: the
    largest number); the first of equally near ones.
    """
    if coding.coding in CATEGORICAL:
        return _nearest(category_codes(attribute, coding), codes)
    if coding.coding == "rectan":
        unit = float(coding.option("unit"))
        turns = np.arctan2(codes[:, 0], codes[:, 1]) / (2 * math.pi)
        return format_numbers(np.mod(turns, 1.0) * unit)
    if coding.coding == "copy":
        return format_numbers(inverse(coding, codes[:, 0]))
    centre, scale = constants.centre_and_scale(coding.coding)
    values = (codes[:, 0] - float(coding.option("center") or 0.0)) * scale + centre
    return format_numbers(inverse(coding, values))


def _nearest(table, codes):
    """Compare by inner product with half the code's square: exact for codes of zeros and ones."""
    values = list(table)
    known = np.array([[float(text) for text in texts] for texts in table.values()])
    products = np.einsum("ij,kj->ik", codes, known)  # a small product: threads of `@` take longer to start
    scores = products - np.sum(known**2, axis=1) / 2
    return CodeColumn(values, np.argmax(scores, axis=1))


def density_scale(codings: list[Coding], constants: list[Constants | None]) -> float:
    """Return by how much coded targets are smaller than the targets themselves: the product of their scales.

    Raises DelveError for targets that are not coded as nm-abs or nm-sqr.
    """
    scale = 1.0
    for coding, one in zip(codings, constants, strict=True):
        if coding.coding not in NORMALIZED:
            raise Fault(
                "",
                f"{coding.attribute} coded as nm-abs or nm-sqr to decode a density",
                coding.coding,
                "write the density of the target itself (ptarg or lptarg)",
            )
        scale *= one.centre_and_scale(coding.coding)[1]
    return scale


def decode_densities(densities: np.ndarray, scale: float, codings=(), targets=()) -> np.ndarray:
    """Return densities of the targets from densities of the coded targets.

    codings, targets: of the true values, as text, to undo transformations of the prototask; without them
    there are none.
    """
    found = densities / scale
    return found * np.exp(log_derivatives(codings, targets)) if codings else found


def decode_log_densities(log_densities: np.ndarray, scale: float, codings=(), targets=()) -> np.ndarray:
    """Return log densities of the targets from log densities of the coded targets; as `decode_densities`."""
    found = log_densities - math.log(scale)
    return found + log_derivatives(codings, targets) if codings else found
