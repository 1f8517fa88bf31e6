"""By which loss and setting are the methods of the archive ranked?"""

from dataclasses import dataclass

from delvecore.stats.choose import Setting

__all__ = ["Request"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is shown, and what it is cached by. state: of the archive; unit: what counts once, None for the
    usual."""

    state: str
    loss: str
    setting: Setting
    unit: str | None = None
