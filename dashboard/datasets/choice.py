"""Filters for the list of datasets."""

import functools
from collections.abc import Iterable, Mapping, Sequence

from dashboard.server.archive import Row
from dashboard.ui.controls import Facet
from delvecore.model import ORIGINS, USAGES


def _by_size(
    name: str, title: str, term: str, limits: tuple[int, int], options: tuple[str, str, str], column: str
) -> Facet[Row]:
    """Return the filter of a column of numbers: up to the first limit, up to the second, or above."""

    def groups(row: Row) -> list[str]:
        number = row[column]
        return [] if number is None else [options[sum(number > limit for limit in limits)]]

    return Facet(name, title, term, options, groups)


def _missing(row: Row) -> list[str]:
    known = row["missing_values"]
    return [] if known is None else ["some" if known else "none"]


TERMS = {"noise": "noise level", "non-linearity": "non-linearity", "inputs": "input"}
"""Terms of the glossary for factors."""


def _input_kinds(row: Row) -> list[str]:
    kinds = [kind for kind, count in row.get("inputs", {}).items() if count]
    return ["mixed"] if len(kinds) > 1 else kinds


INPUT_KINDS = ("numeric", "categorical", "mixed")
TASK_TYPES = ("classification", "regression", "mixed")
FACETS: tuple[Facet[Row], ...] = (
    Facet("input-kind", "Kind of inputs", "input", INPUT_KINDS, _input_kinds),
    Facet("kind", "Targets", "target", TASK_TYPES, lambda row: row["task_types"] or []),
    _by_size("size", "Cases", "case", (500, 5000), ("up to 500", "501 to 5,000", "over 5,000"), "cases"),
    Facet("origin", "Origin", "origin", ORIGINS, lambda row: [row["origin"]]),
    Facet("usage", "Usage", "usage", USAGES, lambda row: [row["usage"]]),
    _by_size("width", "Attributes", "attribute", (10, 30), ("up to 10", "11 to 30", "over 30"), "attributes"),
    Facet("missing", "Missing values", "missing value", ("none", "some"), _missing),
)


def facets_of(factors: Mapping[str, tuple[str, ...]]) -> tuple[Facet[Row], ...]:
    """Return all filters. Those of the factors of task-arrays, with levels in words, come last."""
    named = (
        Facet(f"factor-{name}", name.capitalize(), TERMS.get(name), options, functools.partial(_level, name))
        for name, options in factors.items()
    )
    return (*FACETS, *named)


FIRST_FACETS = ("input-kind", "kind")
"""Names of the filters that are always visible."""


def _level(factor: str, row: Row) -> list[str]:
    level = row["levels"].get(factor)
    return [] if level is None else [level]


def shown_facets(
    facets: Iterable[Facet[Row]], rows: Sequence[Row], asked: Mapping[str, Sequence[str]]
) -> list[Facet[Row]]:
    """Return the filters that distinguish these datasets, and the chosen options."""
    facet_groups = ((one, {tuple(sorted(one.groups(row))) for row in rows}) for one in facets)
    return [one for one, groups in facet_groups if asked.get(one.name) or len(groups) > 1]
