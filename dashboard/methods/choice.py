"""Which losses of which method does the visitor want? From what was chosen to a Request that can be shown."""

from collections.abc import Collection
from dataclasses import dataclass

__all__ = ["Request", "chosen_loss"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is shown, and what it is cached by. state: of the archive; loss: one that the method has."""

    state: str
    method: str
    loss: str


def chosen_loss(losses: Collection[str], wanted: str | None) -> str | None:
    """Return the loss wanted if there is one, else the first; None where there is none at all."""
    return wanted if wanted in losses else next(iter(losses), None)
