"""`delvecore.experiment` has the numbers of scikit-learn's `cross_validate` with the same splits."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import delvecore as dv
from delvecore.errors import DelveError

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

FIVE, STRATIFIED = KFold(5, shuffle=True, random_state=1), StratifiedKFold(5, shuffle=True, random_state=1)
CLASSIFIERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    "svm (rbf)": make_pipeline(StandardScaler(), SVC()),
    "forest": RandomForestClassifier(10, random_state=0),
    "boosting": HistGradientBoostingClassifier(max_iter=10, random_state=0),
    "neighbors": KNeighborsClassifier(5),
    "prior": DummyClassifier(),
}
REGRESSORS = {
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "ridge/plain": Ridge(),
    "svm": make_pipeline(StandardScaler(), SVR()),
    "forest": RandomForestRegressor(10, random_state=0),
    "boosting": HistGradientBoostingRegressor(max_iter=10, random_state=0),
    "neighbors": KNeighborsRegressor(5),
}


def homes(*, classes=False, gaps=False, count=160):
    """Names with blanks and brackets, words with blanks, an order of words, true and false, 0 and 1."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "living area (m2)": random.uniform(20, 200, count).round(2),
            "town": random.choice(["Ghent", "Lund \u00f6", "New York"], count),
            "rooms": random.integers(1, 7, count),
            "new": random.integers(0, 2, count).astype(bool),
            "grade": pd.Categorical(
                random.choice(["low", "mid", "high"], count), ["low", "mid", "high"], ordered=True
            ),
            "flag": random.integers(0, 2, count),
        }
    )
    price = (
        900 * frame["living area (m2)"]
        + 20_000 * (frame["town"] == "New York")
        + random.normal(0, 9000, count)
    )
    if gaps:
        frame.loc[::9, "living area (m2)"] = np.nan
        frame.loc[::13, "town"] = None
    frame["price"] = np.where(price > price.median(), "high price", "low") if classes else price.round(1)
    return frame


def preparation():
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    words = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    of_numbers, of_words = (
        make_column_selector(**{key: np.number}) for key in ("dtype_include", "dtype_exclude")
    )
    return make_column_transformer((numbers, of_numbers), (words, of_words))


def by_name():
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    return make_column_transformer(
        (numbers, ["living area (m2)", "rooms"]), (OneHotEncoder(handle_unknown="ignore"), ["town", "grade"])
    )


def in_pipelines(estimators, last):
    pipelines = {name: make_pipeline(preparation(), one) for name, one in estimators.items()}
    return {**pipelines, "columns by name": make_pipeline(by_name(), last)}


HOME_CLASSIFIERS = in_pipelines(
    {
        "logistic": LogisticRegression(max_iter=500),
        "forest": RandomForestClassifier(10, random_state=0),
        "neighbors": KNeighborsClassifier(5),
        "svm": SVC(class_weight={"low": 2.0, "high price": 1.0}),
        "prior": DummyClassifier(),
    },
    LogisticRegression(max_iter=500),
)
HOME_REGRESSORS = in_pipelines(
    {
        "ridge": Ridge(),
        "forest": RandomForestRegressor(10, random_state=0),
        "neighbors": KNeighborsRegressor(5),
        "svm": SVR(),
        "mean": DummyRegressor(),
    },
    Ridge(),
)


def series(count=150):
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"date": pd.date_range("2020-01-01", periods=count), "a": random.normal(size=count)})
    return frame.assign(b=random.normal(size=count), y=np.cumsum(random.normal(size=count)))


CANCER, DIGITS = load_breast_cancer(), load_digits()
FEW = np.r_[np.flatnonzero(CANCER.target == 1)[:150], np.flatnonzero(CANCER.target == 0)[:15]]
GROUPS = np.repeat(np.arange(25), 6)
GROUPED = np.random.default_rng(1).normal(size=(150, 4))
TWELVE = DIGITS.target[:300] + 10 * ((np.arange(300) % 2 == 0) & (DIGITS.target[:300] < 2))
CASES = {
    "numbers": (REGRESSORS, load_diabetes(return_X_y=True), FIVE, {}),
    "classes": (CLASSIFIERS, load_wine(), STRATIFIED, {}),
    "frame of a bunch": (CLASSIFIERS, load_iris(as_frame=True), STRATIFIED, {}),
    "imbalanced": (CLASSIFIERS, (CANCER.data[FEW], CANCER.target[FEW]), STRATIFIED, {}),
    "groups": (CLASSIFIERS, (GROUPED, (GROUPED[:, 0] > 0).astype(int)), GroupKFold(5), {"groups": GROUPS}),
    "time": (REGRESSORS, series(), TimeSeriesSplit(5), {"target": "y", "order": "date"}),
    "categories": (HOME_REGRESSORS, homes(), FIVE, {"target": "price"}),
    "categories and classes": (HOME_CLASSIFIERS, homes(classes=True), STRATIFIED, {"target": "price"}),
    "gaps": (HOME_REGRESSORS, homes(gaps=True), FIVE, {"target": "price"}),
    "gaps and classes": (HOME_CLASSIFIERS, homes(gaps=True, classes=True), FIVE, {"target": "price"}),
    "0.0 and 1.0": (
        CLASSIFIERS,
        (CANCER.data[:150], CANCER.target[:150].astype(float)),
        STRATIFIED,
        {"types": {"target": "nominal"}},
    ),
    "a dozen integers": (
        CLASSIFIERS,
        (DIGITS.data[:300], TWELVE),
        ShuffleSplit(3, test_size=0.3, random_state=2),
        {"types": {"target": "nominal"}},
    ),
}


