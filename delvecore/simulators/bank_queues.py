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
    town = _Town(days)
    while town.open.any():
        town.next_event(draws.uniform(6, len(town.open)))
    return town.rejected / np.maximum(town.customers, 1)


class _Town:
    """The state of all days. queues: customers before each teller, shape (days, banks, tellers)."""

    def __init__(self, days):
        self.days = days
        count = len(days.hours)
        self.rows = np.arange(count)
        working = np.arange(TELLERS) < days.tellers[:, :, np.newaxis]
        self.queues = np.where(working, 0, _CLOSED)
        service = np.where(working, days.speed[:, :, np.newaxis], 0.0).reshape(count, -1)
        self.limits = np.cumsum(np.hstack([days.rate, service]), axis=1)
        self.total = self.limits[:, -1]
        self.time, self.open = np.zeros(count), np.ones(count, dtype=bool)
        self.customers, self.rejected = np.zeros(count), np.zeros(count)

    def next_event(self, uniform):
        """Let the next event of each day happen. uniform: draws from [0, 1), shape (6, days)."""
        wait, which, *customer = uniform
        self.time -= np.log1p(-wait) / self.total
        self.open = self.time < self.days.hours
        event = (self.limits[:, :-1] <= (which * self.total)[:, np.newaxis]).sum(axis=1)
        arrives = self.open & (event < AREAS)
        self._arrive(np.flatnonzero(arrives), event, customer)
        serves = np.flatnonzero(self.open & ~arrives)
        bank, teller = np.divmod(event[serves] - AREAS, TELLERS)
        queue = self.queues[serves, bank, teller]
        self.queues[serves, bank, teller] = queue - (queue > 0)

    def _arrive(self, rows, area, customer):
        """One customer comes on each of these days, from a place in his area that is drawn evenly."""
        area = area[rows]
        east, north, choice, patience = (part[rows] for part in customer)
        bank = self._chosen(rows, area, east, north, choice)
        queues = self.queues[rows, bank]
        teller = queues.argmin(axis=1)
        length = queues[np.arange(len(rows)), teller]
        bears = 1.0 - np.log1p(-patience) * (self.days.patience[rows, area] - 1.0)
        stays = (length < self.days.places[rows, bank]) & (length < bears)
        self.queues[rows, bank, teller] += stays
        self.customers[rows] += 1
        self.rejected[rows] += ~stays

    def _chosen(self, rows, area, east, north, choice):
        """Return the bank that each customer chooses: probability as exp(-distance / temperature)."""
        days, side = self.days, self.days.half_side[rows, area]
        x = days.area_x[rows, area] + (2.0 * east - 1.0) * side
        y = days.area_y[rows, area] + (2.0 * north - 1.0) * side
        distance = np.hypot(days.bank_x[rows] - x[:, np.newaxis], days.bank_y[rows] - y[:, np.newaxis])
        distance -= days.appeal[rows]
        distance -= distance.min(axis=1, keepdims=True)
        weight = np.cumsum(np.exp(-distance / days.temperature[rows, np.newaxis]), axis=1)
        return (weight[:, :-1] <= (choice * weight[:, -1])[:, np.newaxis]).sum(axis=1)
