"""Notes at the end of captions: on tasks whose instances share cases, and on results published elsewhere."""

from collections.abc import Collection, Sequence

from dashboard.server import archive as opened
from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue, origins_of
from delvecore.plots import words
from delvecore.report.shared_cases import shared_case_notes

__all__ = ["published_note", "shared_cases"]


def shared_cases(state: str, tasks: Collection[str]) -> str:
    """Return ` /demo/age/std.21: training sets overlap ...` for the end of a caption; mostly nothing."""
    notes = shared_case_notes(opened.archive_of(state).results, tasks)
    return "".join(f" {words.escape(note)}" for note in notes)


def published_note(found: Sequence[PublishedValue]) -> str:
    """Say what hollow marks are, and where their figures come from, for the end of a caption."""
    if not found:
        return ""
    said = words.escape("; ".join(origins_of(found)))
    return (
        f" Hollow marks, {PUBLISHED_SIGN}: published elsewhere, bars of one standard deviation over runs; "
        f"never tested. {said}."
    )
