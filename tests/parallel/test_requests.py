"""Outcomes are taken in the order of their requests, whoever is done first."""

from typing import NamedTuple

from delvecore.parallel.requests import in_order


class Numbered(NamedTuple):
    number: int

    @property
    def name(self) -> str:
        return str(self.number)

    def failed(self, error: Exception) -> int:
        raise error


def test_outcomes_come_in_the_order_of_requests():
    def backwards(requests):
        for one in reversed(list(requests)):
            yield one, one.number**2

    found = list(in_order(backwards, map(Numbered, range(4))))
    assert found == [(Numbered(n), n**2) for n in range(4)]


def test_what_is_done_in_turn_is_not_held_back():
    asked = []

    def requests():
        for number in range(3):
            asked.append(number)
            yield Numbered(number)

    def one_by_one(given):
        for one in given:
            yield one, one.number

    outcomes = in_order(one_by_one, requests())
    assert next(outcomes) == (Numbered(0), 0)
    assert asked == [0]
