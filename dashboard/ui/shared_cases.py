"""What every page says beside errors of tasks whose instances share cases."""

from collections.abc import Collection

from dashboard.server import archive as opened
from delvecore.plots import words
from delvecore.report.shared_cases import shared_case_notes

__all__ = ["shared_cases"]


def shared_cases(state: str, tasks: Collection[str]) -> str:
    """Return ` /demo/age/std.21: training sets overlap ...` for the end of a caption; mostly nothing."""
    notes = shared_case_notes(opened.archive_of(state).results, tasks)
    return "".join(f" {words.escape(note)}" for note in notes)
