"""Files of plain numbers are parsed as one array, with the same results as word by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from delvecore.errors import ParseError
from delvecore.losses import predictions
from delvecore.losses.predictions import parse_table
from delvecore.number_format.text_columns import ReadColumn, numbers_of

WORDS = st.sampled_from(
    ["1", "-0.5", "1e-7", "+3", ".5", "5.", "nan", "Inf", "-Inf", "1_0", "x", "1e999", "?", "٣"]
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr)
GAPS = st.sampled_from([" ", " ", " ", "  ", "\t", "\r", "\x1f"])
ENDS = st.sampled_from(["\n", "\n", "\n", "\n\n", " \n", "\n ", "\r\n", ""])


def outcome(text: str, width: int, logarithms: bool, count: int | None):
    """What the parser gives: numbers, words and lines of the table, or the message of the fault."""
    try:
        table = parse_table(text, "prob.0", width=width, count=count)
        numbers = table.numbers(0, width, logarithms=logarithms)
    except ParseError as error:
        return str(error)
    columns = [list(table.column(place)) for place in range(width)]
    return numbers.tolist(), columns, table.rows, table.lines, str(table.fault(0, "a", "b"))


@pytest.mark.slow
@given(st.data(), st.integers(1, 3), st.booleans(), st.booleans())
def test_fast_parsing_gives_what_parsing_word_by_word_gives(data, width, plain, logarithms):
    words = NUMBERS if plain else NUMBERS | WORDS
    gaps, ends = (st.just(" "), st.just("\n")) if plain else (GAPS, ENDS)
    text = data.draw(st.sampled_from(["", " "]))
    for _ in range(data.draw(st.integers(1, 4))):
        line = data.draw(st.lists(words, min_size=width, max_size=width + (not plain)))
        text += "".join(word + data.draw(gaps) for word in line[:-1]) + line[-1] + data.draw(ends)
    count = data.draw(st.sampled_from([None, 2]))
    fast = outcome(text, width, logarithms, count)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predictions, "_parse_numbers", lambda text, width: None)
        assert fast == outcome(text, width, logarithms, count)


def test_words_of_a_file_of_numbers_stay_as_they_are_written():
    column = parse_table("1.50 2\n1e0 3\n", "guess.0", width=2).column(0)
    assert isinstance(column, ReadColumn)
    assert column == ["1.50", "1e0"]
    assert numbers_of(column).tolist() == [1.5, 1.0]
    assert "?" not in column
    assert "1e0" in column


def test_every_line_may_start_with_a_blank_as_in_files_of_targets():
    table = parse_table(" 1.0 -1\n -2.5 1\n", "targets.0", width=2)
    assert table.matrix.tolist() == [[1.0, -1.0], [-2.5, 1.0]]


def test_log_of_zero_keeps_a_file_of_logarithms_fast():
    table = parse_table("-0.5 -Inf\n-inf 0\n", "lprob.0", width=2)
    assert table.numbers(0, 2, logarithms=True).tolist() == [[-0.5, -np.inf], [-np.inf, 0.0]]
    with pytest.raises(ParseError, match="expected a number, found '-Inf'"):
        table.numbers(0, 2)
