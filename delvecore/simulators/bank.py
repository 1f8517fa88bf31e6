"""The bank family: the share of a day's customers who are turned away at the banks of a simulated town.

Customers live in three square areas and arrive at random, each area at a separate rate. A customer chooses
among three banks by their distance from home, more strictly at a lower temperature of choice. In the bank,
the customer goes to the shortest queue, one before each teller. The customer joins it if it has a free place
and is not longer than the customer tolerates, and is turned away otherwise. Service times are exponential.

All days advance together, one event of each at a time. Arrivals and services are Poisson processes, so the
events of a day are one Poisson process with the sum of all rates: an event is an arrival in an area or the
end of a service at a teller, with probabilities in proportion to the rates; at a teller who has nobody to
serve nothing happens. That is the uniformization of a continuous-time Markov chain, exact and not a time step
approximation: Gross and Harris, Fundamentals of Queueing Theory, 3rd ed., Wiley 1998, section 2.8; Kleinrock,
Queueing Systems I, Wiley 1975."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.simulators.random_numbers import Draws, Input, Member

AREAS, BANKS, TELLERS = 3, 3, 4
"""Number of areas and banks, and largest number of tellers of a bank."""

_CLOSED = 1 << 20
"""The length of a queue that nobody joins."""


@dataclass(frozen=True)
class Days:
    """Days, one per row. Only customers and tellers behave randomly.

    Shape (days, areas): area_x, area_y, half_side (km); rate: customers an hour; patience: mean of the
    longest queue that a customer joins. Shape (days, banks): bank_x, bank_y (km); tellers: open ones, from 1
    to TELLERS; places: of a queue, including the customer who is served; speed: customers an hour and teller;
    appeal: km that a bank seems nearer than it is. Shape (days,): temperature (km); hours: of the day."""

    area_x: np.ndarray
    area_y: np.ndarray
    half_side: np.ndarray
    rate: np.ndarray
    patience: np.ndarray
    bank_x: np.ndarray
    bank_y: np.ndarray
    tellers: np.ndarray
    places: np.ndarray
    speed: np.ndarray
    appeal: np.ndarray
    temperature: np.ndarray
    hours: np.ndarray


def turned_away(days: Days, draws: Draws) -> np.ndarray:
    """Return the share of the customers of each day who are turned away, between 0 and 1; 0 without any."""
    count = len(days.hours)
    every = np.arange(count)
    working = np.arange(TELLERS) < days.tellers[:, :, np.newaxis]
    service = np.where(working, days.speed[:, :, np.newaxis], 0.0).reshape(count, -1)
    *limits, total = np.cumsum(np.hstack([days.rate, service]), axis=1).T.copy()  # of rates, up to each event
    queues = np.where(working, 0, _CLOSED)
    time, customers, rejected = np.zeros((3, count))
    while len(every):
        wait, which, *customer = draws.uniform(6, count)
        time -= np.log1p(-wait) / total
        every = np.flatnonzero(time < days.hours)
        event = np.array([limit <= which * total for limit in limits]).sum(axis=0)[every]
        arrives = event < AREAS
        some, area = every[arrives], event[arrives]
        customers[some] += 1
        rejected[some] += ~_joins(days, queues, some, area, [one[some] for one in customer])
        some, served = every[~arrives], np.divmod(event[~arrives] - AREAS, TELLERS)
        queues[some, *served] = np.maximum(queues[some, *served] - 1, 0)
    shares: np.ndarray = rejected / np.maximum(customers, 1)
    return shares


def _joins(
    days: Days, queues: np.ndarray, some: np.ndarray, area: np.ndarray, customer: Sequence[np.ndarray]
) -> np.ndarray:
    """Does the customer who arrives on each of some days join the first of the shortest queues of the bank?
    The customer's place is uniform in the area. queues: shape (days, banks, tellers), changed in place."""
    east, north, choice, patience = customer
    side = days.half_side[some, area]
    x = days.area_x[some, area] + (2.0 * east - 1.0) * side
    y = days.area_y[some, area] + (2.0 * north - 1.0) * side
    bank = _chosen(days, some, x, y, choice)
    teller = queues[some, bank].argmin(axis=1)
    length = queues[some, bank, teller]
    bears = 1.0 - np.log1p(-patience) * (days.patience[some, area] - 1.0)
    joins: np.ndarray = (length < days.places[some, bank]) & (length < bears)
    queues[some, bank, teller] += joins
    return joins


