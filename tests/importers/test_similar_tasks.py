"""Data like mine: the statistics of made data whose structure is known, and messages for data that cannot be described."""

import numpy as np
import pandas as pd
import pytest

from delvecore.answers.similar_data import DataDescription
from delvecore.errors import DelveError
from delvecore.importers.plan import ImportOptions, plan_import
from delvecore.importers.similar_tasks import assumptions, describe_plan
from delvecore.importers.source import frame_source
from delvecore.runner import data_description

CASES = 400


def plan_of(frame: pd.DataFrame, **options):
    return plan_import(frame_source(frame, "made"), ImportOptions(targets=("y",), **options))


def described(frame: pd.DataFrame, **options) -> DataDescription:
    return describe_plan(plan_of(frame, **options))


def normal_frame(seed: int = 1, cases: int = CASES) -> pd.DataFrame:
    inputs = np.random.default_rng(seed).normal(size=(cases, 4))
    return pd.DataFrame(inputs, columns=list("abcd"))


def linear_frame(cases: int = CASES) -> pd.DataFrame:
    """The signal has variance 3, the noise variance 1: a quarter is noise, and all else is linear."""
    frame = normal_frame(cases=cases)
    noise = np.random.default_rng(2).normal(size=cases)
    return frame.assign(y=frame["a"] + frame["b"] - frame["c"] + noise)


def test_noise_of_a_linear_function_is_its_share_of_the_variance():
    description = described(linear_frame())
    assert description.noise == pytest.approx(0.25, abs=0.05)
    assert description.nonlinearity == pytest.approx(0, abs=0.05)
    assert (description.cases, description.sampled, description.counts, description.target) == (
        400,
        400,
        (4, 0, 0),
        "numbers",
    )


def test_a_permuted_target_is_all_noise_and_has_no_measurable_non_linearity():
    frame = linear_frame()
    frame["y"] = np.random.default_rng(3).permutation(frame["y"])
    description = described(frame)
    assert description.noise > 0.95
    assert description.nonlinearity is None


def test_non_linearity_is_the_explained_share_that_a_linear_function_misses():
    # a and (b^2 - 1)/sqrt 2 have variance 1 and no covariance with each other; b^2 has none with b. A linear
    # function explains the first of them, half of the variance; there is no noise.
    frame = normal_frame()
    frame["y"] = frame["a"] + (frame["b"] ** 2 - 1) / np.sqrt(2)
    description = described(frame)
    assert description.noise < 0.05
    assert description.nonlinearity == pytest.approx(0.5, abs=0.1)


def test_noise_of_classes_is_by_squared_error_of_their_probabilities():
    # Classes are flipped with probability 0.1. The best probabilities, .9 and .1, have 2 x .9 x .1 = .18 for two
    # indicators; frequencies of one half have 2 x .25 = .5.
    frame = normal_frame()[["a", "b"]]
    flips = np.random.default_rng(4).random(CASES) < 0.1
    frame["y"] = np.where((frame["a"] > 0) ^ flips, "up", "down")
    description = described(frame)
    assert description.target == "classes"
    assert description.classes == 2
    assert description.noise == pytest.approx(0.36, abs=0.1)


def test_scales_of_columns_and_of_the_target_do_not_matter():
    frame = linear_frame()
    scaled = frame.assign(a=1000 * frame["a"] + 7, b=-0.001 * frame["b"], y=5 - 100 * frame["y"])
    assert described(scaled).errors == pytest.approx(described(frame).errors, abs=2e-3)


def test_tiny_numbers_are_no_constants():
    frame = linear_frame()
    tiny = frame.assign(a=frame["a"] * 1e-200, y=frame["y"] * 1e-200)
    assert described(tiny).errors == pytest.approx(described(frame).errors, abs=2e-3)


def test_a_linear_function_of_many_columns_is_not_called_non_linear():
    # Least squares with 150 columns and 320 training cases fits much noise.
    frame = pd.DataFrame(np.random.default_rng(8).normal(size=(400, 150))).add_prefix("c")
    frame["y"] = frame["c0"] + 0.5 * np.random.default_rng(9).normal(size=400)
    description = described(frame)
    assert description.errors["lin-1"] > description.noise + 0.1
    assert (description.columns, description.nonlinearity) == (150, None)


def test_the_order_of_columns_does_not_matter():
    frame = linear_frame()
    assert described(frame[["y", "d", "b", "a", "c"]]).errors == pytest.approx(
        described(frame).errors, abs=2e-3
    )


def test_the_order_of_cases_only_changes_the_folds():
    frame = linear_frame()
    shuffled = frame.sample(frac=1, random_state=5)
    assert described(shuffled).errors == pytest.approx(described(frame).errors, abs=0.03)


