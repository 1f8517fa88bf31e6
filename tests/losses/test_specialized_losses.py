"""Specialized losses: section 5.3 of the manual.

The tasks are those of `small_archive`. The test shades of shade/std.4, for all four instances, are pink red
blue pink red blue; the test ages of instance 0 of age/std.8 are 20.5 27.5 34.5 41.5.
"""

import numpy as np
import pytest

from delvecore.errors import ParseError
from delvecore.losses.baselines import task_constants
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import write_tree
from tests.losses.test_compute import AGE_TASK, SHADE_TASK, compute, make_data, predict, two_targets

COSTS = "# guesses pink, blue, red\n0 1 2\n0.5 0 3\n4 8 0\n"
NO_GUESS = "0.25 0.5 1\n"


def write_costs(archive, text=COSTS + NO_GUESS):
    write_tree(archive, {"data/demo/shade/costs": text})


def guess(archive, path, text, *, name="guess.0"):
    write_tree(archive / "methods/new" / path, {name: text.replace(" ", "\n") + "\n"})


def test_the_no_guess_penalty_is_the_loss_suffered_when_the_method_makes_no_guess(archive):
    guess(archive, SHADE_TASK, "pink ? pink pink ? blue", name="guess.Z0.2N.0")
    task_losses = compute(archive, SHADE_TASK, losses=["Z0.2N"])
    assert task_losses.losses["Z0.2N", 0].tolist() == [0, 0.2, 1, 0, 0.2, 0]


def test_a_penalty_may_be_added_to_squared_and_absolute_errors(archive):
    guess(archive, AGE_TASK, "20.5 ? 30.5 ?")
    task_losses = compute(archive, AGE_TASK, losses=["S3N", "A1.5N"])
    assert task_losses.losses["S3N", 0].tolist() == [0, 3, 16, 3]
    assert task_losses.losses["A1.5N", 0].tolist() == [0, 1.5, 4, 1.5]


def test_no_guess_may_be_made_for_a_particular_target_of_a_particular_case(archive):
    # Glossary, "guess"; the losses of several targets are added. Numbers of children: 0 1 2 3.
    path = two_targets(archive)
    predict(archive, path, guess_0="20.5 ?\n? 3\n? ?\n41.5 3\n")
    assert compute(archive, path, losses=["S2N"]).losses["S2N", 0].tolist() == [2, 6, 4, 0]


def test_plain_guesses_serve_losses_with_a_penalty_too(archive):
    guess(archive, SHADE_TASK, "pink red blue pink red red")
    task_losses = compute(archive, SHADE_TASK, losses=["Z", "Z0.2N"])
    assert (
        task_losses.losses["Z", 0].tolist() == task_losses.losses["Z0.2N", 0].tolist() == [0, 0, 0, 0, 0, 1]
    )


def test_guesses_for_a_loss_with_a_penalty_serve_that_loss_alone(archive):
    guess(archive, SHADE_TASK, "? ? ? ? ? ?", name="guess.Z0.2N.0")
    guess(archive, SHADE_TASK, "red red red red red red")
    task_losses = compute(archive, SHADE_TASK)
    assert task_losses.losses["Z", 0].tolist() == [1, 0, 1, 1, 0, 1]
    assert task_losses.losses["Z0.2N", 0].tolist() == [0.2] * 6


def test_a_coded_guess_that_is_not_made_has_a_question_mark_for_each_number(archive):
    make_data(archive, SHADE_TASK)
    predict(archive, SHADE_TASK)
    text = "-1 -1\n? ?\n? ?\n-1 -1\n1 1\n1 1\n"
    write_tree(archive / "methods/new" / SHADE_TASK, {"cguess.Z0.5N.0": text})
    task_losses = compute(archive, SHADE_TASK)
    assert task_losses.decoded["guess.Z0.5N.0"] == [["pink", "?", "?", "pink", "red", "red"]]
    assert task_losses.losses["Z0.5N", 0].tolist() == [0, 0.5, 0.5, 0, 0, 1]


