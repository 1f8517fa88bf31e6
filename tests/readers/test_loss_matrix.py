"""Loss matrices: section 5.3 of the manual."""

import pytest

from delvecore.errors import ParseError
from delvecore.readers.results import parse_loss_matrix

VALUES = ("pink", "blue", "red")
COSTS = "0 1 2\n0.5 0 3\n4 4 0\n"


def test_the_lines_correspond_to_possible_guesses_and_the_columns_to_true_values():
    matrix = parse_loss_matrix(COSTS, "costs", values=VALUES)
    assert matrix.losses == ((0, 1, 2), (0.5, 0, 3), (4, 4, 0))
    assert matrix.no_guess is None


def test_one_additional_line_says_that_the_method_is_allowed_to_make_no_guess():
    # Section 5.3: specified separately for each true target value.
    text = f"# guesses pink, blue, red, none\n{COSTS}\n0.1 0.2 0 # none\n"
    assert parse_loss_matrix(text, "costs", values=VALUES).no_guess == (0.1, 0.2, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "costs: expected a line for each guess, pink blue red, found 0 lines"),
        ("0 1 2\n", "costs:1: expected a line for each guess, pink blue red, found 1 line"),
        ("0 1 nan\n", "costs:1: expected a loss, a number that is not negative, found 'nan'"),
        ("0 1 2\n1 1 2\n", "costs:2: expected 0 for the right guess of blue, found '1'"),
    ],
)
def test_losses_must_be_non_negative_and_zero_when_the_guess_is_correct(text, message):
    with pytest.raises(ParseError) as caught:
        parse_loss_matrix(text, "costs", values=VALUES)
    assert str(caught.value) == message
