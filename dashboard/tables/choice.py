"""Which table does the visitor want? From what was chosen to a Request that can be answered.

Pure: what cannot be had gives a notice, Markdown with escaped names, and the nearest that can.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dashboard.frame import words
from dashboard.frame.selection import Selection
from dashboard.frame.wanted import note_missing_methods, wanted_loss
from delvecore.report.paper.request import PaperRequest

__all__ = ["EVERYTHING", "Request", "choose_loss", "choose_methods", "choose_reference"]

EVERYTHING = "/"


@dataclass(frozen=True, slots=True)
class Request:
    """All that was chosen on the page. state: of the archive; paper: what `delve table` would be asked."""

    state: str
    paper: PaperRequest


def choose_loss(losses: Collection[str], selection: Selection, notices: list[str]) -> str:
    """Return the loss chosen, or the most wanted one, which is the first."""
    return wanted_loss(losses, next(iter(losses)), selection, notices, where="on these tasks")


def choose_methods(available: Sequence[str], selection: Selection, notices: list[str]) -> tuple[str, ...]:
    """Return the methods of the table in the order in which they were chosen; without any, all."""
    note_missing_methods(available, selection, notices)
    return tuple(name for name in selection.methods if name in available) or tuple(available)


def choose_reference(methods: Sequence[str], selection: Selection, notices: list[str]) -> str | None:
    """Return the method that others are marked against, if there is one."""
    if selection.reference is None or selection.reference in methods:
        return selection.reference
    notices.append(f"The reference {words.escape(selection.reference)} is not in the table.")
    return None
