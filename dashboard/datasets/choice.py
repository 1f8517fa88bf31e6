"""Which datasets are listed, by the filters of their table, and what is shown of one of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.frame.controls import Facet
from dashboard.server.archive import Row
from delvecore.model import ORIGINS, USAGES

__all__ = ["FACETS", "Request", "facets_of", "with_words"]


@dataclass(frozen=True, slots=True)
class Request:
    """state: of the archive; the others are empty, or 0, where a part of the page needs none."""

    state: str
    dataset: str
    attribute: str = ""
    prototask: str = ""
    prior: str = ""
    training_size: int = 0


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


TASK_TYPES = ("classification", "regression", "mixed")
FACETS: tuple[Facet[Row], ...] = (
    Facet("origin", "Origin", "origin", ORIGINS, lambda row: [row["origin"]]),
    Facet("usage", "Usage", "usage", USAGES, lambda row: [row["usage"]]),
    Facet("kind", "Task type", "task", TASK_TYPES, lambda row: row["task_types"] or []),
    _by_size(
        name="size",
        title="Cases",
        term="case",
        limits=(500, 5000),
        options=("up to 500", "501 to 5,000", "over 5,000"),
        column="cases",
    ),
    _by_size(
        name="width",
        title="Attributes",
        term="attribute",
        limits=(10, 30),
        options=("up to 10", "11 to 30", "over 30"),
        column="attributes",
    ),
    Facet("missing", "Missing values", "missing value", ("none", "some"), _missing),
)


def facets_of(rows: Sequence[Row]) -> list[Facet[Row]]:
    """Return the filters that may find some of these datasets."""
    return [one for one in FACETS if any({*one.options_of(rows)} & {*one.groups(row)} for row in rows)]


def with_words(rows: Sequence[Row], text: str) -> list[Row]:
    """Return the rows in whose name, title or summary all words of a text occur."""
    found = []
    for row in rows:
        parts = (row["dataset"], row["title"], row["summary"], *(row["prototasks"] or ()))
        searched = " ".join(part for part in parts if part).casefold()
        if all(word in searched for word in text.casefold().split()):
            found.append(row)
    return found
