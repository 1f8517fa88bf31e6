"""The one rounding rule; sentences, numbers and escaped names."""

import math

from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.measures import column_measure
from delvecore.render.numbers import column_decimals, decimals_for, p_text, rounded
from delvecore.report import words


def test_decimals_show_two_significant_digits_of_the_error():
    # 0.0996 rounds to 0.10 and 9.96 to 10: two digits each.
    errors = (0.0134, 0.0996, 0.00996, 1.0, 9.96, 123.0, 0.0, None, math.inf)
    assert [decimals_for(error) for error in errors] == [3, 2, 3, 1, 0, 0, 3, 3, 3]


def test_a_column_has_the_decimals_of_its_smallest_error():
    assert column_decimals([0.5, 0.0123, None, math.nan, 0.0]) == 3
    assert column_decimals([None, math.nan], otherwise=5) == 5


def test_numbers_keep_the_decimals_of_their_column():
    values = (1.005, -0.126, -0.001, math.inf, -math.inf, None, math.nan)
    assert [rounded(value, 2) for value in values] == ["1.00", "-0.13", "0.00", "inf", "-inf", "", ""]


def test_p_values_have_two_digits():
    values = (0.2449, 1.0, 0.0527, 0.00123, 0.00009, 0.0, None, math.nan)
    assert [p_text(p) for p in values] == ["0.24", "1.00", "0.053", "0.0012", "< 0.0001", "< 0.0001", "", ""]
    assert [words.p_value(p) for p in (0.5, 3e-9, None)] == ["p = 0.50", "p < 0.0001", "p undefined"]


def test_rounding_does_not_carry_a_p_value_across_a_level():
    assert [p_text(p) for p in (0.0498, 0.04999, 0.0996, 0.00996)] == [
        "0.0498",
        "0.04999",
        "0.0996",
        "0.00996",
    ]


def test_numbers_have_four_digits_and_no_exponent_where_they_stay_readable():
    values = (0.0, 1234.5678, 0.00123456, -2.5, 1e12, math.inf, math.nan, None, 9.99996)
    texts = ["0", "1,235", "0.001235", "−2.5", "1.000e+12", "∞", "–", "–", "10"]
    assert [words.number(value) for value in values] == texts


def test_digits_follow_the_error():
    # Two significant digits of the error decide; 0.0996 rounds to 0.10, which has two of them.
    pairs = (
        (0.41237, 0.01321),
        (12.3456, 0.0996),
        (1234.5, 56.7),
        (-0.5, 0.25),
        (0.5, None),
        (math.inf, 0.1),
    )
    texts = ["0.412 ± 0.013", "12.35 ± 0.10", "1,234 ± 57", "−0.50 ± 0.25", "0.5", "∞"]
    assert [words.with_error(*pair) for pair in pairs] == texts


def test_a_share_of_something_is_never_nothing_nor_all():
    assert [words.share(part, 1000) for part in (0, 1, 500, 999, 1000)] == [
        "0 %",
        "< 1 %",
        "50 %",
        "> 99 %",
        "100 %",
    ]
    assert words.share(0, 0) == "–"


def test_every_sign_of_markdown_is_escaped():
    hostile = (
        "![x](http://a.b/c.png)",
        "[a](b)",
        "$x$",
        "<img src=x>",
        "`code`",
        "**bold**",
        "# head",
        ":red[x]",
        "a|b",
    )
    for name in hostile:
        bare = words.escape(name).replace("\u200c", "")
        signs = [position for position, letter in enumerate(bare) if letter in "![]()$<>`*#|"]
        assert {bare[position - 1] for position in signs} <= {"\\"}, name
        assert bare.replace("\\", "") == name


def test_escaping_breaks_pictures_made_of_letters():
    assert ":smile:" not in words.escape(":smile:").replace("\\", "")
    assert "->" not in words.escape("a->b").replace("\\", "")


def test_a_name_is_one_short_line():
    assert words.short_line("a\nb\tc\x07") == "a b c"
    assert len(words.short_line("x" * 1000)) == 400


def test_text_for_figures_is_no_html():
    assert words.plot_text("<a href='x'>&$") == "&lt;a href='x'&gt;&amp;&#36;"


SCORE, ACCURACY = column_measure("score", True), column_measure("accuracy", True, 1.0)


def test_a_column_of_scores_keeps_its_name_and_has_no_other_unit():
    assert words.measure_name(column_measure("Q0.2N", False)) == "Q0.2N"
    assert [words.measure_name(one) for one in (ACCURACY, column_measure("1 - score", True))] == [
        "accuracy",
        "1 - score",
    ]
    assert words.measure_axis(ACCURACY, standardized=True) == "accuracy   better →"
    assert words.measure_quantity(ACCURACY) == "accuracy (higher is better)"


def test_the_values_of_a_metric_are_better_on_its_own_side():
    assert words.measure_axis(ACCURACY) == "accuracy   better →"
    assert words.measure_axis(column_measure("rmse", False)) == "← better   rmse"
    assert words.measure_axis(SCORE, difference=True) == "difference in score"
    assert words.measure_axis(LOSS_SPECS["S"], standardized=True) == (
        "← better   standardized squared error (S)"
    )
    assert words.measure_option(column_measure("F", True)) == "Metric: F measure (F, higher is better)"
    about = words.about_measure(column_measure("acc", True))
    assert about == "Accuracy: share of cases with p = t. Higher is better."
