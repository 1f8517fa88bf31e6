"""What is done to cases before a learner sees them."""

from dataclasses import replace

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.methods.protocol import Predictions
from delvecore.model import Coding
from delvecore.workflows.steps import between, postprocess, preprocess
from delvecore.workflows.workflow_spec import PRE, Step
from tests.methods.problems import make_instance

RNG = np.random.default_rng(1)


def step(kind: str, **options: object) -> Step:
    return Step(kind, {name: option.default for name, option in PRE[kind].items()} | options)


def ready(instance, *steps: Step):
    return preprocess(instance, steps, np.random.default_rng(1))[0]


def with_gaps(instance):
    """The instance, the last column an indicator of missing values of the attribute before it."""
    *others, first, _ = instance.inputs
    columns = slice(first.columns.start, first.columns.stop + 1)
    coding = Coding(first.attribute.name, first.coding.coding, (("missing", "indicator"),))
    return replace(instance, inputs=(*others, replace(first, columns=columns, coding=coding)))


def incomplete():
    """Two numbers, the second missing in the last training case and in the second test case."""
    train = np.array([[0.0, 1, 0], [1, 2, 0], [2, 9, 0], [10, 5, 0], [9, 0, 1]])
    test = np.array([[0.0, 7, 0], [1.4, 0, 1]])
    return with_gaps(make_instance(train, np.arange(5.0), test))


def test_the_most_frequent_category_fills_in_as_a_whole():
    codes = np.vstack([np.eye(3)[[0, 1, 1, 2]], [[0, 0, 0]]])
    train = np.hstack([codes, [[0.0]] * 4 + [[1.0]]])
    instance = make_instance(train, np.arange(5.0), train[-1:], inputs=["nominal", "real"])
    prepared = ready(with_gaps(instance), step("impute"))
    assert prepared.train_inputs[-1].tolist() == [0, 1, 0]
    assert prepared.test_inputs.tolist() == [[0, 1, 0]]


def test_without_imputation_the_indicator_of_missing_values_stays_and_is_not_scaled():
    prepared = ready(incomplete(), step("scale", by="range"))
    assert prepared.train_inputs[:, 2].tolist() == [0, 0, 0, 0, 1]
    assert prepared.train_inputs[:, 0].tolist() == pytest.approx([-1, -0.8, -0.6, 1, 0.8])


def test_test_cases_have_no_say_in_what_is_learned():
    rows = RNG.normal(size=(30, 4))
    steps = step("impute"), step("scale"), step("select", keep=2)
    one = ready(make_instance(rows, rows[:, 1] * 3, rows[:2]), *steps)
    other = ready(make_instance(rows, rows[:, 1] * 3, 1000 + rows[:9]), *steps)
    assert np.array_equal(one.train_inputs, other.train_inputs)


@pytest.mark.parametrize("by", ["f", "information"])
def test_the_inputs_that_tell_most_are_kept(by):
    rows = RNG.normal(size=(60, 4))
    prepared = ready(make_instance(rows, rows[:, 2] * 3, rows[:5]), step("select", keep=1, by=by))
    assert np.array_equal(prepared.train_inputs[:, 0], rows[:, 2])
    assert np.array_equal(prepared.test_inputs[:, 0], rows[:5, 2])


def test_an_object_of_ones_own_is_a_step():
    rows = RNG.normal(size=(20, 3))
    own = Step("pca", {"n_components": 2}, "sklearn.decomposition:PCA")
    prepared = ready(make_instance(rows, rows[:, 0], rows[:4]), own)
    assert (prepared.train_inputs.shape, prepared.test_inputs.shape) == ((20, 2), (4, 2))


def unbalanced(cases: int = 24, rare: int = 6):
    rows = RNG.normal(size=(cases, 2))
    codes = np.where(np.arange(cases) < rare, 1.0, -1.0)[:, np.newaxis]
    return make_instance(rows, codes, rows[:3], targets=("binary",))


@pytest.mark.parametrize(
    ("chosen", "rare", "others"),
    [
        # Six rare cases of 24: two new ones for each, as many others as new ones.
        (step("smote", under=1), 18, 12),
        (step("smote", over=0.5, under=9), 9, 18),
        (step("undersample", ratio=2), 6, 12),
        (step("oversample", ratio=0.5), 9, 18),
        (Step("near", {}, "imblearn.under_sampling:NearMiss"), 6, 6),
    ],
)
def test_so_many_cases_of_each_class_are_learned_from(chosen, rare, others):
    prepared = ready(unbalanced(), chosen)
    classes = prepared.train_targets[:, 0]
    assert ((classes == 1).sum(), (classes == -1).sum()) == (rare, others)
    assert len(prepared.test_inputs) == 3


def test_new_cases_lie_between_rare_ones_and_their_categories_are_whole():
    rare, codes = RNG.uniform(2, 3, size=(5, 1)), np.eye(3)[[0, 1, 2, 1, 1]]
    train = np.vstack([np.hstack([rare, codes]), np.hstack([np.zeros((9, 1)), np.eye(3)[[0] * 9]])])
    targets = np.repeat([1.0, -1.0], [5, 9])[:, np.newaxis]
    instance = make_instance(train, targets, train[:1], inputs=["real", "nominal"], targets=("binary",))
    prepared = ready(instance, step("smote", over=4, neighbors=9))
    made = prepared.train_inputs[prepared.train_targets[:, 0] == 1]
    assert len(made) == 25
    assert ((made[:, 0] >= rare.min()) & (made[:, 0] <= rare.max())).all()
    assert (np.sort(made[:, 1:], axis=1) == [0, 0, 1]).all()