def test_a_coded_guess_that_is_made_in_part_is_an_error(archive):
    write_tree(archive / "methods/new" / SHADE_TASK, {"cguess.Z0.5N.0": "1 1\n? 1\n" + "1 1\n" * 4})
    with pytest.raises(ParseError, match=r"cguess\.Z0\.5N\.0:2: expected a number, found '\?'"):
        compute(archive, SHADE_TASK)


def test_lines_of_a_loss_matrix_correspond_to_guesses_by_the_order_in_the_dataset_specification(archive):
    write_costs(archive, COSTS)
    guess(archive, SHADE_TASK, "pink pink pink blue blue red")
    # True: pink red blue pink red blue.
    task_losses = compute(archive, SHADE_TASK, losses=["Mcosts"])
    assert task_losses.losses["Mcosts", 0].tolist() == [0, 2, 1, 0.5, 3, 8]


def test_a_loss_for_making_no_guess_may_be_specified_separately_for_each_true_target_value(archive):
    write_costs(archive)
    guess(archive, SHADE_TASK, "? ? ? pink red blue", name="guess.Mcosts.0")
    assert compute(archive, SHADE_TASK).losses["Mcosts", 0].tolist() == [0.25, 1, 0.5, 0, 0, 0]


def test_no_guess_needs_a_line_of_the_matrix(archive):
    write_costs(archive, COSTS)
    guess(archive, SHADE_TASK, "? red blue pink red blue", name="guess.Mcosts.0")
    with pytest.raises(ParseError, match="since loss Mcosts has no penalty for making none"):
        compute(archive, SHADE_TASK)


@pytest.mark.parametrize("loss", ["Mcosts", "S0.2N"])
def test_a_loss_that_the_targets_do_not_allow_is_noted(archive, loss):
    # A loss matrix is for a single categorical target; squared error is for numbers.
    path = AGE_TASK if loss == "Mcosts" else SHADE_TASK
    write_costs(archive)
    guess(archive, path, "1 1 1 1" if loss == "Mcosts" else "red red red red red red")
    (note,) = compute(archive, path, losses=[loss]).notes
    assert f"loss {loss} has no meaning for its targets" in note


def constants(archive, path, *losses):
    return task_constants(Hierarchy([str(archive)]), *path.split("/"), losses)


def test_the_baseline_of_a_loss_matrix_makes_the_best_constant_guess_or_none(archive):
    # The six test shades, two of each: guesses cost (0 + 1 + 2) / 3, 3.5 / 3 and 12 / 3; no guess 1.75 / 3.
    write_costs(archive, COSTS)
    assert constants(archive, SHADE_TASK, "Mcosts") == {"Mcosts": 1.0}
    write_costs(archive)
    assert constants(archive, SHADE_TASK, "Mcosts")["Mcosts"] == pytest.approx(1.75 / 3)


def test_the_baseline_with_a_penalty_guesses_the_commonest_value_or_makes_no_guess(archive):
    # Shares 1/3: any constant guess loses 2/3.
    baselines = constants(archive, SHADE_TASK, "Z", "Z0.2N", "Z0.9N")
    assert baselines == pytest.approx({"Z": 2 / 3, "Z0.2N": 0.2, "Z0.9N": 2 / 3})


def test_the_baseline_decides_for_each_target(archive):
    path = two_targets(archive)
    both = constants(archive, path, "S", "S2N")
    ages = np.array([20.5, 27.5, 34.5, 41.5, 25.5, 32.5, 39.5, 23.5])
    kids = np.array([0, 1, 2, 3, 0, 1, 2, 3])
    assert both["S"] == pytest.approx(ages.var(ddof=1) + kids.var(ddof=1))
    assert both["S2N"] == pytest.approx(2 + kids.var(ddof=1))
