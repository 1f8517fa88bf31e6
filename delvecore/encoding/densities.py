"""Densities of coded targets as densities of the targets. Source: DELVE manual, section 7.5."""

import math
from collections.abc import Sequence

import numpy as np

from delvecore.encoding.codings import centre_and_scale
from delvecore.encoding.normalization import Constants
from delvecore.encoding.transformations import log_derivatives
from delvecore.errors import Fault
from delvecore.model import Coding


def density_scale(codings: list[Coding], constants: list[Constants | None]) -> float:
    """Return by how much coded targets are smaller than the targets themselves: the product of their scales,
    of which that of copied ones is 1. Raises DelveError for codings that are not linear."""
    scale = 1.0
    for coding, one in zip(codings, constants, strict=True):
        linear = centre_and_scale(coding, one)
        if linear is None:
            raise Fault(
                "",
                f"{coding.attribute} coded as nm-abs or nm-sqr to decode a density",
                coding.coding,
                "write the density of the target itself (ptarg or lptarg)",
            )
        scale *= linear[1]
    return scale


def decode_densities(
    densities: np.ndarray, scale: float, codings: Sequence[Coding] = (), targets: Sequence[Sequence[str]] = ()
) -> np.ndarray:
    """Return densities of the targets from densities of the coded targets. codings, targets: of the true
    values, as text, to undo transformations of the prototask; without them there are none."""
    found = densities / scale
    return found * np.exp(log_derivatives(codings, targets)) if codings else found


def decode_log_densities(
    log_densities: np.ndarray,
    scale: float,
    codings: Sequence[Coding] = (),
    targets: Sequence[Sequence[str]] = (),
) -> np.ndarray:
    """Return log densities of the targets from log densities of the coded targets; as `decode_densities`."""
    found = log_densities - math.log(scale)
    return found + log_derivatives(codings, targets) if codings else found
