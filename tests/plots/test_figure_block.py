"""What is around every figure: its buttons, its frame, its words for those who have no mouse."""

import pytest

from delvecore.plots import theme
from delvecore.plots.highlighted_method import emphasised, name_places


def luminance(colour):
    """The relative luminance of `#rrggbb`: WCAG 2.1, section 1.4.3."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_labels_of_the_mouse_have_a_contrast_of_more_than_15():
    label = theme.new_figure(height=100).layout.hoverlabel
    ends = sorted(luminance(colour) + 0.05 for colour in (label.bgcolor, label.font.color))
    assert ends[1] / ends[0] > 15


@pytest.mark.parametrize("pixels", [0, 640])
def test_a_figure_says_which_width_it_needs_beside_what_its_places_stand_for(pixels):
    figure = theme.new_figure(height=100)
    name_places(figure, y=["a", "b"])
    if pixels:
        theme.needs_width(figure, pixels)
    assert theme.least_width(figure) == pixels
    assert theme.least_width(emphasised(figure, "a")) == pixels
