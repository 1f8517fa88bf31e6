"""base-1 by hand."""

import numpy as np
import pytest

from delvecore.methods.base_1 import Base1
from tests.methods.problems import RNG, class_problem, number_problem, task_view

TEST = np.zeros((2, 1))


def test_numbers_are_guessed_by_mean_median_and_commonest_value():
    # 1 1 2 6 6: mean 3.2, median 2, commonest 1 (as often as 6, but smaller), variance 6.7.
    prediction = Base1().predict_number(
        number_problem(np.zeros((5, 1)), [6, 1, 2, 1, 6], TEST, step=1.0), RNG
    )
    assert prediction.mean == pytest.approx([3.2, 3.2])
    assert prediction.median.tolist() == [2, 2]
    assert prediction.mode.tolist() == [1, 1]
    assert prediction.distribution.location == pytest.approx([3.2, 3.2])
    assert prediction.distribution.scale**2 == pytest.approx([6.7, 6.7])


def test_frequencies_are_smoothed_by_laplaces_rule():
    prediction = Base1().predict_classes(class_problem(np.zeros((4, 1)), [0, 0, 1, 0], TEST), RNG)
    assert prediction.tolist() == pytest.approx(np.array([[4, 2, 1], [4, 2, 1]]) / 7)


def test_every_input_is_ignored():
    codings = Base1().codings(task_view(["real", "nominal", "angular"], ["binary"]))
    assert {number: coding.coding for number, coding in codings.items()} == dict.fromkeys((1, 2, 3), "ignore")
