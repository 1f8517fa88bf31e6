"""Ranges of section 3.1 of the manual and of real archives."""

from math import inf

import pytest

from delvecore.model import IntegerRange, Interval
from delvecore.readers.dataset import parse_range


def test_the_manual_s_example_of_all_numbers_but_zero_or_missing():
    limits = parse_range("(-Inf,0) (0,+Inf) ?")
    assert limits.intervals == (Interval(-inf, 0, False, False), Interval(0, inf, False, False))
    assert limits.missing == ("?",)
    assert limits.kind == "real"
    assert limits.categories is None


@pytest.mark.parametrize(
    ("text", "value", "inside"),
    [
        ("[0,1)", 0, True),
        ("[0,1)", 1, False),
        ("(0,1]", 0, False),
        ("(0,1]", 1, True),
        ("[-Inf,Inf]", 5, True),
    ],
)
def test_brackets_say_whether_the_bound_belongs(text, value, inside):
    assert (value in parse_range(text).intervals[0]) is inside


def test_a_finite_integer_range_stands_for_its_values_in_order():
    assert parse_range("1..5").categories == ("1", "2", "3", "4", "5")
    assert parse_range("0..Inf").categories is None


def test_category_names_may_start_with_a_digit():
    assert parse_range("1st 2nd 3rd crew").values == ("1st", "2nd", "3rd", "crew")


def test_an_interval_written_with_blanks_inside_is_one_item():
    assert parse_range("[0, Inf) ?").intervals == (Interval(0, inf, True, False),)


def test_integers_are_whole():
    assert 2.5 not in IntegerRange(0, inf)
    assert 3.0 in IntegerRange(0, inf)


@pytest.mark.parametrize("text", ["", "[0;1]", "[1,0]", "[a,1]", "5..1", "a a", "[0,1"])
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the words differ by case; callers add the rest
        parse_range(text)
