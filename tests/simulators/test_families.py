"""The members of the families are what their names say.

Source: the definitions of DELVE's page on task-arrays: noise is the share of variance that nothing could explain
(moderate: 1 % to 5 %, high: above 25 %), non-linearity the share of the rest that a linear model leaves (fairly
linear: below 5 %, non-linear: above 40 %).
"""

from importlib import import_module

import numpy as np
import pytest

from delvecore.simulators import SIMULATORS, simulated_cases
from delvecore.simulators.draws import Draws
from delvecore.simulators.member import draw_inputs

CASES = {"kin": 20_000, "pumadyn": 20_000, "bank": 4000}


def shares(name: str) -> tuple[float, float]:
    """Noise and non-linearity: what two targets of the same inputs have in common is not noise."""
    family = import_module(f"delvecore.simulators.{SIMULATORS[name]}")
    member, draws, cases = family.MEMBERS[name], Draws(99), CASES[SIMULATORS[name]]
    inputs = draw_inputs(member.inputs, cases, draws)
    first, second = (family.target(member, inputs, draws) for _ in range(2))
    noise = np.square(first - second).mean() / 2
    variance = (first.var() + second.var()) / 2
    scaled = (inputs - inputs.mean(axis=0)) / inputs.std(axis=0)
    design = np.column_stack([np.ones(cases), scaled])
    fitted = design @ np.linalg.lstsq(design, (first + second) / 2, rcond=None)[0]
    left = ((first - fitted) * (second - fitted)).mean() * cases / (cases - design.shape[1])
    return noise / variance, left / (variance - noise)


@pytest.mark.parametrize("name", [name for name in SIMULATORS if not name.startswith("bank-32")])
def test_noise_and_linearity_are_what_the_name_says(name: str):
    noise, left = shares(name)
    assert (0.01 < noise < 0.05) if name.endswith("m") else noise > 0.25
    assert left < 0.05 if name[-2] == "f" else left > 0.4


@pytest.mark.parametrize("name", ["kin-32nm", "pumadyn-8fh", "bank-8fm"])
def test_the_same_cases_come_out_again(name: str):
    once, again = (simulated_cases(name, 100) for _ in range(2))
    assert np.array_equal(once, again)
    assert once.shape == (100, (8 if "-8" in name else 32) + 1)
