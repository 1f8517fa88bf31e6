"""What is remarked on the way: guesses, and what is left out."""

from collections.abc import Iterable, Sequence

from delvecore.readers.scores.columns import Column
from delvecore.readers.scores.records import Guess, Notice

__all__ = ["COLUMN_OPTIONS", "Remarks"]

COLUMN_OPTIONS = {"dataset": "--dataset", "method": "--method-column"}
"""What says which column holds the names."""
SHOWN = 8
"""Names that a notice lists."""


class Remarks:
    """Guesses and notices of one file, in the order in which they were made."""

    def __init__(self) -> None:
        self.guesses: list[Guess] = []
        self.notices: list[Notice] = []

    def guess(self, role: str, taken: str, others: Iterable[str] = (), option: str = "") -> None:
        """Note what was taken for what."""
        self.guesses.append(Guess(role, taken, tuple(others), option))

    def leave(
        self,
        what: str,
        names: Sequence[str],
        why: str,
        *,
        count: int | None = None,
        line: int | None = None,
        remedy: str = "",
    ) -> None:
        """Note what is left out, unless there is none of it."""
        many = len(names) if count is None else count
        if many:
            self.notices.append(Notice(what, tuple(names[:SHOWN]), many, why, line=line, remedy=remedy))

    def leave_columns(self, columns: Sequence[Column], why: str, remedy: str = "") -> None:
        """Note columns that are passed over."""
        self.leave("column", [column.name for column in columns], why, remedy=remedy)
