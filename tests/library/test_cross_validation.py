"""`delvecore.compare` of results of scikit-learn: splits are what they were, or the user is asked."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KNeighborsRegressor

import delvecore as dv
from delvecore.errors import DelveError
from delvecore.library.cross_validation import splits_of_sets, splits_of_splitter
from delvecore.stats.designs import named_design

INPUTS, TARGET = (part[:120] for part in load_diabetes(return_X_y=True))
pytestmark = pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
GROUPS = np.arange(120) % 6
CLASSES = np.arange(120) % 2

KINDS = [
    (KFold(5), "cross-validation", 5, 1),
    (StratifiedKFold(4), "cross-validation", 4, 1),
    (GroupKFold(3), "cross-validation", 3, 1),
    (StratifiedGroupKFold(3), "cross-validation", 3, 1),
    (LeaveOneGroupOut(), "cross-validation", 6, 1),
    (RepeatedKFold(n_splits=2, n_repeats=5, random_state=3), "repeated cross-validation", 2, 5),
    (RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=3), "repeated cross-validation", 5, 3),
    (ShuffleSplit(10, test_size=0.3, random_state=3), "resampled", 1, 10),
    (StratifiedShuffleSplit(8, test_size=0.25, random_state=3), "resampled", 1, 8),
    (GroupShuffleSplit(40, test_size=0.5, random_state=3), "resampled", 1, 40),
    (LeaveOneOut(), "leave-one-out", 1, 120),
    (TimeSeriesSplit(5), "resampled", 1, 5),
]


@pytest.mark.parametrize(("cv", "kind", "folds", "repeats"), KINDS)
def test_a_splitter_and_its_indices_tell_the_same_design(cv, kind, folds, repeats):
    sets = list(cv.split(INPUTS, CLASSES, GROUPS))
    of_sets, share_of_sets = splits_of_sets(*zip(*sets, strict=True))
    of_splitter, share_of_splitter = splits_of_splitter(cv, len(sets))
    for design in (of_sets, of_splitter):
        assert str(design.kind) == kind
        if kind != "leave-one-out":
            assert (design.folds, design.repeats) == (folds, repeats)
    assert share_of_splitter == pytest.approx(share_of_sets, abs=0.02)
    assert of_splitter.share == pytest.approx(of_sets.share, abs=0.04)


def test_a_splitter_that_leaves_sizes_open_is_not_guessed():
    class Purged(KFold):
        pass

    for cv in (Purged(5), LeavePOut(2), ShuffleSplit(5, test_size=20), TimeSeriesSplit(5, gap=3)):
        assert splits_of_splitter(cv, 5) is None


def both(cv, **more):
    methods = {"ridge": Ridge(0.1), "knn": KNeighborsRegressor(7)}
    rules = {"groups": GROUPS, **more}
    return {name: cross_validate(one, INPUTS, TARGET, cv=cv, **rules) for name, one in methods.items()}


def corrected_p(differences, correlation, *, most_df=9):
    count = len(differences)
    t = differences.mean() / np.sqrt(differences.var(ddof=1) * (1 / count + correlation / (1 - correlation)))
    return 2 * stats.t.sf(abs(t), min(count - 1, most_df))


@pytest.mark.parametrize(
    ("cv", "name", "share"),
    [
        (RepeatedKFold(n_splits=2, n_repeats=5, random_state=3), "repeated cross-validation", 0.5),
        (ShuffleSplit(10, test_size=0.3, random_state=3), "resampled", 0.3),
        (KFold(10), "cross-validation", None),
    ],
)
def test_p_is_that_of_the_design_that_the_indices_tell(cv, name, share):
    results = both(cv, return_indices=True)
    differences = results["ridge"]["test_score"] - results["knn"]["test_score"]
    correlation = named_design(name, len(differences), test_share=share).share
    assert dv.compare(results).p == pytest.approx(corrected_p(differences, correlation), rel=0.08)
    expected = dv.compare(both(cv), design=name, **({"share": share} if share else {})).p
    assert dv.compare(results).p == pytest.approx(expected, rel=0.08)


def test_nadeau_and_bengio_take_the_share_of_test_cases_that_the_indices_tell():
    results = both(ShuffleSplit(10, test_size=0.3, random_state=3), return_indices=True)
    differences = results["ridge"]["test_score"] - results["knn"]["test_score"]
    comparison = dv.compare(results, design="nadeau-bengio")
    assert comparison.p == pytest.approx(corrected_p(differences, 0.3))
    assert "correlation 0.3" in comparison.sentence


def test_a_search_tells_its_splits():
    grid = {"alpha": [0.01, 10.0]}
    half = GridSearchCV(Ridge(), grid, cv=ShuffleSplit(10, test_size=0.5, random_state=0))
    comparison = dv.compare(half.fit(INPUTS, TARGET))
    assert "(resampled)" in comparison.sentence
    assert "correlation 0.5" in comparison.sentence
    five = dv.compare(GridSearchCV(Ridge(), grid).fit(INPUTS, TARGET))
    assert "(cross-validation)" in five.sentence
    assert five.table["instances"].to_pylist() == [5]
    sizes = PredefinedSplit(np.arange(120) % 3)
    assert (
        "(cross-validation)" in dv.compare(GridSearchCV(Ridge(), grid, cv=sizes).fit(INPUTS, TARGET)).sentence
    )


def test_results_without_indices_are_a_question_with_its_answers():
    with pytest.raises(DelveError) as caught:
        dv.compare(both(ShuffleSplit(10, test_size=0.3, random_state=3)))
    text = str(caught.value)
    assert text.startswith("design: expected how the 10 folds were drawn, found their scores alone")
    assert "return_indices=True" in text
    assert "share=" in text


def test_arrays_of_scores_are_folds_of_one_task_and_not_tested_without_a_design():
    scores = {
        "ridge": cross_val_score(Ridge(), INPUTS, TARGET, cv=10),
        "knn": cross_val_score(KNeighborsRegressor(), INPUTS, TARGET, cv=10),
    }
    comparison = dv.compare(scores, higher_is_better=True)
    assert len(comparison.to_frame()) == 1
    assert (comparison.p, comparison.verdict) == (None, "not tested")
    assert "nothing shows how the folds were drawn; say design=" in comparison.sentence
    tested = dv.compare(scores, higher_is_better=True, design="cross-validation")
    differences = scores["ridge"] - scores["knn"]
    assert tested.p == pytest.approx(corrected_p(differences, named_design("cross-validation", 10).share))
    two = dv.compare(
        scores["ridge"],
        scores["knn"],
        names=("ridge", "knn"),
        higher_is_better=True,
        design="cross-validation",
    )
    assert two.p == pytest.approx(tested.p)
    assert two.difference == pytest.approx(differences.mean())
    assert ("ridge is significantly better" in two.sentence) == (two.p < 0.05 and two.difference > 0)
    with pytest.raises(DelveError, match="say design='cross-validation' for the folds of one"):
        dv.compare(scores["ridge"], scores["knn"])
    with pytest.raises(DelveError, match="higher_is_better"):
        dv.compare(scores)


def test_two_arrays_of_scores_are_compared_in_their_direction():
    random = np.random.default_rng(1)
    low = random.random(10)
    high = low + 1 + 0.01 * random.random(10)
    losses = dv.compare(low, high, design="cross-validation")
    scores = dv.compare(low, high, design="cross-validation", higher_is_better=True)
    assert (losses.verdict, scores.verdict) == ("better", "worse")
    with pytest.raises(
        DelveError, match=r"^dataset: expected this argument only for a table of scores, found two arrays"
    ):
        dv.compare(low, high, design="cross-validation", dataset="d")


def test_one_of_several_scorers_is_chosen_by_metric():
    scorers = ["r2", "neg_mean_absolute_error"]
    results = both(KFold(10), scoring=scorers, return_indices=True)
    for name in ("r2", "test_r2"):
        comparison = dv.compare(results, metric=name)
        assert comparison.difference == pytest.approx(
            (results["knn"]["test_r2"] - results["ridge"]["test_r2"]).mean()
        )
        assert "r2" in comparison.sentence
    with pytest.raises(DelveError, match="say metric='r2' or 'neg_mean_absolute_error'"):
        dv.compare(results)
    with pytest.raises(DelveError, match=r"metric: expected a score of ridge: r2, neg_mean.*found 'auc'"):
        dv.compare(results, metric="auc")
    with pytest.raises(
        DelveError, match=r"value: expected this argument only for a table of scores, .*say metric="
    ):
        dv.compare(both(KFold(10), return_indices=True), value="test_score")
    search = GridSearchCV(Ridge(), {"alpha": [1, 2]}, cv=KFold(10), scoring=scorers, refit="r2")
    search.fit(INPUTS, TARGET)
    comparison = dv.compare({"knn": results["knn"], "best ridge": search}, metric="r2")
    best = [search.cv_results_[f"split{k}_test_r2"][search.best_index_] for k in range(10)]
    assert abs(comparison.difference) == pytest.approx(abs(np.mean(results["knn"]["test_r2"] - best)))


def test_folds_that_are_not_the_same_are_refused():
    first = both(KFold(5, shuffle=True, random_state=1), return_indices=True)["ridge"]
    other = both(KFold(5, shuffle=True, random_state=2), return_indices=True)["knn"]
    with pytest.raises(
        DelveError, match="the same folds for all, found different training cases in fold 0 of knn"
    ):
        dv.compare({"ridge": first, "knn": other})
    searches = {
        name: GridSearchCV(Ridge(), {"alpha": [value]}, cv=ShuffleSplit(5, test_size=0.2)).fit(INPUTS, TARGET)
        for name, value in (("a", 1), ("b", 2))
    }
    with pytest.raises(
        DelveError, match=r"ShuffleSplit of a, which draws new folds each time; .*random_state="
    ):
        dv.compare(searches)


def test_leave_one_out_of_right_and_wrong_is_not_tested():
    results = {
        name: {"test_score": (np.arange(120) % every > 0).astype(float), "indices": indices}
        for name, every in (("a", 3), ("b", 5))
        for indices in [
            dict(zip(("train", "test"), zip(*LeaveOneOut().split(INPUTS), strict=True), strict=True))
        ]
    }
    comparison = dv.compare(results)
    assert comparison.verdict == "not tested"
    assert comparison.p is None
