"""What an address asks for beside what there is to be had, and what is said where the two differ."""

from collections.abc import Collection, Sequence

from dashboard.frame import words
from dashboard.frame.selection import Selection
from delvecore.statistics.choose import DEFAULT_LEVEL

__all__ = ["note_missing_methods", "wanted_level", "wanted_loss", "wanted_reference"]


def wanted_level(selection: Selection) -> float:
    """Return the confidence asked for, else the usual one."""
    return selection.level or DEFAULT_LEVEL


def wanted_loss(
    known: Collection[str], usual: str, selection: Selection, notices: list[str], *, where: str
) -> str:
    """Return the loss asked for if it is known, else the usual one, and say so. where: such as "here"."""
    if selection.loss and selection.loss in known:
        return selection.loss
    if selection.loss:
        missing, shown = (words.escape(words.loss_name(loss)) for loss in (selection.loss, usual))
        notices.append(f"{missing} is not known {where}; this is {shown}.")
    return usual


def note_missing_methods(
    available: Collection[str],
    selection: Selection,
    notices: list[str],
    *,
    where: str = "here",
    shown: str = "shown",
) -> None:
    """Say which of the methods asked for have no results. shown: what cannot be done with them."""
    missing = [words.escape(name) for name in selection.methods if name not in available]
    if missing:
        have = "has" if len(missing) == 1 else "have"
        notices.append(f"{words.and_list(missing)} {have} no results {where} and cannot be {shown}.")


def wanted_reference(
    available: Sequence[str], selection: Selection, notices: list[str], *, where: str, instead: str
) -> str:
    """Return the reference asked for if it is available, else the first method, and say so. instead: what
    that first method is."""
    if selection.reference and selection.reference in available:
        return selection.reference
    if selection.reference:
        name = words.escape(selection.reference)
        notices.append(f"The reference {name} has no results {where}; {instead} takes its place.")
    return available[0]
