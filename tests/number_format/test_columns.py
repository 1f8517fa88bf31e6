"""Columns of texts and lists, lines made of them, and numbers that are hard to round: the text of each is
exactly what `'%.9g'` writes, and reads back exactly."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.number_format.columns import (
    BLOCK,
    CodeColumn,
    NumberColumn,
    NumberLists,
    format_numbers,
    joined_lines,
    list_column,
    numbers_of,
    round_numbers,
    rows_where,
    translated,
)
from delvecore.number_format.numbers import format_number

WORDS = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=20)


def lines(columns, *, leading: bool = True) -> str:
    return b"".join(joined_lines(columns, leading=leading)).decode()


def test_training_lines_start_with_a_blank() -> None:
    columns = [NumberColumn(np.array([1.0, -0.5])), ["?", "long"], CodeColumn(["0", "1"], np.array([1, 0]))]
    assert lines(columns) == " 1.0 ? 1\n -0.5 long 0\n"


@pytest.mark.slow
@given(st.data(), st.integers(1, 4), st.integers(0, 6), st.booleans())
def test_lines_are_those_of_plain_joining(data, width: int, count: int, leading: bool) -> None:
    columns = []
    for _ in range(width):
        kind = data.draw(st.sampled_from("nwc"))
        if kind == "n":
            numbers = st.floats(allow_nan=False)
            values = data.draw(st.lists(numbers, min_size=count, max_size=count))
            columns.append(NumberColumn(np.array(values)))
        elif kind == "w":
            columns.append(data.draw(st.lists(WORDS, min_size=count, max_size=count)))
        else:
            table = data.draw(st.lists(WORDS, min_size=1, max_size=4))
            place = st.integers(0, len(table) - 1)
            places = data.draw(st.lists(place, min_size=count, max_size=count))
            columns.append(CodeColumn(table, np.array(places, dtype=np.intp)))
    before = " " if leading else ""
    rows = zip(*map(list, columns), strict=True)
    assert lines(columns, leading=leading) == "".join(f"{before}{' '.join(row)}\n" for row in rows)


def test_rows_beyond_one_block_are_all_there() -> None:
    values = np.arange(BLOCK + 10) / 8
    expected = [format_number(value) for value in values]
    assert lines([NumberColumn(values)], leading=False).split("\n")[:-1] == expected
    pieces = list(joined_lines([NumberColumn(values)] * 3, leading=True))
    assert len(pieces) == 4
    assert b"".join(pieces).count(b"\n") == BLOCK + 10


def test_words_that_hold_zero_bytes_keep_them() -> None:
    assert lines([["a\0b", "c"], NumberColumn(np.array([1.0, 2.0]))]) == " a\0b 1.0\n c 2.0\n"
    assert lines([CodeColumn(["\0"], np.array([0]))]) == " \0\n"


def test_columns_look_like_lists() -> None:
    column = NumberColumn(np.array([0.1, 1e9]))
    assert (len(column), column[1], column[:1], list(column)) == (2, "1e+09", ["0.1"], ["0.1", "1e+09"])
    assert column == ["0.1", "1e+09"]
    assert [column] == [["0.1", "1e+09"]]
    assert column != ["0.1"]
    assert (column == "0.1") is False
    assert repr(CodeColumn(["x", "y"], np.array([1, 0]))) == "CodeColumn(['y', 'x'])"


def test_numbers_of_any_column_are_those_of_its_texts() -> None:
    assert numbers_of(NumberColumn(np.array([1 / 3]))).tolist() == [0.333333333]
    assert numbers_of(CodeColumn(["-1", "1"], np.array([1, 0, 1]))).tolist() == [1.0, -1.0, 1.0]
    assert numbers_of(["2.5"]).tolist() == [2.5]


def test_a_column_of_words_has_no_numbers() -> None:
    with pytest.raises(ValueError, match="red"):
        numbers_of(CodeColumn(["red"], np.array([0])))


def test_some_texts_of_a_column_are_a_column() -> None:
    places = np.array([2, 0])
    assert NumberColumn(np.array([0.5, 1.0, 2.0])).take(places) == ["2.0", "0.5"]
    assert CodeColumn(["x", "y"], np.array([1, 0, 0])).take(places) == ["x", "y"]


def test_numbers_of_rows_are_views_within_a_chunk_and_copies_of_several():
    pieces = [[[1.0, 2.0], [3.0]], [[], [4.0]], []]
    arrays = [pa.array(piece, pa.list_(pa.float64())) for piece in pieces]
    lists = NumberLists(pa.chunked_array(arrays))
    assert lists.lengths.tolist() == [2, 1, 0, 1]
    assert lists.span(0, 2).ctypes.data == arrays[0].values.buffers()[1].address
    assert [lists.span(start, start + 1).tolist() for start in range(4)] == [[1, 2], [3], [], [4]]
    assert lists.span(1, 4).tolist() == [3, 4]
    assert lists.span(4, 4).tolist() == []


def test_rows_of_numbers_become_lists():
    values = np.arange(5.0)
    assert list_column([values[:3], values[3:3], values[3:]]).to_pylist() == [[0, 1, 2], [], [3, 4]]
    assert list_column([]).type == pa.list_(pa.float64())


def test_all_rows_of_a_table_are_the_table_itself():
    table = pa.table({"row": range(3)})
    assert rows_where(table, pa.array([True] * 3)) is table
    assert rows_where(table, pa.array([True, False, True]))["row"].to_pylist() == [0, 2]
    assert rows_where(table, pa.array([False] * 3)).num_rows == 0
    assert rows_where(table.slice(0, 0), pa.array([], pa.bool_())).num_rows == 0


def test_whole_numbers_keep_one_decimal_and_nine_digits_are_written():
    values = np.array([0.0, -1.0, 1 / 3, 2 / 3e7, 1e9, 123456789.4, 0.99999999999, np.inf])
    written = ["0.0", "-1.0", "0.333333333", "6.66666667e-08", "1e+09", "123456789.0", "1.0", "Inf"]
    assert format_numbers(values) == written


COUNT = 50_000


def random_numbers() -> dict[str, np.ndarray]:
    """Numbers of the kinds that files hold, and of those that are hard to round."""
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


def test_each_different_word_is_translated_once_and_nulls_stay():
    seen = []
    column = pa.chunked_array([["b", None], ["a", "b"]])
    numbers = translated(column, lambda word: seen.append(word) or len(seen), pa.int64())
    assert numbers.to_pylist() == [1, None, 2, 1]
    assert seen == ["b", "a"]
