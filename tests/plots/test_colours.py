"""The measure of colours that the tests of the theme use is the published one."""

import numpy as np
import pytest

from tests.plots.colours import difference, seen

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


def test_white_is_white_to_everybody():
    for sight in ("all", "no red", "no green", "no blue"):
        assert seen("#ffffff", sight) == pytest.approx((100, 0, 0), abs=0.01)
