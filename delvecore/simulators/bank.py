"""The bank family: the share of a day's customers who are turned away at the banks of a simulated town.

Customers live in three square areas and arrive at random, at a separate rate in each area. A customer
chooses among three banks by their distance from home, more strictly at a lower temperature of choice. In the
bank, where each teller has a queue, the customer goes to the shortest one. The customer joins it if it has a
free place and is not longer than the customer tolerates, and is turned away otherwise. Service times are
exponential.

All days advance together, one event of each at a time. Arrivals and services are Poisson processes, so the
events of a day are one Poisson process with the sum of all rates: an event is an arrival in an area or the
end of a service at a teller, with probabilities in proportion to the rates; the end of a service at an idle
teller has no effect. This is the uniformization of a continuous-time Markov chain. It is exact, unlike fixed
time steps: Gross and Harris, Fundamentals of Queueing Theory, 3rd ed., Wiley 1998, section 2.8; Kleinrock,
Queueing Systems I, Wiley 1975."""

import numpy as np

from delvecore.simulators.random_numbers import Draws, Input, Member

AREAS, BANKS, TELLERS = 3, 3, 4
"""Number of areas and banks, and largest number of tellers of a bank."""

_CLOSED = 1 << 20
"""The length of a queue that no customer joins."""


DAYS = np.dtype(
    [
        *((f"a_{name}", float, AREAS) for name in ("x", "y", "side", "rate", "patience")),
        *((f"b_{name}", float, BANKS) for name in ("x", "y", "speed", "appeal")),
        *((f"b_{name}", int, BANKS) for name in ("places", "tellers")),
        *((name, float) for name in ("temperature", "hours")),
    ]
)
"""A row for each day. Only customers and tellers behave randomly.

Areas `a_`: place and half the side in km; rate in customers per hour; patience is the mean of the longest
queue that a customer joins. Banks `b_`: place in km; speed in customers per hour and teller; appeal: by how
many km a bank seems nearer than it is; places of a queue, including the customer who is served; number of
open tellers, from 1 to TELLERS. Temperature in km, and hours of the day."""


def turned_away(days: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the share of customers who are turned away on each of some DAYS, 0 without customers."""
    count = len(days)
    every = np.arange(count)
    working = np.arange(TELLERS) < days["b_tellers"][:, :, np.newaxis]
    service = np.where(working, days["b_speed"][:, :, np.newaxis], 0.0).reshape(count, -1)
    rates = np.hstack([days["a_rate"], service])
    *limits, total = np.cumsum(rates, axis=1).T.copy()  # of rates, up to each event
    queues = np.where(working, 0, _CLOSED)
    time, customers, rejected = np.zeros((3, count))
    while len(every):
        wait, which, *customer = draws.uniform(6, count)
        time -= np.log1p(-wait) / total
        every = np.flatnonzero(time < days["hours"])
        event = np.array([limit <= which * total for limit in limits]).sum(axis=0)[every]
        arrives = event < AREAS
        some, area = every[arrives], event[arrives]
        customers[some] += 1
        rejected[some] += ~_joins(days[some], queues, some, area, np.array(customer)[:, some])
        some, served = every[~arrives], np.divmod(event[~arrives] - AREAS, TELLERS)
        queues[some, *served] = np.maximum(queues[some, *served] - 1, 0)
    shares: np.ndarray = rejected / np.maximum(customers, 1)
    return shares


def _joins(
    days: np.ndarray, queues: np.ndarray, some: np.ndarray, area: np.ndarray, customer: np.ndarray
) -> np.ndarray:
    """Does the customer who arrives on each of some days join the first of the shortest queues of the bank?
    The customer's place is uniform in the area. The probability of a bank is proportional to
    exp(-distance / temperature). queues: shape (days, banks, tellers), changed in place."""
    (east, north, choice, patience), at_home = customer, (np.arange(len(days)), area)
    side = days["a_side"][at_home]
    x = days["a_x"][at_home] + (2.0 * east - 1.0) * side
    y = days["a_y"][at_home] + (2.0 * north - 1.0) * side
    distance = np.hypot(days["b_x"].T - x, days["b_y"].T - y) - days["b_appeal"].T
    weight = np.cumsum(np.exp((distance.min(axis=0) - distance) / days["temperature"]), axis=0)
    bank = (weight[:-1] <= choice * weight[-1]).sum(axis=0)
    teller = queues[some, bank].argmin(axis=1)
    length = queues[some, bank, teller]
    bears = 1.0 - np.log1p(-patience) * (days["a_patience"][at_home] - 1.0)
    joins: np.ndarray = (length < days["b_places"][np.arange(len(days)), bank]) & (length < bears)
    queues[some, bank, teller] += joins
    return joins


TARGET = Input("rejected", 0.0, 1.0, "Share of the day's customers who are turned away")
TARGET_DECIMALS = 6


def target(member: Member, inputs: np.ndarray, draws: Draws) -> np.ndarray:
    """Return the share of customers turned away on days with these inputs, each day simulated anew. The
    inputs record neither the events of the day nor its demand: the rates of all areas are multiplied by a
    log-normal factor of mean one, whose logarithm has the standard deviation `noise`."""
    demand = np.exp(member.noise * draws.normal(len(inputs)) - 0.5 * member.noise**2)

    days = np.zeros(len(inputs), DAYS)
    for name in DAYS.names or ():
        owner, _, quantity = name.rpartition("_")
        form = f"{owner}{{}}_{quantity}" if owner else name
        nominal = [
            NOMINAL.get(form.format(number), OPEN_TELLERS) for number in range(1, days[name][0].size + 1)
        ]
        days[name] = member.columns(inputs, form, nominal).reshape(days[name].shape)
    days["a_rate"] *= demand[:, np.newaxis]
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
