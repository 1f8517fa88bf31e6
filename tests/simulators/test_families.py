"""The simulated families: robot arms and a bank worked out otherwise, their random numbers, their records."""

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest

from delvecore.locations import default_directories
from delvecore.readers.dataset import parse_generator
from delvecore.simulators import FAMILIES, SIMULATORS, bank, record_path, simulated_text
from delvecore.simulators.bank import turned_away
from delvecore.simulators.pumadyn import FRICTION, accelerations, torques
from delvecore.simulators.random_numbers import Draws

# Printed by Corke, Robotics, Vision and Control (Springer 2011), section 9.2, and in the manual of his
# Robotics Toolbox: `p560.gravload(qn)` and `p560.inertia(qn)` of the same constants.
NOMINAL = np.array([[0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0]])
STILL = np.zeros((1, 6))


def test_gravity_load_in_the_nominal_pose_is_the_printed_one():
    load = torques(NOMINAL, STILL, STILL)[0]
    assert load == pytest.approx([0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0], abs=5e-5)


def test_inertia_in_the_nominal_pose_is_the_printed_one():
    columns = [torques(NOMINAL, STILL, STILL + unit, gravity=0.0)[0] for unit in np.eye(6)]
    inertia = np.column_stack(columns)
    assert inertia[:3, :3] == pytest.approx(
        np.array([[3.6594, -0.4044, 0.1006], [-0.4044, 4.4137, 0.3509], [0.1006, 0.3509, 0.9378]]), abs=5e-5
    )
    assert np.diag(inertia)[3:] == pytest.approx([0.1925, 0.1713, 0.1941], abs=5e-5)
    assert inertia == pytest.approx(inertia.T, abs=1e-12)


def test_accelerations_are_those_that_the_torques_would_need():
    angles, velocities, wanted = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 50, 6))
    needed = torques(angles, velocities, wanted) + FRICTION * velocities
    assert accelerations(angles, velocities, needed) == pytest.approx(wanted, abs=1e-9)


DAYS = 100


def one_bank(*, rate: float, speed: float, tellers: int, places: int, hours: float = 48.0) -> np.ndarray:
    """Days on which one area has customers, of endless patience, and all but one bank are out of reach."""
    days = np.zeros(DAYS, dtype=bank.DAYS)
    days["a_side"], days["a_rate"][:, 0], days["a_patience"] = 0.1, rate, 1e12
    days["b_x"][:, 1:] = 1e6
    days["b_tellers"], days["b_places"], days["b_speed"] = tellers, places, speed
    days["temperature"], days["hours"] = 1.0, hours
    return days


@pytest.mark.slow
def test_one_queue_turns_away_as_many_as_m_m_1_k():
    # Gross and Harris, section 2.4: p_K = (1 - r) r^K / (1 - r^(K+1)), here r = 1.2 and K = 5.
    expected = (1 - 1.2) * 1.2**5 / (1 - 1.2**6)
    shares = turned_away(one_bank(rate=60.0, speed=50.0, tellers=1, places=5), Draws(1))
    assert shares.mean() == pytest.approx(expected, abs=4 * shares.std() / math.sqrt(DAYS) + 0.002)


@pytest.mark.slow
def test_tellers_without_queues_turn_away_as_many_as_erlang_says():
    # Erlang's loss formula for three servers and a load of 2.4.
    load = 60.0 / 25.0
    expected = load**3 / 6 / sum(load**n / math.factorial(n) for n in range(4))
    shares = turned_away(one_bank(rate=60.0, speed=25.0, tellers=3, places=1), Draws(2))
    assert shares.mean() == pytest.approx(expected, abs=4 * shares.std() / math.sqrt(DAYS) + 0.001)


def test_a_day_without_customers_turns_nobody_away():
    assert not turned_away(one_bank(rate=0.0, speed=25.0, tellers=1, places=1, hours=1.0), Draws(3)).any()


def test_uniform_draws_are_numpys_own():
    # NumPy documents `Generator.random` as the upper 53 bits of a word; an independent way to the same numbers.
    expected = np.random.Generator(np.random.PCG64(5)).random((3, 4))
    assert np.array_equal(Draws(5).uniform(3, 4), expected)


def test_normal_draws_have_the_moments_of_the_normal_distribution():
    # Mean 0, variance 1, third moment 0, fourth 3; standard errors of 40,000 draws 0.005, 0.007, 0.019, 0.049.
    draws = Draws(6).normal(40_000)
    moments = [(draws**power).mean() for power in (1, 2, 3, 4)]
    assert moments == pytest.approx([0, 1, 0, 3], abs=0.15)
    assert moments[:2] == pytest.approx([0, 1], abs=0.02)


def test_exponential_draws_have_mean_and_standard_deviation_one():
    draws = Draws(7).exponential(40_000)
    assert (draws.mean(), draws.std()) == pytest.approx((1, 1), abs=0.03)
    assert draws.min() >= 0


def test_an_order_is_a_permutation_that_the_seed_decides():
    order = Draws(8).order(100)
    assert sorted(order) == list(range(1, 101)) != order
    assert Draws(8).order(100) == order != Draws(9).order(100)


ALWAYS = "bank-8nh"
"""The member that is always simulated anew; all others by `pytest --wide`."""
RECORDED = [name for name in SIMULATORS if Path(record_path(name)).is_file()]


def test_the_bank_family_is_recorded_and_no_other():
    assert [name for name in SIMULATORS if SIMULATORS[name] == FAMILIES[-1] == "bank"] == RECORDED


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_targets_make_the_cases_that_the_archive_names(name: str):
    path = Path(default_directories()[0]) / "data" / name / "Dataset.generator"
    generator = parse_generator(path.read_text(), str(path))
    assert hashlib.sha256(simulated_text(name)).hexdigest() == generator.checksum


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name if name == ALWAYS else pytest.param(name, marks=pytest.mark.wide) for name in RECORDED]
)
def test_recorded_targets_are_what_is_simulated(name: str):
    assert simulated_text(name, anew=True) == simulated_text(name)
