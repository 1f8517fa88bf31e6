"""Places on one task, worked by hand from verdicts and p of pairs."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from delvecore.answers.task_places import task_places, task_places_answer
from delvecore.measures import Measure
from delvecore.render.spans import plain
from delvecore.stats.choose import Setting, verdict
from delvecore.stats.p_adjustment import adjust

MEANS = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 5.0}
P = {"ab": 0.5, "ac": 0.012, "ad": 0.001, "bc": 0.6, "bd": 0.02, "cd": 0.9}
"""Adjusted by Holm's procedure over all pairs: ad 0.006, ac 0.06, bd 0.08, the others 1."""


def measure(higher: bool) -> Measure:
    return Measure("score", "score", higher_is_better=higher, best=None, baseline=None)


def pairs() -> pa.Table:
    names = list(combinations(MEANS, 2))
    differences = [MEANS[a] - MEANS[b] for a, b in names]
    p = [P[a + b] for a, b in names]
    said = [
        str(verdict(d, q, level=0.95)) for d, q in zip(differences, adjust(np.array(p)).tolist(), strict=True)
    ]
    columns = [[a for a, _ in names], [b for _, b in names], differences, p, said]
    return pa.table(columns, names=["method_a", "method_b", "difference", "p", "verdict"])


def test_places_follow_from_verdicts_and_the_best_from_the_pairs_of_each_method():
    places = task_places(pairs(), MEANS, measure(higher=False), Setting())
    # a is better than d. Of c's own pairs, p 0.012, 0.6 and 0.9, the first is 0.036 by Holm: a beats it.
    # Of d's own pairs a is 0.003 and b 0.04.
    assert (places.lowest.tolist(), places.highest.tolist()) == ([1, 1, 1, 2], [3, 4, 4, 4])
    assert places.may_be_best.tolist() == [True, True, False, False]


@pytest.mark.parametrize(("higher", "best"), [(False, "a and b are 2"), (True, "d, c and b are 3")])
def test_the_sentence_names_those_that_may_be_best(higher, best):
    # The other way round c and d beat a by its own pairs (0.024 and 0.003), and d does not beat b (0.06).
    rows = pairs()
    if higher:
        turned = {"better": "worse", "worse": "better"}
        verdicts = [turned.get(one, one) for one in rows["verdict"].to_pylist()]
        rows = rows.set_column(4, "verdict", pa.array(verdicts))
    answer = task_places_answer("t", rows, MEANS, measure(higher), Setting())
    assert plain(answer.headline).startswith(f"On t {best}")
    order = ["d", "c", "b", "a"] if higher else list("abcd")
    assert list(answer.table.columns[0].values) == order
    counts = {field.key: list(field.values) for field in answer.table.columns}
    assert (counts["better_than"], counts["worse_than"]) == ([1, 0, 0, 0], [0, 0, 0, 1])
