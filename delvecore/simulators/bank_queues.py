"""A simulated town whose people go to the bank: which share of a day's customers is turned away?

Customers live in three square areas and come at random, each area at its own rate. A customer chooses among
three banks by how far they are from home, the more strictly the lower the temperature of choice. In the bank
he goes to the shortest of the queues, one before each teller, and joins it if it has a free place and is not
longer than he is willing to bear; otherwise he is turned away. Service times are exponential.

All days advance together, one event of each at a time. Arrivals and services are Poisson processes, so
the events of a day are one Poisson process with the sum of all rates: an event is an arrival in an area or
the end of a service at a teller, with probabilities in proportion to the rates; at a teller who has nobody to
serve nothing happens. That is the uniformization of a continuous-time Markov chain, exact and not a time step
approximation: Gross and Harris, Fundamentals of Queueing Theory, 3rd ed., Wiley 1998, section 2.8; Kleinrock,
Queueing Systems I, Wiley 1975.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from delvecore.simulators.draws import Draws

__all__ = ["AREAS", "BANKS", "TELLERS", "Days", "turned_away"]

AREAS, BANKS, TELLERS = 3, 3, 4
"""How many areas and banks there are, and the largest number of tellers of a bank."""

_CLOSED = 1 << 20
"""The length of a queue that nobody joins."""


@dataclass(frozen=True)
class Days:
    """Days, one a row, in which nothing is random but what customers and tellers do.

    Of shape (days, areas): area_x, area_y, half_side (km); rate: customers an hour; patience: mean of the
    longest queue that a customer joins. Of shape (days, banks): bank_x, bank_y (km); tellers: open ones, from
    1 to TELLERS; places: of a queue, with the one who is served; speed: customers an hour and teller; appeal:
    km that a bank seems nearer than it is. Of shape (days,): temperature (km); hours: of the day.
    """

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
    """Return the share of the customers of each day that is turned away, between 0 and 1; 0 without any."""
    count = len(days.hours)
    shares, columns, town = np.zeros(count), np.arange(count), _opened(days)
    while town.open.any():
        uniform = draws.uniform(6, count)
        town.next_event(uniform if len(columns) == count else uniform.take(columns, axis=1))
        if town.open.mean() < MOSTLY_OPEN:
            shares[columns] = town.shares()
            columns, town = columns[town.open], town.still_open()
    shares[columns] = town.shares()
    return shares


MOSTLY_OPEN = 0.9
"""Days that are over are put aside when the share of the others is less. It decides on nothing but speed."""


def _opened(days: Days) -> "_Town":
    """Return the town on the mornings of these days."""
    working = np.arange(TELLERS) < days.tellers[:, :, np.newaxis]
    service = np.where(working, days.speed[:, :, np.newaxis], 0.0).reshape(len(working), -1)
    limits = np.cumsum(np.hstack([days.rate, service]), axis=1).T
    names = ("area_x", "area_y", "half_side", "patience", "bank_x", "bank_y", "appeal", "places")
    none = np.zeros_like(days.hours)
    return _Town(
        **{name: np.ascontiguousarray(getattr(days, name).T) for name in names},
        temperature=days.temperature,
        hours=days.hours,
        limits=np.ascontiguousarray(limits[:-1]),
        total=limits[-1].copy(),
        queues=np.where(working, 0, _CLOSED).reshape(len(working), -1).T.copy(),
        time=none,
        customers=none.copy(),
        rejected=none.copy(),
        open=np.ones(len(none), dtype=bool),
    )


@dataclass
class _Town:
    """The state of all days, each of them the same column of every array, and what is known of them.

    limits: sums of the rates of all events but the last, up to each; total: of all; queues: customers before
    each teller, bank by bank, shape (banks * tellers, days).
    """

    area_x: np.ndarray
    area_y: np.ndarray
    half_side: np.ndarray
    patience: np.ndarray
    bank_x: np.ndarray
    bank_y: np.ndarray
    appeal: np.ndarray
    places: np.ndarray
    temperature: np.ndarray
    hours: np.ndarray
    limits: np.ndarray
    total: np.ndarray
    queues: np.ndarray
    time: np.ndarray
    customers: np.ndarray
    rejected: np.ndarray
    open: np.ndarray

    def shares(self) -> np.ndarray:
        return self.rejected / np.maximum(self.customers, 1)

    def still_open(self) -> "_Town":
        """Return the town without the days that are over."""
        return _Town(
            **{name: np.ascontiguousarray(kept[..., self.open]) for name, kept in vars(self).items()}
        )

    def next_event(self, uniform: np.ndarray) -> None:
        """Let the next event of each day happen. uniform: draws from [0, 1), shape (6, days)."""
        wait, which, *customer = uniform
        self.time -= np.log1p(-wait) / self.total
        self.open = self.time < self.hours
        event = (self.limits <= which * self.total).view(np.int8).sum(axis=0, dtype=np.int8)
        arrives = self.open & (event < AREAS)
        self._arrive(np.flatnonzero(arrives), event, customer)
        self.customers += arrives
        serves = np.flatnonzero(self.open & ~arrives)
        place = _places(event[serves] - AREAS, serves, self.queues)
        queue = self.queues.take(place)
        self.queues.put(place, queue - (queue > 0))

    def _arrive(self, days: np.ndarray, event: np.ndarray, customer: Sequence[np.ndarray]) -> None:
        """One customer comes on each of these days, from a place in his area that is drawn evenly."""
        area = _places(event[days], days, self.area_x)
        east, north, choice, patience = (part.take(days) for part in customer)
        bank = self._chosen(days, area, east, north, choice)
        place, length = self._shortest_queue(bank, days)
        bears = 1.0 - np.log1p(-patience) * (self.patience.take(area) - 1.0)
        stays = (length < self.places.take(_places(bank, days, self.places))) & (length < bears)
        self.queues.put(place, length + stays)
        self.rejected[days] += ~stays

    def _shortest_queue(self, bank: np.ndarray, days: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (place, length) of the first of the shortest queues of each day's bank."""
        first = _places(bank * TELLERS, days, self.queues)
        place, length = first, self.queues.take(first)
        for teller in range(1, TELLERS):
            other = first + teller * len(self.time)
            queue = self.queues.take(other)
            shorter = queue < length
            place, length = np.where(shorter, other, place), np.where(shorter, queue, length)
        return place, length

    def _chosen(
        self, days: np.ndarray, area: np.ndarray, east: np.ndarray, north: np.ndarray, choice: np.ndarray
    ) -> np.ndarray:
        """Return the bank that each customer chooses: probability as exp(-distance / temperature)."""
        side = self.half_side.take(area)
        x = self.area_x.take(area) + (2.0 * east - 1.0) * side
        y = self.area_y.take(area) + (2.0 * north - 1.0) * side
        distance = np.hypot(self.bank_x.take(days, axis=1) - x, self.bank_y.take(days, axis=1) - y)
        distance -= self.appeal.take(days, axis=1)
        distance -= distance.min(axis=0)
        weight = np.exp(-distance / self.temperature.take(days))
        for bank in range(1, BANKS):
            weight[bank] += weight[bank - 1]
        return (weight[:-1] <= choice * weight[-1]).sum(axis=0)


def _places(rows: np.ndarray, columns: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Return the flat positions of elements of a two-dimensional array."""
    return rows * np.intp(array.shape[1]) + columns
