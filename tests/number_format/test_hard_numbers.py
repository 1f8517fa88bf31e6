"""Numbers that are hard to round: the text of each is exactly what `'%.9g'` writes, and reads back exactly."""

import numpy as np
import pytest

from delvecore.number_format.columns import NumberColumn, joined_lines, round_numbers
from delvecore.number_format.numbers import format_number

COUNT = 250_000


def random_numbers() -> dict[str, np.ndarray]:
    """Two million numbers of the kinds that files hold, and of those that are hard to round."""
    random = np.random.default_rng(1996)
    ten_digits = random.integers(10**8, 10**9, COUNT) * 10 + 5
    powers = np.array([float(f"1e{power}") for power in range(-23, 23)])
    return {
        "normal": random.normal(size=COUNT),
        "of every size": random.normal(size=COUNT) * 10.0 ** random.integers(-20, 35, COUNT),
        "of every pattern of bits": random.integers(0, 2**64, COUNT, dtype=np.uint64).view(np.float64),
        "short decimals": np.round(random.normal(size=COUNT) * 1000, 3),
        "whole": np.rint(random.normal(size=COUNT) * 1e9),
        "binary fractions, many of them ties": random.integers(-(2**20), 2**20, COUNT)
        / 2.0 ** random.integers(0, 24, COUNT),
        "ties of nine digits, to even": random.integers(10**8, 10**9, COUNT) + 0.5,
        "next to ties": ten_digits * 10.0 ** random.integers(-22, 22, COUNT),
        "next to powers of ten": np.concatenate(
            [np.nextafter(powers, 0), powers, np.nextafter(powers, np.inf), 9.9999999995 * powers]
        ),
    }


NUMBERS = random_numbers()


def expected_text(values: np.ndarray) -> str:
    texts = ("%.9g\n" * len(values) % tuple(values.tolist())).split("\n")[:-1]
    whole = [text for text in texts if text.lstrip("-").isdigit()]
    with_point = {text: text + ".0" for text in whole}
    return "\n".join(with_point.get(text, text) for text in texts) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", NUMBERS)
def test_texts_are_exactly_those_of_percent_9g(kind: str) -> None:
    values = NUMBERS[kind][np.isfinite(NUMBERS[kind])]
    made = b"".join(joined_lines([NumberColumn(values)], leading=False)).decode()
    assert made.split("\n") == expected_text(values).split("\n")


@pytest.mark.slow
@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_that_the_texts_give_back_need_no_texts(kind: str) -> None:
    values = NUMBERS[kind][np.isfinite(NUMBERS[kind])]
    read = np.array([float(f"{value:.9g}") for value in values.tolist()])
    numbers = round_numbers(values)
    assert np.array_equal(numbers, read)
    assert np.array_equal(np.signbit(numbers), np.signbit(read))


@pytest.mark.parametrize(
    "value",
    [
        *(0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -1.23456789e-100, 1.7976931348623157e308),
        *(1e22, 1e23, 9.9999999999e30, 1e-14, 9.99999999999e-15, 0.00099999999995, 0.0001),
        *(999999999.5, -123456789.5, 2.5, 100.0),
    ],
)
def test_special_numbers_have_the_text_of_single_numbers(value: float) -> None:
    mixed = np.array([1.5, value, -0.25])
    assert list(NumberColumn(mixed)) == ["1.5", format_number(value), "-0.25"]
    again = float(format_number(value))
    assert np.array_equal(NumberColumn(mixed).numbers, [1.5, again, -0.25], equal_nan=True)
