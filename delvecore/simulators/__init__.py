"""Simulators of datasets whose cases are generated on first use: three families of eight datasets.

A family's module has MEMBERS (inputs and noise by name of the dataset), TARGET, TARGET_DECIMALS and
target(member, inputs, draws). Modules are imported on first use. If a simulation takes seconds, its
targets are stored next to this file, as whole numbers in units of their last decimal."""

import os
from importlib import import_module

import numpy as np

from delvecore.simulators.random_numbers import DECIMALS, Draws, draw_inputs

__all__ = ["CASES", "FAMILIES", "SIMULATORS", "record_path", "simulated_cases", "simulated_text"]

CASES = 8192
FAMILIES = ("kin", "pumadyn", "bank")
SIMULATORS = {
    f"{family}-{inputs}{linearity}{noise}": family
    for family in FAMILIES
    for inputs in (8, 32)
    for linearity in "fn"
    for noise in "mh"
}
"""The family of each dataset by its name."""


def record_path(name: str) -> str:
    """Return the path of a dataset's recorded targets, which may not exist."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded", f"{name}.npy")


def simulated_cases(name: str, cases: int = CASES, *, anew: bool = False) -> np.ndarray:
    """Return the cases of a dataset: float64, shape (cases, inputs + 1), the target last.

    Another number of cases gives other cases, not the first of more. anew: simulate even if targets are
    recorded. Raises KeyError for a name without a simulator."""
    family = import_module(f"delvecore.simulators.{SIMULATORS[name]}")
    member = family.MEMBERS[name]
    draws = Draws(member.seed)
    inputs = draw_inputs(member.inputs, cases, draws)
    if cases == CASES and not anew and os.path.isfile(record_path(name)):
        return np.column_stack([inputs, np.load(record_path(name)) / 10.0**family.TARGET_DECIMALS])
    return np.column_stack([inputs, np.round(family.target(member, inputs, draws), family.TARGET_DECIMALS)])


def simulated_text(name: str, *, anew: bool = False) -> bytes:
    """Return the text of `Dataset.data` of a dataset, one case per line; anew: as for `simulated_cases`."""
    family = import_module(f"delvecore.simulators.{SIMULATORS[name]}")
    forms = ["%d" if one.whole else f"%.{DECIMALS}f" for one in family.MEMBERS[name].inputs]
    line = " ".join([*forms, f"%.{family.TARGET_DECIMALS}f"]) + "\n"
    rows = (simulated_cases(name, anew=anew) + 0.0).tolist()  # minus zero becomes zero
    return "".join([line % tuple(row) for row in rows]).encode("ascii")
