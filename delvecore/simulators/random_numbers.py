"""Random numbers, and inputs drawn with them, the same on every machine and with every version of NumPy.

NumPy guarantees the 64-bit words of a seeded PCG64, but not the draws of its `Generator`. So the raw words
are turned into draws by the formulas below."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np


class Draws:
    """A stream of independent draws that depends only on the seed."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def uniform(self, *shape: int) -> np.ndarray:
        """Draws from [0, 1): the upper 53 bits of a word, as a fraction."""
        words = self._words.random_raw(int(np.prod(shape))) >> np.uint64(11)
        return words.reshape(shape) * 2.0**-53

    def exponential(self, *shape: int) -> np.ndarray:
        """Draws from the exponential distribution of mean one, by inversion."""
        draws: np.ndarray = -np.log1p(-self.uniform(*shape))
        return draws

    def normal(self, *shape: int) -> np.ndarray:
        """Draws from the standard normal distribution: the first of each Box-Muller pair."""
        radius = np.sqrt(2.0 * self.exponential(*shape))
        return radius * np.cos(2.0 * np.pi * self.uniform(*shape))

    def order(self, count: int) -> list[int]:
        """A random order of the indexes 1 to count: the ranks of uniform draws."""
        return [int(index) + 1 for index in np.argsort(self.uniform(count), kind="stable")]


DECIMALS = 6
"""Precision of recorded values. Inputs are rounded before the simulation."""


@dataclass(frozen=True)
class Input:
    """One input, drawn uniformly between low and high, both inclusive.

    Attributes
    ----------
    whole : bool
        Whether only whole numbers are drawn.
    """

    name: str
    low: float
    high: float
    description: str
    whole: bool = False


@dataclass(frozen=True)
class Member:
    """One dataset of a family.

    Attributes
    ----------
    noise : float
        Noise in the unit of its simulator.
    seed : int
        Seed of all random numbers.
    """

    inputs: tuple[Input, ...]
    noise: float
    seed: int

    def columns(self, inputs: np.ndarray, name: str, nominal: Iterable[float]) -> np.ndarray:
        """Return the inputs named `theta1`, `theta2` and so on for the name `theta{}`.

        The shape is (cases, nominal values). Inputs that do not vary have their nominal values. inputs: shape
        (cases, inputs)."""
        columns = {one.name: column for one, column in zip(self.inputs, inputs.T, strict=True)}
        named = [(name.format(number), value) for number, value in enumerate(nominal, start=1)]
        return np.column_stack([columns.get(one, np.full(len(inputs), value)) for one, value in named])


def symmetric_inputs(name: str, count: int, reach: float, description: str) -> list[Input]:
    """Return inputs between -reach and reach; name and description have their numbers, from 1 on."""
    numbers = range(1, count + 1)
    return [Input(name.format(number), -reach, reach, description.format(number)) for number in numbers]


def draw_inputs(inputs: Sequence[Input], cases: int, draws: Draws) -> np.ndarray:
    """Return independent draws of inputs, shape (cases, inputs)."""
    columns = []
    for one in inputs:
        values = one.low + draws.uniform(cases) * (one.high - one.low + (1.0 if one.whole else 0.0))
        columns.append(np.floor(values) if one.whole else values)
    return np.round(np.column_stack(columns), DECIMALS)
