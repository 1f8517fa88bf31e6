"""The members of the families are what their names say, by the definitions of DELVE's page on task-arrays."""

from functools import cache

import numpy as np
import pytest
from generators import families
from generators.character import HIGH_NOISE, LINEAR, MODERATE_NOISE, NON_LINEAR, Character, character

from delvecore.readers.array import read_array
from delvecore.readers.hierarchy import Hierarchy
from delvecore.simulators import FAMILIES, SIMULATORS, simulated_cases
from tests.data_archive.archive import DATASETS
from tests.shared import shared_cases, shared_path

SOME = ("kin-8nm", "pumadyn-8fh", "bank-8nh")
"""Members that are always simulated, one of a family; all others by `pytest --wide`."""
MEMBERS = [name if name in SOME else pytest.param(name, marks=pytest.mark.wide) for name in SIMULATORS]
CASES = {"kin": 5000, "pumadyn": 5000, "bank": 300}


@cache
def reported() -> dict[str, np.ndarray]:
    return {name: np.array(figures, dtype=float) for name, figures in families.reported().items()}


@pytest.mark.parametrize("name", SIMULATORS)
def test_the_report_proves_what_the_name_says(name):
    noise, noise_error, left, left_error = reported()[name][:4] / 100
    low, high = MODERATE_NOISE
    if name.endswith("m"):
        assert low + 2 * noise_error < noise < high - 2 * noise_error
    else:
        assert noise - 2 * noise_error > HIGH_NOISE
    if name[-2] == "f":
        assert left + 2 * left_error < LINEAR
    else:
        assert left - 2 * left_error > NON_LINEAR


def test_the_task_arrays_hold_the_shares_that_the_report_proves():
    arrays = [read_array(Hierarchy([str(DATASETS.parent)]), family) for family in FAMILIES]
    shares = {
        (member.dataset, factor): share
        for array in arrays
        for (member, factor), share in array.measures.items()
    }
    assert shares == {
        (name, factor): tuple(figures[place : place + 2])
        for name, figures in reported().items()
        for factor, place in (("noise", 0), ("non-linearity", 2))
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", MEMBERS)
def test_the_figures_of_the_report_come_out_again(name: str):
    # From other draws, and a tenth of them: within four standard errors of the difference, and the rounding.
    # The errors are the report's, since those of four batches are themselves uncertain.
    properties = character(name, cases=CASES[SIMULATORS[name]], batches=4, seed=7)
    noise, noise_error, left, left_error, mean, deviation = reported()[name]
    assert abs(100 * properties.noise - noise) < 4 * np.sqrt(1 + 10) * noise_error + 0.1
    assert abs(100 * properties.nonlinearity - left) < 4 * np.sqrt(1 + 10) * left_error + 0.1
    assert properties.mean == pytest.approx(mean, abs=0.06 * deviation)
    assert properties.deviation == pytest.approx(deviation, rel=0.06)


def test_shares_are_those_of_a_model_whose_answer_is_known(monkeypatch: pytest.MonkeyPatch):
    # y = x + x^2 + e on x uniform in [-1, 1], e normal with standard deviation 0.2:
    # var(x) = 1/3, var(x^2) = 1/5 - 1/9 = 4/45, uncorrelated; noise 0.04 of 0.04 + 1/3 + 4/45.
    from delvecore.simulators import kin
    from delvecore.simulators.random_numbers import Input, Member

    member = Member((Input("x", -1.0, 1.0, "x"),), noise=0.2, seed=1)
    monkeypatch.setitem(kin.MEMBERS, "kin-8fm", member)

    def target(member, inputs, draws):
        x = inputs[:, 0]
        return x + x**2 + member.noise * draws.normal(len(x))

    monkeypatch.setattr(kin, "target", target)
    properties = character("kin-8fm", cases=20_000)
    signal = 1 / 3 + 4 / 45
    assert properties.noise == pytest.approx(0.04 / (0.04 + signal), abs=4 * properties.noise_error)
    assert properties.nonlinearity == pytest.approx((4 / 45) / signal, abs=4 * properties.nonlinearity_error)
    assert properties.noise_error < 0.002
    assert properties.nonlinearity_error < 0.004


@pytest.mark.shared
@pytest.mark.parametrize("name", shared_cases("data/delve/kin-8nm.data.gz", ["kin-8nm", "kin-8nh"]))
def test_the_non_linear_arm_is_much_like_the_original(name):
    ours = simulated_cases(name)
    original = np.loadtxt(shared_path(f"data/delve/{name}.data.gz"))
    assert np.abs(ours[:, :8]).max() == pytest.approx(np.abs(original[:, :8]).max(), rel=0.001)
    shares = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
    assert np.quantile(ours[:, 8], shares) == pytest.approx(np.quantile(original[:, 8], shares), abs=0.04)


@pytest.mark.parametrize(("name", "noise", "keeps"), [("kin-8fl", 0.0020, True), ("kin-8fl", 0.0024, False)])
def test_low_noise_is_below_a_quarter_of_a_percent(name: str, noise: float, keeps: bool):
    # By more than two standard errors, as the other levels: 0.0020 + 0.0004 and 0.0024 + 0.0004.
    properties = Character(
        noise, 0.0002, nonlinearity=0.02, nonlinearity_error=0.001, mean=0.0, deviation=1.0
    )
    assert properties.keeps(name) == keeps
