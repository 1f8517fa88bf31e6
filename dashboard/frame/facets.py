"""Filters of the datasets table: which datasets fit, and how many would fit with one option more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from delvecore.model import ORIGINS, USAGES

__all__ = ["FACETS", "Facet", "counts_of", "matching", "options_of"]


@dataclass(frozen=True)
class Facet:
    """A property that divides datasets into groups.

    groups: the groups that a row of the datasets table belongs to; options: all groups, in their order.
    """

    name: str
    title: str
    term: str
    options: tuple[str, ...]
    groups: Callable[[Mapping], Sequence[str]]


def _size(limits, labels):
    def group(number):
        if number is None:
            return []
        return [
            next((label for limit, label in zip(limits, labels, strict=False) if number <= limit), labels[-1])
        ]

    return group


_CASES = ("up to 500", "501 to 5,000", "over 5,000")
_ATTRIBUTES = ("up to 10", "11 to 30", "over 30")
_by_cases, _by_attributes = _size((500, 5000), _CASES), _size((10, 30), _ATTRIBUTES)


def _missing(row):
    known = row["missing_values"]
    return [] if known is None else ["some" if known else "none"]


FACETS = (
    Facet(
        "origin",
        "Origin",
        "origin",
        ORIGINS,
        lambda row: [row["origin"]],
    ),
    Facet(
        "usage",
        "Usage",
        "usage",
        USAGES,
        lambda row: [row["usage"]],
    ),
    Facet(
        "kind",
        "Task type",
        "task",
        ("classification", "regression", "mixed"),
        lambda row: row["task_types"] or [],
    ),
    Facet("size", "Cases", "case", _CASES, lambda row: _by_cases(row["cases"])),
    Facet("width", "Attributes", "attribute", _ATTRIBUTES, lambda row: _by_attributes(row["attributes"])),
    Facet("missing", "Missing values", "missing value", ("none", "some"), _missing),
)


def matching(
    rows: Sequence[Mapping], chosen: Mapping[str, Sequence[str]], text: str = "", *, without: str = ""
) -> list[Mapping]:
    """Return the rows of the datasets table that fit every filter.

    chosen: options by facet name, of which a row needs one; none chosen: all fit. text: words that must all
    occur in name, title or summary. without: a facet to leave out.
    """
    active = [facet for facet in FACETS if chosen.get(facet.name) and facet.name != without]
    wanted = text.casefold().split()
    return [
        row
        for row in rows
        if all(set(facet.groups(row)) & set(chosen[facet.name]) for facet in active)
        and all(word in _searchable(row) for word in wanted)
    ]


def _searchable(row):
    parts = (row["dataset"], row["title"], row["summary"], *(row["prototasks"] or ()))
    return " ".join(part for part in parts if part).casefold()


def options_of(facet: Facet, rows: Sequence[Mapping]) -> list[str]:
    """Which options of a facet does any dataset have? All of them where none has any."""
    groups = {group for row in rows for group in facet.groups(row)}
    return [option for option in facet.options if option in groups] or list(facet.options)


def counts_of(
    facet: Facet, rows: Sequence[Mapping], chosen: Mapping[str, Sequence[str]], text: str = ""
) -> dict[str, int]:
    """How many datasets has each option of a facet, given all other filters?"""
    fitting = matching(rows, chosen, text, without=facet.name)
    groups = [group for row in fitting for group in facet.groups(row)]
    return {option: groups.count(option) for option in facet.options}
