"""The text of a task's files."""

import numpy as np
import pytest

from delvecore.encoding.normalization import Constants
from delvecore.model import Coding
from delvecore.readers.results import parse_losses, parse_normalization, parse_test_set_stats
from delvecore.writers.task_files import (
    coding_used_text,
    losses_text,
    normalization_text,
    test_set_stats_text,
)


def test_losses_are_read_back_to_nine_digits():
    losses = np.array([1 / 3, 0.0, np.inf])
    text = losses_text(losses)
    assert text == "0.333333333\n0.0\nInf\n"
    assert parse_losses(text, "loss.L.0", loss="L") == pytest.approx(losses.tolist(), rel=1e-9)


def test_codings_are_listed_by_name_upper_case_first():
    codings = [Coding("age", "nm-abs", (("scale", "sqrt"),)), Coding("SEX", "0/1", (("passive", "no"),))]
    assert coding_used_text(codings) == "SEX 0/1  passive=no\nage nm-abs  scale=sqrt\n"


def test_constants_are_read_back():
    text = normalization_text({10: Constants(1.0, 2.0, 0.5, 1.5)})
    assert text.startswith("normalization options mean 10 1.0\n")
    read = {10: {"mean": 1.0, "stdDev": 2.0, "median": 0.5, "absDev": 1.5}}
    assert parse_normalization(text, "normalize.0") == read


def test_statistics_of_one_number_have_an_undefined_behind_the_log_probability():
    statistics = {"L": (-0.1,), "Q": (None,), "A": (0.2,), "Z": (None,), "S": (0.07,)}
    text = test_set_stats_text(statistics)
    assert text == "L -0.1 undefined\nQ undefined\nA 0.2\nZ undefined\nS 0.07\n"
    assert parse_test_set_stats(text, "Test-set-stats") == statistics


def test_statistics_of_several_targets_have_an_entry_each():
    statistics = {"L": (-0.1, -0.6), "Q": (None, 0.4), "A": (0.2, None), "Z": (None, 0.3), "S": (0.07, None)}
    expected = "L -0.1 -0.6\nQ undefined 0.4\nA 0.2 undefined\nZ undefined 0.3\nS 0.07 undefined\n"
    assert test_set_stats_text(statistics) == expected
