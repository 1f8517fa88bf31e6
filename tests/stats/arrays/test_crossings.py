"""Where curves cross, by hand."""

import pytest

from delvecore.stats.arrays.estimates import crossings
from tests.stats.made_arrays import FULL, results_of

NEAR = ([0.0, 0.2], [-0.2, 0.0], [0.1, -0.1])
"""What is added to the losses of three training sets: mean 0."""


def losses(dataset, size, method, mean):
    return dataset, size, method, [[mean + more for more in row] for row in NEAR]


def test_a_crossing_lies_where_straight_lines_meet():
    # b - a is 0.3 at 64 and -0.1 at 128: the lines meet at 3/4 of the way, where a is 1 + 3/4 * 0.2.
    known = [losses("toy-8m", 64, "a", 1.0), losses("toy-8m", 64, "b", 1.3)]
    known += [losses("toy-8m", 128, "a", 1.2), losses("toy-8m", 128, "b", 1.1)]
    (one,) = crossings(results_of(FULL, *known, methods=["a", "b"]))
    assert (one.behind, one.ahead) == ("a", "b")
    assert (one.before.training_size, one.after.training_size) == (64, 128)
    assert (one.share, one.loss) == (pytest.approx(0.75), pytest.approx(1.15))


def test_curves_above_the_lowest_cross_too_where_all_pairs_are_asked_for():
    known = [losses("toy-8m", size, "best", 0.1) for size in (64, 128)]
    known += [losses("toy-8m", 64, "a", 1.0), losses("toy-8m", 64, "b", 1.3)]
    known += [losses("toy-8m", 128, "a", 1.2), losses("toy-8m", 128, "b", 1.1)]
    found = results_of(FULL, *known, methods=["best", "a", "b"])
    assert crossings(found) == []
    assert [(one.behind, one.ahead) for one in crossings(found, all_pairs=True)] == [("a", "b")]


def test_a_method_without_a_loss_at_one_of_the_sizes_crosses_none():
    known = [losses("toy-8m", 64, "a", 1.0), losses("toy-8m", 128, "a", 1.2)]
    known += [losses("toy-8m", 128, "b", 1.1)]
    found = results_of(FULL, *known, methods=["a", "b"])
    assert crossings(found) == crossings(found, all_pairs=True) == []
