"""Metrics of one's own: a function, or the name of one in a file."""

import numpy as np
import pytest

import delvecore as dv
from delvecore.errors import DelveError
from delvecore.metrics import registry
from delvecore.metrics.metric import Judged
from delvecore.metrics.own import add_metric, known_name

FILE = """
def largest(true, predicted):
    return abs(true - predicted).max()

largest.higher_is_better = False
undecided = print
"""


@pytest.fixture(autouse=True)
def forgotten():
    yield
    registry.OWN.clear()
    registry.measures.cache_clear()
    registry.find_measure.cache_clear()


def test_a_function_of_a_file_is_a_metric_of_numbers_and_of_classes(tmp_path):
    (tmp_path / "evaluators.py").write_text(FILE)
    assert known_name(f"{tmp_path}/evaluators.py:largest") == "largest"
    judged = Judged(targets=np.array([[1.0], [5.0]]), guesses=np.array([[2.0], [2.0]]))
    assert registry.find_measure("largest").value(judged) == 3
    add_metric(lambda true, predicted: float((true == predicted).mean()), name="right", higher_is_better=True)
    classes = Judged(classes=("no", "yes"), actual=np.array([0, 1, 1]), guessed=np.array([0, 0, 1]))
    assert registry.find_measure("right").value(classes) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("undecided", "expected higher_is_better, True or False"),
        ("absent", "expected a metric in a file of Python, found AttributeError"),
    ],
)
def test_what_is_no_metric_is_one_line(tmp_path, name, expected):
    (tmp_path / "evaluators.py").write_text(FILE)
    with pytest.raises(DelveError, match=expected):
        add_metric(f"{tmp_path}/evaluators.py:{name}")
    with pytest.raises(DelveError, match="acc: expected a name of its own"):
        dv.add_metric(len, name="acc", higher_is_better=True)
