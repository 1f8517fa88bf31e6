"""Metrics are known by the names that libraries and papers give them."""

import pytest

from delvecore.losses.metrics import known_metric
from delvecore.measures import column_measure
from tests.word_lists import listed

HIGHER = """
    accuracy  Accuracy (%)  test_acc  bal-acc  ROC AUC  mean_test_roc_auc_ovr  F1-score  R²  Cohen's kappa
    ndcg@10  top-5 accuracy  C-index  classif.acc  accuracyTEST
"""
LOWER = """
    rmse  root_mean_squared_error  sMAPE  log-loss  cross entropy  Error rate  classif.ce  regret  val_loss
    duration  regr.rmse  test error (%)
"""


@pytest.mark.parametrize("name", listed(HIGHER))
def test_of_these_higher_is_better_up_to_one(name):
    assert known_metric(name) == column_measure(name, True, 1.0)


@pytest.mark.parametrize("name", listed(LOWER))
def test_of_these_lower_is_better_down_to_zero(name):
    assert known_metric(name) == column_measure(name, False, 0.0)


@pytest.mark.parametrize("name", ["nll", "Perplexity", "negative log-likelihood", "AIC"])
def test_of_these_lower_is_better_without_bound(name):
    assert known_metric(name) == column_measure(name, False, None)


@pytest.mark.parametrize(
    "name", ["neg_log_loss", "neg_root_mean_squared_error", "neg_brier_score", "neg_rmse"]
)
def test_losses_with_their_sign_turned_are_higher_where_better(name):
    assert known_metric(name) == column_measure(name, True, 0.0)


@pytest.mark.parametrize(
    "name", ["score", "value", "result", "test", "", "train_accuracy", "alpha", "n_features", "C", "seed"]
)
def test_no_direction_is_guessed_of_these(name):
    assert known_metric(name) is None
