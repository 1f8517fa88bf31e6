"""Tables of words, with the line of every fault."""

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.losses.predictions import parse_table


def test_numbers_come_as_an_array():
    table = parse_table(" 1 2.5\n\n -1e-3 4\n", "prob.0", width=2, count=2)
    assert table.numbers(0, 2).tolist() == [[1.0, 2.5], [-0.001, 4.0]]
    assert table.column(1) == ["2.5", "4"]


def test_log_of_zero_is_allowed_only_among_logs():
    table = parse_table("0.5 -Inf\n", "lprob.0", width=2)
    assert table.numbers(0, 2, logarithms=True).tolist() == [[0.5, -np.inf]]
    with pytest.raises(ParseError) as caught:
        table.numbers(0, 2)
    assert str(caught.value) == "lprob.0:1: expected a number, found '-Inf'"


@pytest.mark.parametrize("word", ["nan", "inf", "1_000", "x", "1e999"])
def test_word_that_is_no_number_is_named_with_its_line(word):
    table = parse_table(f"1\n\n{word}\n", "guess.0", width=1)
    with pytest.raises(ParseError) as caught:
        table.numbers(0, 1)
    assert str(caught.value) == f"guess.0:3: expected a number, found {word!r}"


def test_line_of_another_width_is_an_error():
    with pytest.raises(ParseError) as caught:
        parse_table("1 2\n1 2 3\n", "prob.0", width=2)
    assert str(caught.value) == "prob.0:2: expected 2 values, found 3"


def test_short_file_is_an_error():
    with pytest.raises(ParseError) as caught:
        parse_table("1\n2\n", "guess.0", width=1, count=4)
    assert str(caught.value) == (
        "guess.0:2: expected 4 lines, one for each test case, found 2; write it again"
    )


def test_empty_file_is_an_error():
    with pytest.raises(ParseError) as caught:
        parse_table("", "guess.0", width=1, count=4)
    assert str(caught.value) == "guess.0: expected 4 lines, one for each test case, found 0; write it again"
