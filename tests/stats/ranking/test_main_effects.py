"""Which settings of the variants of a method mattered."""

import math

import numpy as np
import pytest

from delvecore.stats.ranking.main_effects import main_effects
from delvecore.stats.ranking.score_table import ScoreTable, Units

METHODS = ("v1", "v2", "v3", "v4")
SETTINGS = {
    name: {"learner": "svm", "C": c, "gamma": gamma}
    for name, c, gamma in zip(METHODS, ("1", "10", "1", "10"), ("a", "a", "b", "b"), strict=True)
}
VALUES = np.array([[1.0, 2, 3, 4], [1, 3, 2, 4], [1, 2, 4, 3]])


def table(values: np.ndarray = VALUES, units: Units | None = None) -> ScoreTable:
    return ScoreTable(tuple(f"task {row}" for row in range(len(values))), METHODS, values, units=units)


def test_a_values_rank_is_the_mean_rank_of_the_variants_that_have_it():
    settings = main_effects(table(), SETTINGS).settings
    # Ranks with gamma a: (1 + 2) / 2, (1 + 3) / 2, (1 + 2) / 2; with b what is left of 5. gamma has the wider range.
    assert list(settings) == ["gamma", "C"]
    assert [(one.name, one.variants, one.rank) for one in settings["gamma"]] == [
        ("a", 2, pytest.approx(5 / 3)),
        ("b", 2, pytest.approx(10 / 3)),
    ]
    # With C = 1: 2, 1.5, 2.5.
    assert [one.rank for one in settings["C"]] == pytest.approx([2, 3])


def test_intervals_are_students_over_the_units():
    c = main_effects(table(), SETTINGS).settings["C"][0]
    # Mean 2 of 2, 1.5, 2.5: standard error 0.5 / sqrt(3); t with 2 degrees of freedom at 0.975 is 4.302653.
    half = 4.302653 * 0.5 / math.sqrt(3)
    assert (c.lower, c.upper) == pytest.approx((max(2 - half, 1), 2 + half))


def test_p_is_friedmans_of_the_values_and_adjusted_for_the_settings():
    # Gamma a is better on all 6 tasks: 2 of the 64 orders are as far apart, doubled by Holm for two settings.
    p = main_effects(table(np.vstack([VALUES, VALUES])), SETTINGS).p
    assert p["gamma"] == pytest.approx(2 * 2 / 64)
    assert p["C"] >= p["gamma"]


def test_losses_are_means_and_settings_that_all_share_are_left_out():
    effects = main_effects(table(), SETTINGS)
    assert [one.value for one in effects.variants] == pytest.approx([1, 7 / 3, 3, 11 / 3])
    assert set(effects.settings) == {"C", "gamma"}


def test_a_single_unit_has_no_interval_and_no_p():
    effects = main_effects(table(VALUES[:1]), SETTINGS)
    assert all(map(math.isnan, effects.p.values()))
    assert math.isnan(effects.variants[0].lower)
    assert effects.variants[0].rank == 1


def test_a_setting_that_some_variants_lack_is_a_value_of_its_own():
    settings = {**SETTINGS, "v1": {"gamma": "a"}}
    values = main_effects(table(), settings).settings["C"]
    assert [value.name for value in values] == ["", "10", "1"]


def test_ranks_that_are_the_same_on_all_units_have_no_interval():
    # v1 is first on all three tasks, v2 is not always second.
    first, second = main_effects(table(), SETTINGS).variants[:2]
    assert first.rank == 1
    assert np.isnan([first.lower, first.upper]).all()
    assert second.lower < second.rank < second.upper