def _chosen(days: Days, some: np.ndarray, x: np.ndarray, y: np.ndarray, choice: np.ndarray) -> np.ndarray:
    """Return the banks that customers from places choose: probability as exp(-distance / temperature)."""
    distance = np.hypot(days.bank_x[some].T - x, days.bank_y[some].T - y) - days.appeal[some].T
    weight = np.cumsum(np.exp((distance.min(axis=0) - distance) / days.temperature[some]), axis=0)
    choices: np.ndarray = (weight[:-1] <= choice * weight[-1]).sum(axis=0)
    return choices


TARGET = Input("rejected", 0.0, 1.0, "Share of the day's customers who are turned away")
TARGET_DECIMALS = 6


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the share of customers turned away on days with these inputs, each day simulated again. The
    inputs do not record the day itself, and the demand: the rates of all areas are multiplied by a log-normal
    factor of mean one, whose logarithm has the standard deviation `noise`."""
    demand = np.exp(member.noise * draws.normal(len(inputs)) - 0.5 * member.noise**2)

    def of_all(name: str, count: int) -> np.ndarray:
        nominal = [NOMINAL[name.format(number)] for number in range(1, count + 1)]
        return member.columns(inputs, name, nominal)

    days = Days(
        area_x=of_all("a{}_x", AREAS),
        area_y=of_all("a{}_y", AREAS),
        half_side=of_all("a{}_side", AREAS),
        rate=of_all("a{}_rate", AREAS) * demand[:, np.newaxis],
        patience=of_all("a{}_patience", AREAS),
        bank_x=of_all("b{}_x", BANKS),
        bank_y=of_all("b{}_y", BANKS),
        tellers=np.full((len(inputs), BANKS), OPEN_TELLERS),
        places=of_all("b{}_places", BANKS).astype(np.int64),
        speed=of_all("b{}_speed", BANKS),
        appeal=of_all("b{}_appeal", BANKS),
        temperature=of_all("temperature", 1)[:, 0],
        hours=of_all("hours", 1)[:, 0],
    )
    return turned_away(days, draws)


Limits = tuple[float, float]
Ranges = dict[str, Limits]
"""The limits of inputs by their names."""
ANYWHERE = (-1.5, 1.5)
OPEN_TELLERS = 2
_HOMES = {1: (0.0, 1.2), 2: (-1.2, -0.6), 3: (1.2, -0.6)}
_BANKS = {1: (0.0, 1.0), 2: (-1.0, -0.5), 3: (1.0, -0.5)}


def _nominal() -> dict[str, float]:
    """Return the values of the quantities that a member does not vary."""
    values: dict[str, float] = {"temperature": 0.5, "hours": 16.0}
    for area, (x, y) in _HOMES.items():
        values |= {f"a{area}_x": x, f"a{area}_y": y, f"a{area}_side": 0.5}
        values |= {f"a{area}_rate": 40.0, f"a{area}_patience": 6.0}
    for bank, (x, y) in _BANKS.items():
        values |= {f"b{bank}_x": x, f"b{bank}_y": y, f"b{bank}_appeal": 0.0}
        values |= {f"b{bank}_places": 6, f"b{bank}_speed": 15.0}
    return values


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
    def described(name: str) -> str:
        kind, _, quantity = name.rpartition("_")
        return _DESCRIPTIONS[f"{kind[0]}_{quantity}"].format(kind[1]) if kind else _DESCRIPTIONS[name]

    return tuple(
        Input(name, *limits, described(name), whole=name.endswith("places"))
        for name, limits in ranges.items()
    )


def _around(nominal: float, reach: float) -> Limits:
    return nominal - reach, nominal + reach


def _all_varied(
    moving: tuple[int, ...], *, reach: float, areas: Ranges, speed: Limits, temperature: Limits
) -> Ranges:
    """Return the limits of all 32 inputs. moving: areas whose homes may be anywhere; other homes, and banks,
    are at most `reach` from their nominal places; areas: limits of the other inputs of each area."""
    ranges: Ranges = {}
    for area, home in _HOMES.items():
        for name, place in zip("xy", home, strict=True):
            ranges[f"a{area}_{name}"] = ANYWHERE if area in moving else _around(place, reach)
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
