"""Intervals and tests of shares. Numbers: Flach, section 12.3; Newcombe (1998), table I; SciPy."""

import pytest
from scipy import stats

from delvecore.stats.classification.contingency import (
    null_test,
    share_intervals,
)

COUNTS = [(0, 10), (1, 29), (15, 148), (20, 263), (81, 263), (5, 5), (80, 100), (9990, 10000)]


def ends(interval):
    return interval.lower, interval.upper


def test_example_12_5_a_hundred_cases():
    # Printed: 68 % [0.76, 0.84], 95 % [0.72, 0.88]; the latter with two standard deviations for 1.96.
    assert ends(share_intervals(80, 100, level=0.6827)[2]) == pytest.approx((0.76, 0.84), abs=1e-5)
    found = share_intervals(80, 100)[2]
    assert [round(end, 2) for end in ends(found)] == [0.72, 0.88]
    assert found.caution is None  # n a (1 - a) = 16


def test_example_12_5_fifty_cases_is_wider_in_the_book_than_it_is():
    # Printed [0.68, 0.92]: twice the standard deviation rounded to 0.06, which is 0.0566.
    assert ends(share_intervals(40, 50, level=0.9545)[2]) == pytest.approx((0.687, 0.913), abs=5e-4)
    assert ends(share_intervals(40, 50)[2]) == pytest.approx((0.689, 0.911), abs=5e-4)


def test_the_p_value_of_section_12_3_is_two_sided_though_the_text_asks_for_one_side():
    # "The probability of obtaining a measurement of 0.80 or higher": printed 1.9732e-9, which is twice that.
    found = null_test(80, 100, null=0.5)
    assert found.normal_two_sided == pytest.approx(1.9732e-9, rel=1e-4)
    assert found.normal_greater == pytest.approx(9.8659e-10, rel=1e-4)
    assert found.greater == pytest.approx(5.5795e-10, rel=1e-4)


@pytest.mark.parametrize(
    ("counts", "wilson", "exact"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, methods 3 and 5.
        ((81, 263), (0.2553, 0.3662), (0.2527, 0.3676)),
        ((15, 148), (0.0624, 0.1605), (0.0578, 0.1617)),
        ((0, 20), (0.0000, 0.1611), (0.0000, 0.1684)),
        ((1, 29), (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_intervals_are_those_of_newcombes_table(counts, wilson, exact):
    found = share_intervals(*counts)
    assert ends(found[0]) == pytest.approx(wilson, abs=5e-5)
    assert ends(found[1]) == pytest.approx(exact, abs=5e-5)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_intervals_agree_with_scipy(successes, trials, level):
    test = stats.binomtest(successes, trials)
    found = share_intervals(successes, trials, level=level)
    for interval, method in zip(found, ("wilson", "exact"), strict=False):
        expected = test.proportion_ci(level, method=method)
        assert ends(interval) == pytest.approx((expected.low, expected.high), abs=1e-10)


@pytest.mark.parametrize("null", [0.02, 0.5, 0.8])
@pytest.mark.parametrize(("successes", "trials"), COUNTS)
def test_exact_tests_agree_with_scipy(successes, trials, null):
    found = null_test(successes, trials, null=null)
    greater = stats.binomtest(successes, trials, null, alternative="greater").pvalue
    both = stats.binomtest(successes, trials, null).pvalue
    assert found.greater == pytest.approx(greater, rel=1e-9)
    assert found.two_sided == pytest.approx(both, rel=1e-9, abs=1e-300)


def test_a_normal_interval_of_few_cases_says_that_it_is_no_good():
    assert "too few cases" in share_intervals(9, 10)[2].caution


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (0, 0)])
def test_what_is_no_count_is_refused(successes, trials):
    with pytest.raises(ValueError, match="successes"):
        share_intervals(successes, trials)


def test_what_is_no_level_or_null_hypothesis_is_refused():
    with pytest.raises(ValueError, match="level"):
        share_intervals(1, 2, level=1)
    with pytest.raises(ValueError, match="null hypothesis"):
        null_test(1, 2, null=1)
