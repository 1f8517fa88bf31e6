"""Normalisation constants of training sets."""

import numpy as np

from delvecore.encoding.normalization import training_constants


def test_sums_are_exact() -> None:
    # 1e16 + 1 - 1e16: a plain sum loses the 1, the mean is 1/3.
    assert training_constants(np.array([1e16, 1.0, -1e16])).mean == 0.333333333
