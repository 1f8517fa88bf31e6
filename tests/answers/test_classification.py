"""Answers about a classifier: methods against another on the same test cases."""

import numpy as np

from delvecore.answers.classification import against_others
from delvecore.stats.classification.summary import InstancePredictions, summarize

ACTUAL = np.array([0, 0, 1, 1])


def summary(*chances, independent=True):
    """A training set for each list of the probabilities of the first class."""
    parts = [np.column_stack([one, 1 - np.array(one)]) for one in chances]
    predictions = [InstancePredictions(n, ACTUAL, part.argmax(axis=1), part) for n, part in enumerate(parts)]
    return summarize(predictions, classes=("yes", "no"), independent=independent)


def test_methods_stand_against_the_reference():
    summaries = {"one": summary([0.9, 0.8, 0.3, 0.4]), "two": summary([0.4, 0.8, 0.3, 0.9])}
    answer = against_others(summaries, "one")
    assert answer.table.rows[0][:3] == ("two", 0, 2)
    shared = {name: summary([0.9] * 4, [0.9] * 4, independent=False) for name in summaries}
    assert "a separate test set" in against_others(shared, "one")
