"""Which prediction file serves which loss."""

import pytest

from delvecore.errors import DelveError
from delvecore.losses.predictions import choose_predictions, list_predictions, parse_prediction_name


def chosen(loss, *names, distribution=True):
    files = list_predictions({name: f"place/{name}" for name in names})
    return [file.name for file in choose_predictions(files, loss, distribution=distribution)]


@pytest.mark.parametrize(
    "name",
    ["guess.0", "cguess.A.0", "prob.3", "lprob.Q.11", "ptarg.0", "cptarg.0", "lptarg.0", "clptarg.L.7"],
)
def test_names_of_the_manual_are_understood(name):
    assert parse_prediction_name(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "guess",
        "guess.S",
        "cprob.0",
        "lguess.0",
        "guess.01",
        "lcptarg.0",
        "guess.S.0.gz",
        "loss.S.0",
        "guess.s.0",
    ],
)
def test_other_names_are_no_predictions(name):
    assert parse_prediction_name(name) is None


def test_plain_files_serve_every_loss_of_their_kind():
    assert chosen("S", "guess.0", "guess.1", "prob.0") == ["guess.0", "guess.1"]
    assert chosen("Q", "guess.0", "prob.0") == ["prob.0"]


def test_file_for_one_loss_shuts_out_the_plain_files_of_all_instances():
    assert chosen("S", "guess.0", "guess.1", "guess.S.1") == ["guess.S.1"]
    assert chosen("A", "guess.0", "guess.1", "guess.S.1") == ["guess.0", "guess.1"]


def test_coded_file_wins_over_its_decoded_twin():
    assert chosen("S", "guess.0", "cguess.0") == ["cguess.0"]
    assert chosen("L", "lptarg.L.0", "clptarg.L.0") == ["clptarg.L.0"]


def test_instances_are_in_the_order_of_their_numbers():
    assert chosen("S", "guess.10", "guess.9", "guess.0") == ["guess.0", "guess.9", "guess.10"]


def test_explicit_distribution_serves_only_where_it_has_a_meaning():
    assert chosen("L", "prob.0", "lptarg.0", distribution=False) == ["lptarg.0"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("lprob.3", "prob.3"),
        ("cptarg.3", "lptarg.3"),
        ("ptarg.3", "lptarg.3"),
        ("cptarg.3", "clptarg.3"),
        ("prob.3", "ptarg.3"),
    ],
)
def test_two_files_that_would_both_serve_are_an_error_naming_both(first, second):
    with pytest.raises(DelveError) as caught:
        chosen("L", first, second)
    one, other = sorted([f"place/{first}", f"place/{second}"], key=str(caught.value).index)
    assert str(caught.value) == (
        f"{one}: expected one prediction file for loss L of instance 3, found {other} as well; remove one"
    )
