"""Sentences, numbers and escaped names."""

import math

import pytest

from delvecore.losses.standard_losses import LOSSES
from delvecore.report import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1234.5678, "1,235"),
        (0.00123456, "0.001235"),
        (-2.5, "−2.5"),
        (1e12, "1.000e+12"),
        (math.inf, "∞"),
        (math.nan, "–"),
        (None, "–"),
        (9.99996, "10"),
    ],
)
def test_numbers_have_four_digits_and_no_exponent_where_they_stay_readable(value, text):
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.41237, 0.01321, "0.412 ± 0.013"),
        (12.3456, 0.0996, "12.35 ± 0.10"),
        (1234.5, 56.7, "1,234 ± 57"),
        (-0.5, 0.25, "−0.50 ± 0.25"),
        (0.5, None, "0.5"),
        (math.inf, 0.1, "∞"),
    ],
)
def test_digits_follow_the_error(value, error, text):
    # Two significant digits of the error decide; 0.0996 rounds to 0.10, which has two of them.
    assert words.with_error(value, error) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0532, "p = 0.053"),
        (0.5, "p = 0.50"),
        (0.00123, "p = 0.0012"),
        (3e-9, "p < 0.0001"),
        (1.0, "p = 1.00"),
        (None, "p undefined"),
        (math.nan, "p undefined"),
    ],
)
def test_p_values_keep_two_digits(p, text):
    assert words.p_value(p) == text


def test_counts_agree_with_their_nouns():
    assert [words.count(n, "task") for n in (0, 1, 8192)] == ["no tasks", "1 task", "8,192 tasks"]
    assert words.count(2, "class", "classes") == "2 classes"


def test_lists_end_in_and():
    assert [words.and_list(list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_a_share_of_something_is_never_nothing_nor_all():
    assert [words.share(part, 1000) for part in (0, 1, 500, 999, 1000)] == [
        "0 %",
        "< 1 %",
        "50 %",
        "> 99 %",
        "100 %",
    ]
    assert words.share(0, 0) == "–"


@pytest.mark.parametrize(
    "name",
    [
        "![x](http://a.b/c.png)",
        "[a](b)",
        "$x$",
        "<img src=x>",
        "`code`",
        "**bold**",
        "# head",
        ":red[x]",
        "a|b",
    ],
)
def test_every_sign_of_markdown_is_escaped(name):
    escaped = words.escape(name)
    bare = escaped.replace("\u200c", "")
    for position, letter in enumerate(bare):
        if letter in "![]()$<>`*#|":
            assert bare[position - 1] == "\\", escaped
    assert bare.replace("\\", "") == name


def test_escaping_breaks_pictures_made_of_letters():
    assert ":smile:" not in words.escape(":smile:").replace("\\", "")
    assert "->" not in words.escape("a->b").replace("\\", "")


def test_a_name_is_one_short_line():
    assert words.plain("a\nb\tc\x07") == "a b c"
    assert len(words.plain("x" * 1000)) == 400


def test_text_for_figures_is_no_html():
    assert words.plot_text("<a href='x'>&$") == "&lt;a href='x'&gt;&amp;&#36;"


def test_losses_are_words_before_letters():
    assert words.loss_name("S") == "Squared error (S)"
    assert set(words.LOSSES) == set(LOSSES) >= set("ALQSZ")
    assert words.LOSSES["L"].baseline_value == 0
    assert words.loss_axis("Z", standardized=True) == "← better   standardized 0-1 loss (Z)"


def test_specialised_losses_are_told_in_words():
    assert words.loss_name("Z0.2N") == "0-1 loss, 0.2 for no guess (Z0.2N)"
    assert words.loss_name("Mcosts") == "Loss matrix costs (Mcosts)"
    assert words.loss_words("S3N").explanation.endswith("Making no guess costs 3. Lower is better.")
    assert (words.loss_words("Mcosts").baseline, words.loss_words("Mcosts").baseline_value) == (
        "the best constant guess",
        1.0,
    )


def test_a_loss_that_names_a_file_is_escaped_where_markdown_is_shown():
    assert words.loss_markdown("S") == "Squared error (S)"
    assert "*" not in words.loss_markdown("M*a*").replace("\\*", "")


def test_what_is_no_loss_of_delve_is_a_metric_and_keeps_its_name():
    assert (words.loss_baseline("Q0.2N"), words.loss_name("Q0.2N")) == (None, "Q0.2N")
    assert (words.loss_name("accuracy"), words.loss_name("-score")) == ("accuracy", "score")
    assert words.loss_axis("accuracy", standardized=True) == "← better   1 - accuracy"


def test_the_values_of_a_metric_are_better_on_its_own_side():
    assert words.value_axis("accuracy") == "accuracy   better →"
    assert words.value_axis("rmse") == "← better   rmse"
    assert words.value_axis("-score", difference=True) == "difference in score"
    assert words.value_axis("S", standardized=True) == words.loss_axis("S", standardized=True)
    assert words.loss_option("1 - F") == "Metric: F measure (F, higher is better)"
    assert words.loss_words("acc").explanation == "Accuracy: share of cases with p = t. Higher is better."


def test_losses_wanted_most_come_first_and_specialised_ones_last():
    losses = sorted(["Mcosts", "L", "Z0.2N", "S", "Z"], key=words.loss_preference)
    assert losses == ["S", "Z", "L", "Mcosts", "Z0.2N"]


def test_axes_of_specialised_losses_are_short():
    assert words.loss_axis("Z0.2N", standardized=True) == "← better   standardized loss Z0.2N"
    assert words.loss_axis("Mcosts", difference=True) == "difference in loss Mcosts"
    assert (
        words.loss_axis("S", standardized=True, difference=True) == "difference in standardized squared error"
    )


@pytest.mark.parametrize(
    ("letters", "text"),
    [
        ("M", "medium (M)"),
        ("LM", "low or medium (LM)"),
        ("NLM", "none to medium (NLM)"),
        ("NLMH", "none to high (NLMH)"),
        ("NH", "none or high (NH)"),
        ("NLH", "none or low or high (NLH)"),
        ("HL", "low or high (HL)"),
    ],
)
def test_levels_of_a_prior_are_spelled_with_their_letters_behind(letters: str, text: str):
    assert words.prior_levels(letters) == text


def test_a_sentence_is_said_aloud_without_its_marks():
    name = words.escape("lin_1*")
    assert words.spoken(f"**{name}** is best, see `S`.") == "lin_1* is best, see S."