def test_kinds_of_inputs_are_those_of_the_import():
    frame = linear_frame()
    frame["b"] = np.arange(CASES) * 7 % 41
    frame["c"] = np.where(frame["c"] > 0, "yes", "no")
    description = described(frame)
    assert description.counts == (2, 1, 1)
    assert description.kinds.tolist() == [0.5, 0.25, 0.25]


def test_many_cases_are_sampled_and_that_is_said_first():
    frame = linear_frame(cases=3000).assign(id=range(3000))
    frame.loc[5:9, "d"] = np.nan
    plan = plan_of(frame)
    description = describe_plan(plan)
    assert (description.cases, description.sampled) == (3000, 500)
    assert description == describe_plan(plan)
    assert description.noise == pytest.approx(0.25, abs=0.07)
    lines = assumptions(plan, description)
    assert lines[0] == "Target y: regression."
    assert "Inputs: 4 real, 0 integer, 0 categorical." in lines
    assert any("id" in line and "it counts the cases" in line for line in lines)
    assert "5 missing values of 1 input: the most usual value replaces them." in lines
    assert (
        "500 of 3,000 cases, drawn with seed 1: 5-fold cross-validation; cases count as independent." in lines
    )


def test_cases_of_a_group_are_in_one_fold():
    # Without groups each case has a copy among the training cases, whose target is known exactly.
    frame = pd.DataFrame({"a": np.random.default_rng(6).normal(size=40).round(6)})
    frame["y"] = np.random.default_rng(7).normal(size=40)
    frame["who"] = [f"p{number}" for number in range(40)]
    twice = pd.concat([frame, frame, frame, frame], ignore_index=True)
    assert described(twice, types={"who": "ignore"}).errors["knn-cv-1"] < 0.3
    assert described(twice, group="who").errors["knn-cv-1"] > 0.8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.rename(columns={"y": "z"}), "target y: expected the name of a column"),
        (lambda frame: frame[:1], "expected at least 12 cases with known targets, found 1; add cases"),
        (
            lambda frame: frame.assign(y=3.5),
            "expected a target with two different values, found 3.5 in all cases",
        ),
        (lambda frame: frame.assign(y=np.nan), "target y: expected a column that can be predicted"),
        (
            lambda frame: frame.assign(a=frame["a"] * 1e300),
            "made: a: expected numbers up to 1e+100, found larger ones",
        ),
        (lambda frame: frame[["y"]], "made: expected an input in addition to the target, found none"),
    ],
)
def test_what_cannot_be_described_has_one_clear_line(change, message):
    with pytest.raises(DelveError) as caught:
        described(change(linear_frame(40)))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_target_of_500_classes_is_refused():
    frame = linear_frame(6000)
    frame["y"] = [f"class{number % 500}" for number in range(6000)]
    with pytest.raises(DelveError, match=r"expected a target of at most 50 classes, found 500; join classes"):
        described(frame)


def test_outlying_and_missing_values_are_described():
    # A lognormal column has entries so large that rounding errors exceed the noise that gp-1 tries.
    random, cases = np.random.default_rng(5), 300
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 90, cases).astype(float),
            "city": random.choice(["Rome", "Oslo", "Lima", "?"], cases, p=[0.4, 0.3, 0.2, 0.1]),
            "income": random.lognormal(10, 1, cases).round(2),
            "smoker": random.choice(["yes", "no"], cases),
        }
    )
    frame.loc[random.random(cases) < 0.15, "income"] = np.nan
    frame.loc[random.random(cases) < 0.05, "age"] = np.nan
    noise = random.normal(0, 500, cases)
    frame["y"] = frame["age"].fillna(50) * 30 + (frame["smoker"] == "yes") * 2000 + noise
    description = described(frame)
    assert description.noise < 0.4
    assert set(description.errors) == {"lin-1", "knn-cv-1", "gp-1"}


def test_quick_methods_compute_in_one_thread(monkeypatch):
    # With a thread for each core, gp-1 takes ten times as long on a busy machine.
    threadpoolctl = pytest.importorskip("threadpoolctl")
    seen, really_load = [], data_description.load_method

    def load(name):
        seen.append({one["num_threads"] for one in threadpoolctl.threadpool_info()})
        return really_load(name)

    monkeypatch.setattr(data_description, "load_method", load)
    with threadpoolctl.threadpool_limits(2):
        if not any(one["num_threads"] == 2 for one in threadpoolctl.threadpool_info()):
            pytest.skip("the libraries of this machine cannot use two threads")
        described(linear_frame(100))
    assert len(seen) > 0
    assert set().union(*seen) == {1}
