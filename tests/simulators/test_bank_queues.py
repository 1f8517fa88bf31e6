"""The simulated queues beside queueing theory."""

import math

import numpy as np
import pytest

from delvecore.simulators.bank import BANKS, Days, turned_away
from delvecore.simulators.random_numbers import Draws

DAYS = 200


def one_bank(*, rate: float, speed: float, tellers: int, places: int, hours: float = 48.0) -> Days:
    """Days on which one area has customers, of endless patience, and all but one bank are out of reach."""

    def filled(value, width, first=None):
        array = np.full((DAYS, width), value)
        if first is not None:
            array[:, 0] = first
        return array

    return Days(
        area_x=filled(0.0, 3),
        area_y=filled(0.0, 3),
        half_side=filled(0.1, 3),
        rate=filled(0.0, 3, rate),
        patience=filled(1e12, 3),
        bank_x=filled(1e6, BANKS, 0.0),
        bank_y=filled(0.0, BANKS),
        tellers=filled(tellers, BANKS),
        places=filled(places, BANKS),
        speed=filled(speed, BANKS),
        appeal=filled(0.0, BANKS),
        temperature=np.full(DAYS, 1.0),
        hours=np.full(DAYS, hours),
    )


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