def test_categories_alone_can_be_added_to_and_a_lone_case_is_repeated():
    codes = np.eye(3)[[0, 1, 2, 1, 1, 0, 0, 0]]
    for rare in (3, 1):
        targets = np.repeat([1.0, -1.0], [rare, 8 - rare])[:, np.newaxis]
        instance = make_instance(codes, targets, codes[:1], inputs=["nominal"], targets=("binary",))
        prepared = ready(instance, step("smote"))
        assert (prepared.train_targets[:, 0] == 1).sum() == 3 * rare


def test_validation_cases_are_not_drawn_anew():
    instance = replace(unbalanced(), validation=np.array([0, 23]))
    prepared = ready(instance, step("undersample"))
    assert prepared.validation.tolist() == [10, 11]
    assert np.array_equal(prepared.train_inputs[10:], instance.train_inputs[[0, 23]])


def test_cases_drawn_as_in_r_lie_between_a_case_and_its_nearest_by_ranges():
    # Ranges are 10 and 1. Squared distances in their units: A-B 0.09 + 1, A-C 1 + 0.01, B-C 0.49 + 0.81. So C
    # is the nearest of A, A that of B and of C; without ranges B would be the nearest of A.
    a, b, c = np.array([[0.0, 0.0], [3.0, 1.0], [10.0, 0.1]])
    made = between(np.array([a, b, c]), np.zeros(2, bool), over=2.9, neighbors=1, rng=RNG)
    assert len(made) == 6
    for new, case, other in zip(made, np.repeat([a, b, c], 2, axis=0), [c, c, a, a, a, a], strict=True):
        share = (new - case) / (other - case)
        assert share[0] == pytest.approx(share[1])
        assert 0 <= share[0] <= 1


def test_equal_categories_count_as_apart_as_in_r_and_each_is_that_of_either():
    # smote.exs sets the distance of equal categories to 1. From the first case: to itself 0 + 1, to the second
    # 0.25 + 0, to the third 0.01 + 1, to the fourth 1 + 0. It leaves out the nearest, here the second, as if it
    # were the case itself; the next is the case itself, then the fourth.
    cases, is_code = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 0.0], [10.0, 1.0]]), np.array([False, True])
    assert not between(cases, is_code, over=20, neighbors=1, rng=RNG)[:20].any()
    made = between(cases, is_code, over=40, neighbors=2, rng=RNG)[:40]
    assert made[:, 0].max() > 5
    assert set(made[:, 1]) == {0.0, 1.0}


NUMBERS = make_instance(np.zeros((3, 1)), [0.0, 1.0, 2.0], np.zeros((4, 1)), center=10.0, scale=2.0)
"""Training targets 10, 12 and 14 in the units of the data."""


def guesses(*steps: Step, of: tuple[float, ...]) -> list[float]:
    """Guesses in the units of the data, made of such guesses."""
    coded = (np.array([of]).T - 10) / 2
    predictions = postprocess(NUMBERS, Predictions({"S": coded, "A": coded}), steps)
    assert np.array_equal(predictions.guesses["S"], predictions.guesses["A"], equal_nan=True)
    return (predictions.guesses["S"][:, 0] * 2 + 10).tolist()


def half(values: np.ndarray, known: np.ndarray, *, share: float = 0.5) -> np.ndarray:
    return values * share + known.max() * (1 - share)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # R: standardPOST with cast2int and infLim, supLim; here the limits are those of the training targets.
        ((Step("clip"),), [10, 11.3, 14, 10]),
        ((Step("clip", {"low": 0, "high": 12}),), [0, 11.3, 12, 2.5]),
        ((Step("positive"),), [0, 11.3, 20, 2.5]),
        ((Step("integer"),), [-5, 11, 20, 2]),
        ((Step("clip", {"low": 0}), Step("integer")), [0, 11, 14, 2]),
        ((Step("half", {"share": 0.0}, f"{__name__}:half"),), [14, 14, 14, 14]),
    ],
)
def test_guesses_are_changed_in_the_units_of_the_data(steps, expected):
    assert guesses(*steps, of=(-5, 11.3, 20, 2.5)) == pytest.approx(expected)


CLASSES = make_instance(
    np.zeros((4, 1)), np.array([[-1.0], [1], [1], [1]]), np.zeros((2, 1)), targets=("binary",)
)
SHARES = np.array([[0.95, 0.05], [0.5, 0.5]])
USE = Step("utility", {"matrix": [[1, -10], [-100, 100]]})


def test_the_category_of_the_largest_expected_utility_is_guessed():
    # Of the first case 0.95 - 5 against -9.5 + 5, of the second 0.5 - 50 against -5 + 50: the manual's matrix.
    predictions = postprocess(CLASSES, Predictions({"": np.zeros((2, 1))}, probabilities=SHARES), (USE,))
    assert predictions.guesses[""].tolist() == [[-1], [1]]
    assert predictions.probabilities is SHARES


def test_frequencies_stand_where_there_are_no_probabilities():
    shares = np.array([[0.9, 0.1], [np.nan, np.nan]])
    predictions = postprocess(
        CLASSES, Predictions({"": -np.ones((2, 1))}, probabilities=shares), (Step("fill"),)
    )
    assert predictions.guesses[""].tolist() == [[-1], [1]]
    assert predictions.probabilities.tolist() == [[0.9, 0.1], [0.25, 0.75]]


def test_utility_needs_probabilities_and_a_row_for_each_category():
    with pytest.raises(DelveError, match="expected a learner that predicts probabilities"):
        postprocess(CLASSES, Predictions({"": np.zeros((2, 1))}), (USE,))
    three = Step("utility", {"matrix": np.eye(3).tolist()})
    with pytest.raises(DelveError, match="expected a matrix of 2 x 2, found 3 rows"):
        postprocess(CLASSES, Predictions({"": np.zeros((2, 1))}, probabilities=SHARES), (three,))
