"""The one rounding rule."""

import math

import pytest

from delvecore.report.rounding import column_decimals, decimals_for, p_text, rounded


@pytest.mark.parametrize(
    ("error", "decimals"),
    [
        (0.0134, 3),
        (0.0996, 2),
        (0.00996, 3),
        (1.0, 1),
        (9.96, 0),
        (123.0, 0),
        (0.0, 3),
        (None, 3),
        (math.inf, 3),
    ],
)
def test_decimals_show_two_significant_digits_of_the_error(error, decimals):
    # 0.0996 rounds to 0.10 and 9.96 to 10: two digits each.
    assert decimals_for(error) == decimals


def test_a_column_has_the_decimals_of_its_smallest_error():
    assert column_decimals([0.5, 0.0123, None, math.nan, 0.0]) == 3
    assert column_decimals([None, math.nan], otherwise=5) == 5


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.005, "1.00"),
        (-0.126, "-0.13"),
        (-0.001, "0.00"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (None, ""),
        (math.nan, ""),
    ],
)
def test_numbers_keep_the_decimals_of_their_column(value, text):
    assert rounded(value, 2) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.2449, "0.24"),
        (1.0, "1.00"),
        (0.0527, "0.053"),
        (0.00123, "0.0012"),
        (0.00009, "< 0.0001"),
        (0.0, "< 0.0001"),
        (None, ""),
        (math.nan, ""),
    ],
)
def test_p_values_have_two_digits(p, text):
    assert p_text(p) == text


@pytest.mark.parametrize(
    ("p", "text"), [(0.0498, "0.0498"), (0.04999, "0.04999"), (0.0996, "0.0996"), (0.00996, "0.00996")]
)
def test_rounding_does_not_carry_a_p_value_across_a_level(p, text):
    assert p_text(p) == text
