"""What a crew carries out, and in which order its outcomes are taken.

A crew computes; who asked it writes. So any member of it may die at any time, and nothing is half-written."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Protocol, TypeAlias, TypeVar

__all__ = ["Asked", "Bench", "CarryOut", "Outcome", "Request", "in_order"]

Asked = TypeVar("Asked", bound="Request[Any]")
Outcome = TypeVar("Outcome")
Wanted = TypeVar("Wanted", contravariant=True)
Made = TypeVar("Made", covariant=True)


class Request(Protocol[Made]):
    """Something to compute. It goes to another process, so it rather has names than data."""

    @property
    def name(self) -> str:
        """No other request of the same run has this name."""
        ...

    def failed(self, error: Exception) -> Made:
        """Return the outcome where it could not be carried out, for want of memory for instance."""
        ...


class Bench(Protocol[Wanted, Made]):
    """Carries out requests one after the other, and may keep for the next what the last one needed: each
    process has one for each run. What is wrong with a request is told in its outcome."""

    def carry_out(self, request: Wanted) -> Made: ...


CarryOut: TypeAlias = Callable[[Iterable[Asked]], Iterator[tuple[Asked, Outcome]]]
"""Yields each request with what came of it, as they are done; requests are asked for one by one."""


def in_order(
    carry_out: CarryOut[Asked, Outcome], requests: Iterable[Asked]
) -> Generator[tuple[Asked, Outcome]]:
    """Yield requests with their outcomes in the order in which they are given. What is done before its turn
    is kept meanwhile."""
    names: deque[str] = deque()
    done: dict[str, tuple[Asked, Outcome]] = {}

    def given() -> Iterator[Asked]:
        for request in requests:
            names.append(request.name)
            yield request

    for request, outcome in carry_out(given()):
        done[request.name] = request, outcome
        while names and names[0] in done:
            yield done.pop(names.popleft())
