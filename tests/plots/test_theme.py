"""Colors that can be told apart and stay with their methods, by a published measure of their difference."""

import itertools

import numpy as np
import pytest

from delvecore.plots import theme
from tests.conftest import ROOT
from tests.plots.colors import KINDS_OF_SIGHT, difference, seen

LIGHT, DARK = "#ffffff", "#101418"


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2.1 defines it."""
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", [*theme.COLORS, theme.GRAY, theme.LINE_GRAY])
@pytest.mark.parametrize("background", [LIGHT, DARK])
def test_marks_stand_out_from_both_backgrounds(color, background):
    assert contrast(color, background) >= 3


def test_labels_of_the_mouse_have_a_contrast_of_more_than_15():
    label = theme.new_figure(height=100).plotly().layout.hoverlabel
    assert contrast(label.bgcolor, label.font.color) > 15


def test_ones_own_method_is_black_and_white_on_dark_ground():
    # Text needs 4.5 to 1; the style sheet of the pages turns the black into white.
    assert contrast(theme.MINE, LIGHT) > 20
    assert contrast("#ffffff", DARK) > 15
    assert "rgb(1, 1, 1)" in (ROOT / "dashboard/static/page.css").read_text("utf-8")
    assert theme.MINE not in theme.COLORS


@pytest.mark.parametrize("sight", KINDS_OF_SIGHT)
def test_readers_without_one_kind_of_cones_tell_all_colors_apart(sight):
    # 2.3 is just to be seen, 10 at a glance; marks differ, too.
    pairs = itertools.combinations([seen(color, sight) for color in theme.COLORS], 2)
    assert min(itertools.starmap(difference, pairs)) > (12 if sight == "all" else 7)
    pairs = itertools.combinations([seen(color, sight) for color in theme.COLORS[:8]], 2)
    assert min(itertools.starmap(difference, pairs)) > (19 if sight == "all" else 12)


def test_the_first_colors_are_the_most_different():
    def least(count):
        pairs = itertools.combinations(theme.COLORS[:count], 2)
        return min(difference(seen(a, sight), seen(b, sight)) for a, b in pairs for sight in KINDS_OF_SIGHT)

    distances = [least(count) for count in range(2, len(theme.COLORS) + 1)]
    assert distances == sorted(distances, reverse=True)
    assert distances[1] > 15


def test_no_two_of_forty_methods_look_alike():
    styles = theme.method_styles([f"m{n}" for n in range(40)])
    assert len(set(styles.values())) == 40


def test_beyond_twelve_methods_are_gray_unless_they_are_to_stand_out():
    names = [f"m{n}" for n in range(14)]
    styles = theme.styles_of(names, never_gray=["m13"])
    assert [style.color == theme.GRAY for style in styles] == [False] * 12 + [True, False]


def test_methods_that_are_left_after_a_choice_keep_their_looks():
    all_of_them = theme.method_styles("abcdefghij")
    assert theme.styles_of("jd", known="abcdefghij") == [all_of_them["j"], all_of_them["d"]]


# Sharma, Wu and Dalal 2005, table 1: pairs 1, 7, 10, 17, 19, 25 and 33.
PUBLISHED = (
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (56, -27, -3), 31.9030),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
)


@pytest.mark.parametrize(("one", "other", "expected"), PUBLISHED)
def test_differences_are_the_published_ones(one, other, expected):
    assert difference(np.array(one), np.array(other)) == pytest.approx(expected, abs=5e-5)
