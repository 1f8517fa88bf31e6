"""Steps of workflows against the R package performanceEstimation, on a small problem.

The figures were recorded with R 4.2.2 by tests/data/performance_estimation.R, of functions transcribed from the
package's source; where R has the package itself, they are made anew with it."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from delvecore.methods.protocol import Predictions
from delvecore.model import Coding
from delvecore.workflows.steps import postprocess
from delvecore.workflows.workflow_spec import Step
from tests.methods.problems import make_instance
from tests.workflows.test_steps import ready, step, unbalanced

DATA = Path(__file__).parents[1] / "data"
SCRIPT, RECORDED = DATA / "performance_estimation.R", DATA / "golden/performance_estimation.txt"
NAN = np.nan
# The data frames of the script; u and v of its factor are -1 and 1.
A = [1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9, 10.5, NAN, 4]
B = [2, 1, 4, 3, NAN, 5, 8, 7, 10, 9, 6, 3.5]
C = [-1, -1, 1, -1, 1, 1, NAN, -1, 1, 1, 1, -1]
LATER = [[3, NAN, -1], [NAN, 20, NAN]]


def parsed(text: str) -> dict[str, list[str]]:
    return {name: values for name, *values in map(str.split, text.splitlines())}


R = parsed(RECORDED.read_text())


def numbers(name: str) -> list[float]:
    return list(map(float, R[name]))


def with_marks(values: np.ndarray) -> np.ndarray:
    """Each column, and behind it one that is 1 where it is missing."""
    columns = [column for own in values.T for column in (np.nan_to_num(own), np.isnan(own))]
    return np.column_stack(columns).astype(float)


def frames():
    train, test = with_marks(np.column_stack([A, B, C])), with_marks(np.array(LATER, dtype=float))
    instance = make_instance(
        train[:, ::2], np.arange(1.0, 13), test[:, ::2], inputs=["real", "real", "binary"]
    )
    inputs = tuple(
        replace(
            one,
            columns=slice(2 * place, 2 * place + 2),
            coding=Coding(one.attribute.name, one.coding.coding, (("missing", "indicator"),)),
        )
        for place, one in enumerate(instance.inputs)
    )
    return replace(instance, inputs=inputs, train_inputs=train, test_inputs=test)


def words(values: np.ndarray) -> list[str]:
    return ["v" if value == 1 else "u" for value in values]


@pytest.mark.parametrize("k", [1, 3, 5])
def test_values_of_nearest_neighbors(k):
    train_inputs = ready(frames(), step("impute", by="neighbors", neighbors=k)).train_inputs
    assert [train_inputs[10, 0], train_inputs[4, 1]] == pytest.approx(numbers(f"knnImp.{k}"))
    assert words(train_inputs[[6], 2]) == R[f"knnImp.c.{k}"]


def test_values_of_the_center():
    prepared = ready(frames(), step("impute"))
    assert [prepared.train_inputs[10, 0], prepared.train_inputs[4, 1]] == numbers("centralImp.train")
    assert [prepared.test_inputs[1, 0], prepared.test_inputs[0, 1]] == numbers("centralImp.test")
    assert words(np.array([prepared.train_inputs[6, 2], prepared.test_inputs[1, 2]])) == R["centralImp.c"]


def test_scaled_values_but_for_the_divisor_of_the_variance():
    prepared = ready(frames(), step("impute"), step("scale"))
    assert prepared.train_inputs[:, 0] * (11 / 12) ** 0.5 == pytest.approx(numbers("scale.train"))
    assert prepared.test_inputs[:, 1] * (11 / 12) ** 0.5 == pytest.approx(numbers("scale.test"))


@pytest.mark.parametrize(
    ("name", "chosen", "guesses"),
    [
        ("na2central", Step("fill"), [-2, 3.4, NAN, 14.6]),
        ("onlyPos", Step("positive"), [-2, 3.4, 14.6]),
        ("cast2int", Step("clip", {"low": 0, "high": 10}), [-2, 3.4, 14.6]),
    ],
)
def test_predictions_of_numbers(name, chosen, guesses):
    rows = np.zeros((12, 1))
    instance = make_instance(rows, np.arange(1.0, 13), rows[: len(guesses)])
    predictions = postprocess(instance, Predictions({"": np.array([guesses]).T}), (chosen,))
    assert predictions.guesses[""][:, 0].tolist() == pytest.approx(numbers(name))


def test_the_categories_of_the_largest_utility():
    shares = np.array([0.99, 0.95, 0.948, 0.9, 0.5])
    codes = np.array([[-1.0], [1], [-1], [-1]])
    instance = make_instance(np.zeros((4, 1)), codes, np.zeros((5, 1)), targets=("binary",))
    given = Predictions({"": np.zeros((5, 1))}, probabilities=np.column_stack([shares, 1 - shares]))
    predictions = postprocess(instance, given, (Step("utility", {"matrix": [[1, -10], [-100, 100]]}),))
    assert ["malignant" if one == 1 else "benign" for one in predictions.guesses[""][:, 0]] == R["maxutil"]


def drawn(chosen: Step) -> list[int]:
    """How many rare and other cases are learned from, of 6 and 24."""
    train_target = ready(unbalanced(30, 6), chosen).train_targets[:, 0]
    return [int((train_target == 1).sum()), int((train_target == -1).sum())]


@pytest.mark.parametrize("over", [2, 6])
@pytest.mark.parametrize("under", [1, 2])
def test_as_many_cases_of_each_class_but_none_of_the_others_twice(over, under):
    rare, others = map(int, R[f"smote.{over}.{under}"])
    assert drawn(step("smote", over=over, under=under, neighbors=3)) == [rare, min(others, 24)]


@pytest.mark.parametrize("over", [2, 6])
@pytest.mark.parametrize("under", [1, 2])
def test_as_many_cases_of_each_class_as_r_draws(over, under):
    rare, others = map(int, R[f"smote.{over}.{under}"])
    assert drawn(step("smote", over=over, under=under, neighbors=3, drawn="as-in-r")) == [rare, others]


def test_as_many_of_the_others_as_asked_for():
    assert drawn(step("undersample", ratio=2)) == list(map(int, R["undersample"]))


@pytest.mark.slow
def test_the_record_is_what_r_gives_today():
    script = shutil.which("Rscript")
    asked = [script, "-e", "library(performanceEstimation)"]
    if script is None or subprocess.run(asked, capture_output=True).returncode:
        pytest.skip("R with the package performanceEstimation is not installed")
    outcome = subprocess.run([script, str(SCRIPT)], capture_output=True, text=True, check=True)
    today = parsed(outcome.stdout)
    assert today.keys() == R.keys()
    for name, values in R.items():
        if values[0].lstrip("-")[0].isdigit():
            assert list(map(float, today[name])) == pytest.approx(list(map(float, values)))
        else:
            assert today[name] == values
