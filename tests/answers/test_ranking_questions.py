"""The questions of single tasks in words."""

from types import SimpleNamespace

import numpy as np
import pytest

from delvecore.answers.ranking_questions import best_answer, strengths
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.stats.ranking.analysis import analyse
from tests.stats.tables import score_table


def task(name: str, may_be_best: str, methods: str = "abc"):
    """A task on which some methods may be the best."""
    ones = np.ones(len(methods))
    kept = np.array([method in may_be_best for method in methods])
    return name, tuple(methods), SimpleNamespace(may_be_best=kept, lower=-ones, upper=ones, p=ones)


@pytest.mark.parametrize(
    ("kept", "claim"),
    [
        (("a", "b", "c", "c"), "; c may be the best most often, on 2."),
        (("a", "b", "bc", "ac"), "; a, b and c may be the best most often, on 2 each."),
    ],
)
def test_who_may_be_best_most_often_is_no_majority_and_all_who_are_tied_are_named(kept, claim):
    tasks = [task(f"t{number}", names) for number, names in enumerate(kept)]
    assert best_answer(tasks, level=0.95, measure=LOSS_SPECS["S"]).sentence.endswith(claim)


def column(answer, key: str):
    return next(np.asarray(field.values) for field in answer.fields if field.key == key)


ALWAYS_FIRST = np.array([0.2, 0.4, 0.3, 0.6, 0.5, 0.1, 0.7, 0.8])[:, None] + [0, 0.1, 0.2]


def test_the_strength_of_a_method_that_always_wins_has_an_interval():
    answer = strengths(analyse(score_table(ALWAYS_FIRST)))
    assert (column(answer, "upper") - column(answer, "lower") > 3).all()


def test_methods_of_equal_strength_are_named_together():
    assert strengths(analyse(score_table(np.ones((8, 3))))).sentence == (
        "a, b and c are the strongest in duels on 8 tasks: each beats another method with probability 0.50 "
        "on average."
    )


def test_strengths_on_two_units_say_why_there_is_no_interval():
    answer = strengths(analyse(score_table(ALWAYS_FIRST[:2])))
    assert np.isnan(column(answer, "upper")).all()
    assert answer.notes[-1] == "No intervals: they need 3 units, and there are fewer."
