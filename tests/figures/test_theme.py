"""Colours that can be told apart and stay with their methods."""

import pytest

from delvecore.figures import theme

LIGHT, DARK = "#ffffff", "#101418"


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.1 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [*theme.COLOURS, theme.GREY, theme.LINE_GREY])
@pytest.mark.parametrize("background", [LIGHT, DARK])
def test_marks_stand_out_from_both_backgrounds(colour, background):
    assert contrast(colour, background) >= 3


def test_eight_methods_have_eight_colours_and_markers():
    styles = theme.method_styles([f"method-{n}" for n in range(8)])
    assert len({style.colour for style in styles.values()}) == 8
    assert len({style.symbol for style in styles.values()}) == 8


def test_no_two_of_forty_methods_look_alike():
    styles = theme.method_styles([f"m{n}" for n in range(40)])
    assert len(set(styles.values())) == 40


def test_a_method_keeps_its_look_whatever_the_order():
    names = ["lin-1", "gp-1", "base-1"]
    assert theme.method_styles(names) == theme.method_styles(reversed(names))


def test_adding_a_method_later_in_the_alphabet_moves_no_other():
    names = ["base-1", "gp-1", "knn-cv-1", "lin-1"]
    before = theme.method_styles(names)
    after = theme.method_styles([*names, "zzz"])
    assert {name: after[name] for name in names} == before


def test_figures_never_turn_text():
    figure = theme.new_figure(height=100)
    assert (figure.layout.xaxis.tickangle, figure.layout.yaxis.tickangle, figure.layout.height) == (0, 0, 100)


def test_an_empty_figure_says_why():
    assert theme.empty_figure("Nothing yet", height=90).layout.annotations[0].text == "Nothing yet"
