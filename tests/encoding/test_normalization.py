"""Normalisation constants of training sets."""

import numpy as np
import pytest

from delvecore.encoding.normalization import constants_of_columns, training_constants


def columns() -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    normal = random.normal(size=(101, 40))
    return {
        "normal": normal,
        "far from zero": normal + 1e9,
        "of very different sizes": normal * 10.0 ** random.integers(-12, 12, (101, 40)),
        "whole": np.rint(normal * 10),
        "means near zero": np.concatenate([normal, -normal * (1 + 1e-12)]),
        "one case": normal[:1],
        "two cases": normal[:2],
        "constant": np.full((5, 3), 0.1),
        "binary fractions, many of them ties": random.integers(-(2**20), 2**20, (64, 40)) / 2**20,
    }


@pytest.mark.parametrize("kind", columns())
def test_constants_of_many_columns_are_those_of_each_alone(kind: str) -> None:
    matrix = columns()[kind]
    assert constants_of_columns(matrix) == [training_constants(column) for column in matrix.T]


def test_digits_that_a_plain_sum_leaves_open_are_settled_by_an_exact_one() -> None:
    # 1e16 + 1 - 1e16: a plain sum loses the 1, the mean is 1/3.
    matrix = np.array([[1e16], [1.0], [-1e16]])
    assert constants_of_columns(matrix)[0].mean == 0.333333333
