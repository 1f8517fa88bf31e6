"""The search in the table of datasets, filters by factors, and which dataset is the hardest."""

import pytest

from dashboard.datasets.choice import facets_of, shown_facets
from dashboard.datasets.listing import hardest, unexplained, with_words, within
from dashboard.ui.controls import matching
from tests.dashboard.ui.test_controls import ROWS, names, row

KIN = [
    row("kin-8nm", title="An arm"),
    row("kin-8nh", title="An arm, non-linear"),
    row("titanic", title="Who survived?", prototasks=["survival"]),
]


def test_every_word_must_be_found_somewhere():
    assert names(with_words(ROWS, "italy WINE")) == ["c"]
    assert with_words(ROWS, "italy beer") == []


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("kin8nm", ["kin-8nm"]),
        ("KIN 8-NH", ["kin-8nh"]),
        ("nonlinear", ["kin-8nh"]),
        ("tiatnic", ["titanic"]),
        ("survivall", ["titanic"]),
        ("tatanik", []),
        ("arn", []),
    ],
)
def test_search_forgives_hyphens_case_and_one_letter_of_a_longer_word(text, matches):
    assert names(with_words(KIN, text)) == matches


def measured(name: str, noise: float, rest: float, error: float = 0.0) -> dict:
    by_factor = {"noise": (noise, error), "non-linearity": (rest, error)}
    return row(name) | {"measures": by_factor, "levels": {"noise": "high" if noise > 25 else "medium"}}


UNKNOWN = row("d") | {"measures": {}, "levels": {}}
SHARES = [measured("a", 20.0, 50.0, 1.0), measured("b", 50.0, 25.0), measured("c", 3.0, 60.0), UNKNOWN]


def test_the_hardest_is_that_of_which_a_linear_model_explains_least():
    # Explained: 0.8 * 0.5 = 0.4 of a, 0.5 * 0.75 = 0.375 of b, 0.97 * 0.4 = 0.388 of c.
    assert hardest(SHARES) == ("b", 3)
    assert unexplained(SHARES[1]["measures"])[0] == 62.5
    # Errors of a: sqrt((0.5 * 1)^2 + (0.8 * 1)^2) percent.
    assert unexplained(SHARES[0]["measures"])[1] == pytest.approx(0.89**0.5)
    assert hardest([SHARES[0], UNKNOWN]) is None  # one was measured


def test_datasets_are_filtered_by_level_and_by_measured_share():
    facets = facets_of({"noise": ("medium", "high")})
    assert names(matching(SHARES, facets, {"factor-noise": ["medium"]})) == ["a", "c"]
    assert names(within(SHARES, "noise", 3.0, 20.0)) == ["a", "c"]


def test_filters_by_which_no_datasets_differ_are_left_out_unless_asked_for():
    facets = facets_of({"noise": ("medium", "high")})
    assert [one.name for one in shown_facets(facets, SHARES, {})] == ["factor-noise"]
    assert [one.name for one in shown_facets(facets, SHARES, {"origin": ["natural"]})] == [
        "origin",
        "factor-noise",
    ]
