"""What kind of dataset is a member of a family: how noisy, and how far from linear?

Both are shares of variance, and no model is needed to find them: the simulator can be run twice on the same
inputs, and what the two runs have in common is not noise. Source: the definitions on DELVE's page about
task-arrays.
"""

from dataclasses import dataclass
from importlib import import_module

import numpy as np

from delvecore.simulators import SIMULATORS
from delvecore.simulators.random_numbers import Draws, draw_inputs

LOW_NOISE, MODERATE_NOISE, HIGH_NOISE = 0.0025, (0.01, 0.05), 0.25
"""Noise of members with an m in their name lies between these, that of those with an h above that one."""
LINEAR, NON_LINEAR = 0.05, 0.40
"""What a linear model leaves is below the one for an f in the name, above the other for an n."""


@dataclass(frozen=True)
class Character:
    """noise: share of the target's variance that no method could explain, with unlimited data; nonlinearity:
    share of the rest that the best linear model leaves; each with its standard error; mean, deviation: of the
    target."""

    noise: float
    noise_error: float
    nonlinearity: float
    nonlinearity_error: float
    mean: float
    deviation: float

    def keeps(self, name: str) -> bool:
        """Is this what the name of the dataset promises, by more than two standard errors?"""
        noise, margin = self.noise, 2.0 * self.noise_error
        left, spare = self.nonlinearity, 2.0 * self.nonlinearity_error
        low, high = MODERATE_NOISE
        noisy = {
            "l": noise + margin < LOW_NOISE,
            "m": low < noise - margin and noise + margin < high,
            "h": noise - margin > HIGH_NOISE,
        }
        return noisy[name[-1]] and (left + spare < LINEAR if name[-2] == "f" else left - spare > NON_LINEAR)


def character(name: str, *, cases: int, batches: int = 10, seed: int = 1996) -> Character:
    """Estimate the Character of a dataset from fresh draws: cases of each of several batches. Standard errors
    are those of the mean over batches. Raises KeyError for a name without a simulator."""
    draws = Draws(seed)
    found = np.array([_shares(name, cases, draws) for _ in range(batches)])
    error = found.std(axis=0, ddof=1) / np.sqrt(batches)
    noise, left, mean, deviation = found.mean(axis=0)
    return Character(
        noise=noise,
        noise_error=error[0],
        nonlinearity=left,
        nonlinearity_error=error[1],
        mean=mean,
        deviation=deviation,
    )


def _shares(name: str, cases: int, draws: Draws) -> tuple[float, float, float, float]:
    """Return (noise, non-linearity, mean, standard deviation) of one batch. The product of two runs'
    residuals estimates what the linear model leaves, without the noise of either."""
    family = import_module(f"delvecore.simulators.{SIMULATORS[name]}")
    member = family.MEMBERS[name]
    inputs = draw_inputs(member.inputs, cases, draws)
    first, second = (family.target(member, inputs, draws) for _ in range(2))
    noise, variance = np.square(first - second).mean() / 2, (first.var() + second.var()) / 2
    scaled = (inputs - inputs.mean(axis=0)) / inputs.std(axis=0)
    design = np.column_stack([np.ones(cases), scaled])
    fitted = design @ np.linalg.lstsq(design, (first + second) / 2, rcond=None)[0]
    left = ((first - fitted) * (second - fitted)).sum() / (cases - design.shape[1])
    left += noise / 2 * design.shape[1] / (cases - design.shape[1])
    return noise / variance, left / (variance - noise), first.mean(), np.sqrt(variance)
