"""Loss files one by one and in bulk, Test-set-stats, normalization constants, loss matrices (section 5.3 of
the manual), and what networks say of their training."""

import gzip
import os

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.number_format.numbers import is_number
from delvecore.readers.dataset import parse_dataset
from delvecore.readers.prototask import parse_prototask
from delvecore.readers.results import (
    parse_loss_matrix,
    parse_losses,
    parse_normalization,
    parse_test_set_stats,
    read_loss_files,
)
from delvecore.readers.training import parse_training
from tests.archives import DATASET, SHADE


def bulk(tmp_path, *contents, losses=None, prototask=None):
    """Write loss files and read them together: (list of lists or None, messages without the folder)."""
    paths = []
    for number, content in enumerate(contents):
        path = tmp_path / f"loss.S.{number}"
        path.write_bytes(content)
        paths.append(str(path))
    errors = []
    arrays = read_loss_files(
        paths, losses or ["S"] * len(paths), [prototask] * len(paths), report=errors.append
    )
    values = [None if array is None else array.tolist() for array in arrays]
    return values, [str(error).replace(f"{tmp_path}{os.sep}", "") for error in errors]


def test_files_are_read_together_as_they_are_read_alone(tmp_path):
    contents = [b"1.5\n2\n", b"0.0", b"  3e-07 \n4\n", b"1\n\n2\n", b"7\r\n8\r\n"]
    values, errors = bulk(tmp_path, *contents)
    assert errors == []
    assert values == [[1.5, 2], [0], [3e-07, 4], [1, 2], [7, 8]]
    assert values == [parse_losses(data.decode(), "f", loss="S") for data in contents]


def test_random_doubles_survive_to_the_last_bit(tmp_path):
    numbers = np.random.default_rng(1).lognormal(sigma=30, size=2000)
    text = "".join(f"{number!r}\n" for number in numbers.tolist()).encode()
    assert bulk(tmp_path, text)[0][0] == numbers.tolist()


@pytest.mark.parametrize(
    ("loss", "word", "expected"),
    [
        ("S", "-0.5", "a loss that is not negative"),
        ("Z", "2", "a loss from 0 to 1"),
        ("Q", "2.1", "a loss from 0 to 2"),
        ("Z3N", "4", "a loss from 0 to 3"),
        ("Mcosts", "-1", "a loss that is not negative"),
    ],
)
def test_what_a_loss_cannot_be_is_refused_with_its_line(tmp_path, loss, word, expected):
    prototask = parse_prototask(SHADE, "shade", parse_dataset(DATASET, "demo", ""), "")
    message = f"loss.S.1:2: expected {expected}, found '{word}'; make it again with mloss"
    contents = b"0\n1\n", f"0\n{word}\n".encode(), b"1\n"
    outcomes = bulk(tmp_path, *contents, losses=[loss] * 3, prototask=prototask)
    assert outcomes == ([[0, 1], None, [1]], [message])


def test_the_largest_weight_bounds_the_losses_of_a_stratified_task(tmp_path):
    # One of eight cases with its value alone, of two values, has the weight 8 / 2 / 1.
    weighted = parse_prototask(SHADE, "shade", parse_dataset(DATASET, "demo", ""), "")._replace(
        stratified=True
    )
    largest = b"4\n" + 7 * b"0\n"
    assert bulk(tmp_path, largest, losses=["Z"], prototask=weighted) == ([[4] + 7 * [0]], [])
    _, (message,) = bulk(tmp_path, 7 * b"0\n" + b"18446744073709551616\n", losses=["Z"], prototask=weighted)
    assert "loss.S.0:8: expected a loss from 0 to 4, found '18446744073709551616'" in message


def test_a_loss_without_an_upper_bound_may_be_large(tmp_path):
    assert bulk(tmp_path, b"7\n", losses=["Z"]) == ([[7]], [])
    assert bulk(tmp_path, b"-7\n", losses=["L"]) == ([[-7]], [])


@pytest.mark.parametrize("line", ["S -50", "S 5e-324", "Z -0.1", "A 1e-310", "Q nan", "L inf"])
def test_a_number_that_standardizes_nothing_is_refused_with_its_line(line):
    with pytest.raises(ParseError, match=f"t:2: expected .*, found '{line[2:]}'"):
        parse_test_set_stats(f"A 1\n{line}\n", "t")


def test_stats_may_be_zero_and_those_of_log_probability_negative():
    assert parse_test_set_stats("L -3.5\nZ 0.0\n", "t") == {"L": (-3.5,), "Z": (0.0,)}


def test_log_probability_losses_may_be_infinite(tmp_path):
    values, errors = bulk(tmp_path, b"1\nInf\n", losses=["L"])
    assert (values, errors) == ([[1, float("inf")]], [])
    with pytest.raises(ParseError, match="found '-inf'"):
        parse_losses("-inf\n", "f", loss="L")


def test_compressed_and_large_files_are_read_in_bulk(tmp_path):
    path = tmp_path / "loss.S.0.gz"
    path.write_bytes(gzip.compress(b"1\n2\n"))
    large = tmp_path / "loss.S.1"
    large.write_bytes(b"0.123456789\n" * 200_000)
    small, big = read_loss_files([str(path), str(large)], ["S", "S"], [None, None], report=pytest.fail)
    assert small.tolist() == [1, 2]
    assert (len(big), big[-1]) == (200_000, 0.123456789)


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("L undefined -2.5", (None, -2.5)),
        ("L -2.5 undefined undefined", (-2.5, None)),
        ("L -2.5 undefined -1 undefined", (-2.5, -1)),
    ],
)
def test_an_undefined_value_of_one_of_two_targets_is_kept(line, values):
    assert parse_test_set_stats(f"{line}\nQ undefined\nA 0.1 0.2\nS 0.3 0.4\n", "t")["L"] == values


def test_normalization_constants():
    text = "normalization options mean 9 0.69\nnormalization options absDev 9 0.2\n"
    assert parse_normalization(text, "n") == {9: {"mean": 0.69, "absDev": 0.2}}
    with pytest.raises(ParseError, match=r"^n:1: expected 'normalization options CONSTANT ATTRIBUTE VALUE'"):
        parse_normalization("mean 9 0.69\n", "n")


@pytest.mark.parametrize("text", ["5", "5.0", "+.5", "-5.", "1e5", "1E-5"])
def test_numbers_of_section_3_3(text):
    assert is_number(text)


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


TEXT = """Network: 2-1, all feed forward connections including all shortcut connections
Outputs: linear
Weights: 3
Total-Epochs: 15
Relevant-Epochs: 10
Connection-Traversals: 1234
Curve: epoch training validation GL P
5 12.5 11 0 142.8
10 9 10 0 20
15 8 10.75 7.5 inf
"""


def test_a_record_has_the_network_the_counts_and_the_curve():
    record = parse_training(TEXT, "t")
    assert record.network.startswith("2-1, ")
    assert record[1:6] == ("linear", 3, 15, 10, 1234)
    assert record.curve[0] == (5, 12.5, 11.0, 0.0, 142.8)
    assert record.kept == (10, 9.0, 10.0, 0.0, 20.0)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("Weights: 3", "Weights: many", "t: expected a line Weights:, found 'many'; run the method again"),
        (
            "10 9 10 0 20",
            "10 9 10",
            "t:9: expected an epoch and 4 numbers, found '10 9 10'; run the method again",
        ),
    ],
)
def test_a_faulty_record_is_named(before, after, message):
    with pytest.raises(ParseError) as caught:
        parse_training(TEXT.replace(before, after), "t")
    assert str(caught.value) == message
