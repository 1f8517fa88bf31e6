"""Arrays of numbers in the form of DELVE's files."""

import numpy as np
from hypothesis import strategies as st

from delvecore.number_format.columns import format_numbers

NUMBERS = st.lists(st.floats(allow_nan=False) | st.integers(-(10**12), 10**12).map(float))


def test_whole_numbers_keep_one_decimal_and_nine_digits_are_written():
    values = np.array([0.0, -1.0, 1 / 3, 2 / 3e7, 1e9, 123456789.4, 0.99999999999, np.inf])
    written = ["0.0", "-1.0", "0.333333333", "6.66666667e-08", "1e+09", "123456789.0", "1.0", "Inf"]
    assert format_numbers(values) == written
