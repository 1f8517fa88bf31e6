"""Columns of texts, and lines made of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.number_format.columns import BLOCK, CodeColumn, NumberColumn, joined_lines, numbers_of
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
