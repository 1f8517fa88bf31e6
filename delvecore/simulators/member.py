"""What the members of a family of simulated datasets have in common, and how inputs are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.simulators.draws import Draws

__all__ = ["DECIMALS", "Input", "Member", "draw_inputs"]

DECIMALS = 6
"""How exactly values are recorded. Inputs are rounded before the simulator sees them."""


@dataclass(frozen=True)
class Input:
    """One input: drawn evenly between low and high, both inclusive; whole: only whole numbers."""

    name: str
    low: float
    high: float
    description: str
    whole: bool = False


@dataclass(frozen=True)
class Member:
    """One dataset of a family. noise: in the unit that its simulator says; seed: of all random numbers."""

    inputs: tuple[Input, ...]
    noise: float
    seed: int

    def values(self, inputs: np.ndarray) -> dict[str, np.ndarray]:
        """Return the columns of an array of inputs, shape (cases, inputs), by name."""
        return {one.name: column for one, column in zip(self.inputs, inputs.T, strict=True)}


def draw_inputs(inputs: Sequence[Input], cases: int, draws: Draws) -> np.ndarray:
    """Return independent draws of inputs, shape (cases, inputs)."""
    columns = [_drawn(one, draws.uniform(cases)) for one in inputs]
    return np.round(np.column_stack(columns), DECIMALS)


def _drawn(one: Input, uniform: np.ndarray) -> np.ndarray:
    if one.whole:
        return np.floor(one.low + uniform * (one.high - one.low + 1.0))
    return one.low + uniform * (one.high - one.low)
