"""The bank family: eight datasets of simulated days, from the queues of `bank_queues`."""

import numpy as np

from delvecore.simulators.bank_queues import AREAS, BANKS, Days, turned_away
from delvecore.simulators.draws import Draws
from delvecore.simulators.member import Input, Member

__all__ = ["MEMBERS", "NOMINAL", "OPEN_TELLERS", "TARGET", "TARGET_DECIMALS", "target"]

TARGET = Input("rejected", 0.0, 1.0, "Share of the day's customers who are turned away")
TARGET_DECIMALS = 6


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the share of customers turned away on days with these inputs, each day simulated anew.

    What is not recorded is the day itself, and how much demand there is: the rates of all areas are
    multiplied by a log-normal factor of mean one, whose logarithm has the standard deviation `noise`.
    """
    cases = len(inputs)
    demand = np.exp(member.noise * draws.normal(cases) - 0.5 * member.noise**2)
    return turned_away(_days(member.values(inputs), demand, cases), draws)


def _days(values: dict[str, np.ndarray], demand: np.ndarray, cases: int) -> Days:
    def of_all(kind: str, quantity: str, count: int) -> np.ndarray:
        names = [f"{kind}{number}_{quantity}" for number in range(1, count + 1)]
        return np.column_stack([values.get(name, np.full(cases, NOMINAL[name])) for name in names])

    def whole(kind: str, quantity: str, count: int) -> np.ndarray:
        return of_all(kind, quantity, count).astype(np.int64)

    return Days(
        area_x=of_all("a", "x", AREAS),
        area_y=of_all("a", "y", AREAS),
        half_side=of_all("a", "side", AREAS),
        rate=of_all("a", "rate", AREAS) * demand[:, np.newaxis],
        patience=of_all("a", "patience", AREAS),
        bank_x=of_all("b", "x", BANKS),
        bank_y=of_all("b", "y", BANKS),
        tellers=np.full((cases, BANKS), OPEN_TELLERS),
        places=whole("b", "places", BANKS),
        speed=of_all("b", "speed", BANKS),
        appeal=of_all("b", "appeal", BANKS),
        temperature=values.get("temperature", np.full(cases, NOMINAL["temperature"])),
        hours=values.get("hours", np.full(cases, NOMINAL["hours"])),
    )


Limits = tuple[float, float]
Ranges = dict[str, Limits]
"""The limits of inputs by their names."""
ANYWHERE = (-1.5, 1.5)
OPEN_TELLERS = 2
_HOMES = {1: (0.0, 1.2), 2: (-1.2, -0.6), 3: (1.2, -0.6)}
_BANKS = {1: (0.0, 1.0), 2: (-1.0, -0.5), 3: (1.0, -0.5)}


def _nominal() -> dict[str, float]:
    """Return the values of what a member does not vary."""
    found: dict[str, float] = {"temperature": 0.5, "hours": 16.0}
    for area, (x, y) in _HOMES.items():
        found |= {f"a{area}_x": x, f"a{area}_y": y, f"a{area}_side": 0.5}
        found |= {f"a{area}_rate": 40.0, f"a{area}_patience": 6.0}
    for bank, (x, y) in _BANKS.items():
        found |= {f"b{bank}_x": x, f"b{bank}_y": y, f"b{bank}_appeal": 0.0}
        found |= {f"b{bank}_places": 6, f"b{bank}_speed": 15.0}
    return found


NOMINAL = _nominal()
_DESCRIPTIONS = {
    "a_x": "Home of area {}, east (km)",
    "a_y": "Home of area {}, north (km)",
    "a_side": "Half the side of area {} (km)",
    "a_rate": "Customers of area {} (an hour)",
    "a_patience": "Mean of the longest queue that customers of area {} join",
    "b_x": "Bank {}, east (km)",
    "b_y": "Bank {}, north (km)",
    "b_appeal": "How much nearer bank {} seems than it is (km)",
    "b_places": "Places in a queue of bank {}",
    "b_speed": "Customers that a teller of bank {} serves (an hour)",
    "temperature": "Temperature of choice: how little distance matters (km)",
    "hours": "Length of the day (hours)",
}


def _inputs(ranges: Ranges) -> tuple[Input, ...]:
    return tuple(_input(name, *limits) for name, limits in ranges.items())


def _input(name: str, low: float, high: float) -> Input:
    kind, _, quantity = name.rpartition("_")
    key, number = (f"{kind[0]}_{quantity}", kind[1]) if kind else (name, "")
    return Input(name, low, high, _DESCRIPTIONS[key].format(number), whole=quantity == "places")


def _around(nominal: float, reach: float) -> Limits:
    return nominal - reach, nominal + reach


def _all_varied(
    moving: tuple[int, ...], *, reach: float, areas: Ranges, speed: Limits, temperature: Limits
) -> Ranges:
    """Return the limits of all 32 inputs.

    moving: the areas whose homes may be anywhere; the other homes, and the banks, are at most `reach` from
    their nominal places; areas: the limits of the other inputs of each area.
    """
    ranges: Ranges = {}
    for area, (x, y) in _HOMES.items():
        is_far = area in moving
        ranges[f"a{area}_x"] = ANYWHERE if is_far else _around(x, reach)
        ranges[f"a{area}_y"] = ANYWHERE if is_far else _around(y, reach)
        ranges |= {f"a{area}_{quantity}": limits for quantity, limits in areas.items()}
    for bank, (x, y) in _BANKS.items():
        ranges |= {f"b{bank}_x": _around(x, reach), f"b{bank}_y": _around(y, reach)}
        ranges |= {f"b{bank}_appeal": (-0.1, 0.1), f"b{bank}_places": (5, 7), f"b{bank}_speed": speed}
    return ranges | {"temperature": temperature, "hours": (14.0, 18.0)}


FAIRLY_LINEAR_8 = {
    **{f"a{area}_rate": (25.0, 80.0) for area in _HOMES},
    **{f"b{bank}_speed": (9.0, 15.0) for bank in _BANKS},
    "temperature": (0.5, 0.9),
    "a1_patience": (4.0, 8.0),
}
NON_LINEAR_8 = {
    **dict.fromkeys(("a1_x", "a1_y", "a2_x", "a2_y"), ANYWHERE),
    "a1_rate": (40.0, 50.0),
    "temperature": (0.05, 0.4),
    "b1_speed": (14.0, 17.0),
    "a1_patience": (4.0, 8.0),
}


FAIRLY_LINEAR_32 = _all_varied(
    (),
    reach=0.15,
    areas={"side": (0.4, 0.6), "rate": (25.0, 80.0), "patience": (5.0, 7.0)},
    speed=(9.0, 15.0),
    temperature=(0.5, 0.8),
)
NON_LINEAR_32 = _all_varied(
    (1, 2),
    reach=0.2,
    areas={"side": (0.3, 0.7), "rate": (40.0, 50.0), "patience": (4.0, 8.0)},
    speed=(14.0, 17.0),
    temperature=(0.05, 0.4),
)
MEMBERS = {
    "bank-8fm": Member(_inputs(FAIRLY_LINEAR_8), noise=0.0, seed=2081),
    "bank-8fh": Member(_inputs(FAIRLY_LINEAR_8), noise=0.14, seed=2082),
    "bank-8nm": Member(_inputs(NON_LINEAR_8), noise=0.0, seed=2083),
    "bank-8nh": Member(_inputs(NON_LINEAR_8), noise=0.17, seed=2084),
    "bank-32fm": Member(_inputs(FAIRLY_LINEAR_32), noise=0.0, seed=2321),
    "bank-32fh": Member(_inputs(FAIRLY_LINEAR_32), noise=0.14, seed=2322),
    "bank-32nm": Member(_inputs(NON_LINEAR_32), noise=0.0, seed=2323),
    "bank-32nh": Member(_inputs(NON_LINEAR_32), noise=0.17, seed=2324),
}
