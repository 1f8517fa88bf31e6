"""Filters: what fits, and counts."""

import pytest

from dashboard.datasets.choice import FACETS
from dashboard.ui.controls import counts_of, matching


def row(name: str, **changes) -> dict:
    facts = {
        "dataset": name,
        "title": None,
        "summary": None,
        "origin": "natural",
        "usage": "assessment",
        "task_types": ["regression"],
        "cases": 500,
        "attributes": 10,
        "missing_values": 0,
        "prototasks": [],
    }
    return facts | changes


ROWS = [
    row("a"),
    row("b", origin="simulated", cases=501, task_types=["classification", "regression"]),
    row("c", cases=None, missing_values=None, title="Wines of Italy"),
]
ORIGIN, KIND, SIZE = (next(one for one in FACETS if one.name == name) for name in ("origin", "kind", "size"))


def names(rows) -> list[str]:
    return [each["dataset"] for each in rows]


def test_no_filter_lets_everything_through():
    assert names(matching(ROWS, FACETS, {})) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"origin": ["natural"]}, ["a", "c"]),
        ({"origin": ["natural", "simulated"]}, ["a", "b", "c"]),
        ({"kind": ["classification"]}, ["b"]),
        ({"size": ["up to 500"]}, ["a"]),
        ({"origin": ["natural"], "size": ["501 to 5,000"]}, []),
        ({"missing": ["none"]}, ["a", "b"]),
    ],
)
def test_options_of_one_filter_are_alternatives_and_filters_add_up(chosen, found):
    assert names(matching(ROWS, FACETS, chosen)) == found


def test_counts_say_what_an_option_would_give_under_the_other_filters():
    counts = counts_of(ORIGIN, ROWS, FACETS, {"origin": ["natural"], "kind": ["classification"]})
    assert counts == {"natural": 0, "cultivated": 0, "simulated": 1, "artificial": 0}


def test_only_options_that_occur_are_offered():
    assert ORIGIN.options_of(ROWS) == ["natural", "simulated"]
    assert KIND.options_of([]) == list(KIND.options)
    assert SIZE.options_of(ROWS) == ["up to 500", "501 to 5,000"]
