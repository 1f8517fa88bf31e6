"""Which classes were predicted: the test shades of shade/std.4 are pink red blue pink red blue."""

import numpy as np
import pytest

from delvecore.errors import DelveError, ParseError
from delvecore.metrics.metric_inputs import Predictions
from tests.archives import write_tree
from tests.losses.test_compute import AGE_TASK, SHADE_TASK, open_task, predict

PINK, BLUE, RED = range(3)


def predicted(archive, task):
    return Predictions(open_task(archive, task)).classes


def test_guesses_and_targets_are_places_of_the_values(archive):
    predict(archive, SHADE_TASK, guess_0="pink\nblue\nblue\nred\nred\npink\n")
    method_predictions = Predictions(open_task(archive, SHADE_TASK))
    assert method_predictions.values == ("pink", "blue", "red")
    (predictions,) = method_predictions.classes
    assert predictions.actual.tolist() == [PINK, RED, BLUE, PINK, RED, BLUE]
    assert predictions.guessed.tolist() == [PINK, BLUE, BLUE, RED, RED, PINK]
    assert predictions.probabilities is None


def test_probabilities_are_normalized_and_in_the_order_of_the_values(archive):
    guesses = "pink\n" * 6
    predict(archive, SHADE_TASK, guess_1=guesses, prob_1="2 1 1\n" * 6)
    (predictions,) = predicted(archive, SHADE_TASK)
    assert predictions.instance == 1
    assert np.array_equal(predictions.probabilities, np.tile([0.5, 0.25, 0.25], (6, 1)))


def test_losses_alone_do_not_say_what_was_predicted(archive):
    with pytest.raises(DelveError, match="expected prediction files"):
        predicted(archive, SHADE_TASK)


def test_a_number_is_no_class(archive):
    predict(archive, AGE_TASK, guess_0="1\n2\n3\n4\n")
    with pytest.raises(DelveError, match="one categorical target"):
        predicted(archive, AGE_TASK)


def test_a_case_without_a_guess_is_named_with_its_line(archive):
    predict(archive, SHADE_TASK, guess_0="pink\nblue\n?\nred\nred\npink\n")
    with pytest.raises(ParseError, match=r"guess\.0:3: expected a guess"):
        predicted(archive, SHADE_TASK)


def test_cases_whose_class_is_unknown_do_not_count(archive):
    path = archive / "data/demo/Dataset.spec"
    text = path.read_text().replace("u pink blue red ", "u pink blue red ?")
    write_tree(archive, {"data/demo/Dataset.spec": text})
    data = (archive / "data/demo/Dataset.data").read_text().splitlines()
    lines = [line.rsplit(" ", 1)[0] + " ?" if "pink" in line else line for line in data]
    write_tree(archive, {"data/demo/Dataset.data": "\n".join(lines) + "\n"})
    write_tree(archive / "methods/new" / SHADE_TASK, {"Coding-used": "5 copy\n"})
    predict(archive, SHADE_TASK, guess_0="blue\n" * 6)
    (predictions,) = predicted(archive, SHADE_TASK)
    assert sorted(predictions.actual.tolist()) == [BLUE, BLUE, RED, RED]