def inputs_and_target(data, rules):
    if isinstance(data, tuple):
        return data
    if hasattr(data, "target"):
        return data.data, data.target
    return data.drop(columns=[rules["target"], *(["date"] if "date" in data else [])]), data[rules["target"]]


@pytest.mark.parametrize("name", CASES)
def test_losses_are_those_of_cross_validate_with_the_same_splits(name):
    methods, data, folds, rules = CASES[name]
    experiment = dv.experiment(methods, {name: data}, design=folds, quiet=True, jobs=1, **rules)
    assert experiment.failures == ()
    table = experiment.to_frame().set_index(["method", "loss"])["mean"]
    inputs, target = inputs_and_target(data, rules)
    has_classes = methods in (CLASSIFIERS, HOME_CLASSIFIERS)
    scorers = (
        {"Z": "accuracy"} if has_classes else {"S": "neg_mean_squared_error", "A": "neg_mean_absolute_error"}
    )
    for method, estimator in methods.items():
        theirs = cross_validate(
            estimator, inputs, target, cv=folds, groups=rules.get("groups"), scoring=list(scorers.values())
        )
        for loss, scorer in scorers.items():
            score = theirs[f"test_{scorer}"].mean()
            expected = 1 - score if loss == "Z" else -score
            assert table[method, loss] == pytest.approx(expected, rel=1e-7), (method, loss)


@pytest.mark.parametrize("name", ["0.0 and 1.0", "a dozen integers"])
def test_numbers_that_may_be_classes_are_a_question(name):
    methods, (inputs, target), folds, _ = CASES[name]
    with pytest.raises(DelveError) as caught:
        dv.experiment(methods, {"w": (inputs, target)}, design=folds, quiet=True, jobs=1)
    text = str(caught.value)
    assert "target target: expected classes or numbers" in text
    assert "say types={'target': 'nominal'} for classes" in text


def test_zero_and_one_may_be_numbers_where_all_methods_are_regressors():
    with pytest.raises(
        DelveError, match=r"types=\{'target': 'nominal'\} for classes, or 'integer' for numbers"
    ):
        dv.experiment({"ridge": Ridge(), "mean": DummyRegressor()}, (CANCER.data, CANCER.target), quiet=True)
    experiment = dv.experiment(
        {"ridge": Ridge(), "mean": DummyRegressor()},
        (CANCER.data, CANCER.target),
        types={"target": "integer"},
        design=3,
        quiet=True,
        jobs=1,
    )
    assert set(experiment.to_frame()["loss"]) >= {"S", "A"}


def test_an_estimator_that_takes_no_words_or_gaps_gets_them_encoded_and_a_note_says_why():
    experiment = dv.experiment(
        {"ridge": Ridge(), "boosting": HistGradientBoostingRegressor(max_iter=5)},
        {"homes": homes(gaps=True)[["living area (m2)", "rooms", "price"]]},
        target="price",
        design=3,
        quiet=True,
        jobs=1,
    )
    assert experiment.failures == ()
    (note,) = [line for line in experiment.notes if "encoded" in line]
    assert note.startswith(
        "ridge: the inputs of homes are encoded, since it takes no missing values (living area"
    )


@pytest.mark.parametrize("gaps", [False, True])
def test_a_pipeline_that_prepares_no_words_gets_them_encoded(gaps):
    scaled = make_pipeline(StandardScaler(), Ridge())
    experiment = dv.experiment(
        {"scaled": scaled, "mean": DummyRegressor()},
        {"homes": homes(gaps=gaps)},
        target="price",
        design=3,
        quiet=True,
        jobs=1,
    )
    assert experiment.failures == ()
    (note,) = [line for line in experiment.notes if "encoded" in line]
    assert note.startswith("scaled: the inputs of homes are encoded, since it takes no categories (town, ")
    assert ("no missing values" in note) == gaps


def test_a_random_state_is_kept_and_none_becomes_a_seed_for_each_training_set():
    methods = {
        "a": RandomForestClassifier(5, random_state=0),
        "b": RandomForestClassifier(5, random_state=0),
        "c": RandomForestClassifier(5),
    }
    table = dv.experiment(
        methods, load_iris(), design=STRATIFIED, quiet=True, jobs=1
    ).archive.losses.to_pandas()
    one = {name: table[table["method"] == name]["values"].map(tuple).tolist() for name in methods}
    assert one["a"] == one["b"]
    assert one["a"] != one["c"]
