"""The questions of single tasks in words."""

from types import SimpleNamespace

import numpy as np
import pytest

from delvecore.answers.ranking_questions import best_answer
from delvecore.losses.standard_losses import LOSS_SPECS


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
