"""Metrics of classes: worked by hand from ten cases, and as scikit-learn has them."""

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from delvecore.errors import DelveError
from delvecore.metrics.metric import Judged, UndefinedError
from delvecore.metrics.registry import find_metric
from tests.word_lists import listed

YES, NO = 0, 1
ACTUAL = np.array([YES, YES, YES, YES, NO, NO, NO, NO, NO, NO])
GUESSED = np.array([YES, YES, YES, NO, YES, NO, NO, NO, NO, YES])
# TP 3, FN 1, FP 2, TN 4: P 4, N 6, n 10.
BY_HAND = {
    "acc": 0.7,
    "err": 0.3,
    "tpr": 3 / 4,
    "tnr": 4 / 6,
    "fpr": 2 / 6,
    "fnr": 1 / 4,
    "prec": 3 / 5,
    "npv": 4 / 5,
    "fdr": 2 / 5,
    "for": 1 / 5,
    "plr": (3 / 4) / (2 / 6),
    "nlr": (1 / 4) / (4 / 6),
    "dor": 6.0,  # 3 x 4 / (2 x 1)
    "rpp": 5 / 10,
    "lift": 3 / (4 * 5),
    "F": 6 / 9,
    "F:beta=2": 15 / 21,
    "macroF": (6 / 9 + 8 / 11) / 2,
    "macroRec": (3 / 4 + 4 / 6) / 2,
    "macroPrec": (3 / 5 + 4 / 5) / 2,
    "cep": 30.0,
    "prec:positive=no": 4 / 5,
    "F:positive=no": 8 / 11,
}
R_NAMES = listed("""
    acc  err  totU  fpr  fnr  tpr  tnr  rec  sens  spec  prec  ppv  fdr  npv  for  plr  nlr  dor  rpp
    lift  F  microF  macroF  macroRec  macroPrec
""")
PROBABILITIES = np.array([[0.9, 0.1], [0.7, 0.3], [0.55, 0.45], [0.2, 0.8], [0.65, 0.35]])


def value(name, judged):
    return find_metric(name).value(judged)


def judged(actual=ACTUAL, guessed=GUESSED, classes=("yes", "no"), **more):
    losses = {"Z": (actual != guessed).astype(float)}
    return Judged(losses, classes, actual, guessed, **more)


@pytest.mark.parametrize("name", BY_HAND)
def test_ten_cases_give_what_is_worked_by_hand(name):
    assert value(name, judged()) == pytest.approx(BY_HAND[name])


def test_all_metrics_of_classes_of_r_are_there():
    assert len(R_NAMES) == 25
    assert [name for name in R_NAMES if find_metric(name) is None] == []


def test_utility_sums_what_each_prediction_is_worth():
    # The manual's matrix for three classes, which R fills by columns: it is symmetric. Rows are predicted.
    matrix = np.array([[10.0, -20, -20], [-20, 20, -10], [-20, -10, 20]])
    actual, guessed = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 1, 2, 1])
    assert value("totU", judged(actual, guessed, ("a", "b", "c"), matrix=matrix)) == 10 - 20 + 20 + 20 - 10


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("prec", "no case is predicted positive"),
        ("fdr", "no case is predicted positive"),
        ("lift", "no case is predicted positive"),
        ("plr", "there is no false positive"),
        ("macroPrec", "a class is never predicted"),
        ("mcc", "of one class"),
    ],
)
def test_what_is_not_defined_has_no_value_and_says_why(name, reason):
    with pytest.raises(UndefinedError, match=reason):
        value(name, judged(guessed=np.full(10, NO)))


def test_f_is_zero_where_positives_are_there_and_none_is_found():
    assert value("F", judged(guessed=np.full(10, NO))) == 0


def test_of_three_classes_one_has_to_be_named_as_positive():
    three = judged(np.array([0, 1, 2]), np.array([0, 2, 2]), ("a", "b", "c"))
    with pytest.raises(UndefinedError, match="none is named as the positive one"):
        value("tpr", three)
    assert value("tpr:positive=c", three) == 1
    with pytest.raises(UndefinedError, match="there is no class d"):
        value("tpr:positive=d", three)


def test_classes_of_a_larger_problem_agree_with_scikit_learn():
    draws = np.random.default_rng(7)
    actual = draws.integers(0, 4, 200)
    probabilities = draws.dirichlet(np.ones(4), 200)
    probabilities[np.arange(200), actual] += 0.3
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    guessed = probabilities.argmax(axis=1)
    case = judged(actual, guessed, tuple("abcd"), probabilities=probabilities)
    case.losses["L"] = -np.log(probabilities[np.arange(200), actual])
    case.losses["Q"] = ((probabilities - np.eye(4)[actual]) ** 2).sum(axis=1)
    theirs = {
        "acc": sklearn_metrics.accuracy_score(actual, guessed),
        "balanced_accuracy": sklearn_metrics.balanced_accuracy_score(actual, guessed),
        "f1_macro": sklearn_metrics.f1_score(actual, guessed, average="macro"),
        "macroF:beta=2": sklearn_metrics.fbeta_score(actual, guessed, beta=2, average="macro"),
        "precision_macro": sklearn_metrics.precision_score(actual, guessed, average="macro"),
        "F:positive=b": sklearn_metrics.f1_score(actual == 1, guessed == 1),
        "prec:positive=c": sklearn_metrics.precision_score(actual == 2, guessed == 2),
        "mcc": sklearn_metrics.matthews_corrcoef(actual, guessed),
        "kappa": sklearn_metrics.cohen_kappa_score(actual, guessed),
        "auc": sklearn_metrics.roc_auc_score(actual, probabilities, multi_class="ovr"),
        "log_loss": sklearn_metrics.log_loss(actual, probabilities),
    }
    assert {name: value(name, case) for name in theirs} == pytest.approx(theirs)
    assert value("sep", case) == pytest.approx(100 * value("brier", case) / 4)


def test_cases_are_rejected_where_not_exactly_one_output_is_accepted():
    # 402040: up to 0.4 is 0, from 0.6 on 1. The third case has neither; the others are accepted.
    case = judged(np.array([0, 0, 0, 1, 1]), PROBABILITIES.argmax(axis=1), probabilities=PROBABILITIES)
    assert value("reject", case) == pytest.approx(20)
    assert value("cep:accept=402040", case) == pytest.approx(20)  # the last one is accepted, and wrong
    assert value("reject:accept=0.3-0.7", case) == pytest.approx(40)  # the third and the last
    assert value("cep:accept=0.3-0.7", case) == 0
    assert value("reject:accept=0.5", case) == 0
    assert value("cep", case) == pytest.approx(20)


@pytest.mark.parametrize("name", ["cep:accept=0.7-0.3", "cep:accept=half", "F:beta=-1", "F:beta=x"])
def test_options_that_mean_nothing_are_refused(name):
    with pytest.raises(DelveError, match="expected"):
        value(name, judged(probabilities=np.tile([0.5, 0.5], (10, 1))))
