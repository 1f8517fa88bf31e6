"""What divides datasets: the filters of their table, and the search in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from dashboard.frame.facets import Facet
from delvecore.model import ORIGINS, USAGES

__all__ = ["FACETS", "Row", "with_words"]

Row = Mapping[str, Any]
"""A row of the archive's table of datasets."""


def _facet(name: str, title: str, term: str, options: tuple[str, ...], column: str) -> Facet[Row]:
    """Return the facet of a column that holds the group itself."""
    return Facet(name, title, term, options, lambda row: [row[column]])


def _by_size(
    name: str, title: str, term: str, limits: tuple[int, int], options: tuple[str, str, str], column: str
) -> Facet[Row]:
    """Return the facet of a column that holds a number: up to the first limit, up to the second, over it."""

    def groups(row: Row) -> list[str]:
        number = row[column]
        return [] if number is None else [options[sum(number > limit for limit in limits)]]

    return Facet(name, title, term, options, groups)


def _missing(row: Row) -> list[str]:
    known = row["missing_values"]
    return [] if known is None else ["some" if known else "none"]


def _task_types(row: Row) -> Sequence[str]:
    return row["task_types"] or []


FACETS: tuple[Facet[Row], ...] = (
    _facet("origin", "Origin", "origin", ORIGINS, "origin"),
    _facet("usage", "Usage", "usage", USAGES, "usage"),
    Facet("kind", "Task type", "task", ("classification", "regression", "mixed"), _task_types),
    _by_size("size", "Cases", "case", (500, 5000), ("up to 500", "501 to 5,000", "over 5,000"), "cases"),
    _by_size("width", "Attributes", "attribute", (10, 30), ("up to 10", "11 to 30", "over 30"), "attributes"),
    Facet("missing", "Missing values", "missing value", ("none", "some"), _missing),
)


def with_words(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the rows in whose name, title or summary all words of a text occur."""
    wanted = text.casefold().split()
    return [row for row in rows if all(word in _searchable(row) for word in wanted)]


def _searchable(row: Row) -> str:
    parts = (row["dataset"], row["title"], row["summary"], *(row["prototasks"] or ()))
    return " ".join(part for part in parts if part).casefold()
