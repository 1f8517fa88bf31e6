"""Losses of a stratified test set with weights: section 4.2 of the manual."""

import numpy as np
import pytest

from delvecore.losses.method_task import MethodTask
from tests.archives import small_archive
from tests.losses.test_compute import SHADE_TASK, compute, predict


def test_losses_are_multiplied_once_by_the_weights_of_the_test_cases(tmp_path, monkeypatch):
    root = small_archive(tmp_path)
    weights = np.array([0.5, 1, 2, 0.5, 1, 1])
    monkeypatch.setattr(MethodTask, "weights", lambda task, instance: weights)
    predict(root, SHADE_TASK, guess_0="red\n" * 6)
    # True: pink red blue pink red blue.
    losses = compute(root, SHADE_TASK, losses="Z").losses["Z", 0]
    assert losses == pytest.approx([0.5, 0, 2, 0.5, 0, 1])
