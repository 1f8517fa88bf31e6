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


def chosen_loss(losses: Collection[str], wanted: str | None, usual: str | None = None) -> str | None:
    """Return the loss wanted, else the usual one, else the first of those there are; None without any."""
    return next((one for one in (wanted, usual) if one in losses), next(iter(losses), None))
