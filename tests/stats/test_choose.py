"""What is significant, by hand; and that everyone who says so says the same."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.answers.compare_pair import pair_verdict
from delvecore.answers.task_array import ArrayFacts
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.render.answers import answer_grid
from delvecore.render.grid import EQUAL
from delvecore.render.grid import WORSE as PAPER_WORSE
from delvecore.report.paper.table import PaperCell, PaperRequest
from delvecore.report.paper.values import with_standings
from delvecore.stats.arrays.estimates import array_differences, array_winners
from delvecore.stats.choose import (
    Setting,
    Verdict,
    checked_level,
    is_rough,
    is_significant,
    level_of,
    significance,
    turned_verdict,
    verdict,
)
from delvecore.stats.ranking.random_effects import combine_comparisons
from delvecore.stats.verdicts import verdicts
from tests.stats.made_arrays import array_of, results_of
from tests.stats.tables import adjusted_comparisons

# (p, confidence, significant?), of a pair alone.
PAIRS = (
    (1e-19, 0.99, True),
    (0.0004, 0.951, True),
    (0.07, 0.9, True),
    (0.07, 0.95, False),
    (0.02, 0.99, False),
    (0.05, 0.95, False),
    (0.0499, 0.95, True),
)
KEY = {"dataset": "demo", "prototask": "age", "task": "std.32", "loss": "S"}


@pytest.mark.parametrize(("p", "level", "expected"), PAIRS)
def test_everyone_calls_the_same_significant(p, level, expected):
    # b loses 1 more than a.
    row = KEY | {"method_a": "a", "method_b": "b", "difference": -1.0, "p": p, "test": "t", "instances": 8}
    pairs = adjusted_comparisons([row], Setting(level))
    (rows,) = pairs.to_pylist()
    assert is_significant(p, significance(level)) is expected
    assert (rows["verdict"] == Verdict.BETTER) is expected
    assert (pair_verdict(rows) == Verdict.BETTER) is expected
    assert combine_comparisons(pairs)["wins"].to_pylist() == [expected]
    said = Verdict.WORSE if expected else Verdict.NOT_SIGNIFICANT
    assert in_paper_table(PaperCell(1.0, standing=said, p=p, raw_p=p, test="t"), level) is expected
    assert on_array(said) == [expected] * 3


def in_paper_table(values, level):
    cells = {"a": PaperCell(1.0), "b": PaperCell(2.0)}
    request = PaperRequest(level=level, reference="a")
    done = with_standings(cells, lambda *_: values, request, LOSS_SPECS["S"])["b"]
    assert done.standing in (PAPER_WORSE, EQUAL)
    assert (done.standing == PAPER_WORSE) is (done.to_reference is not None)
    return done.standing == PAPER_WORSE


def on_array(said):
    """Is b worse than a among the winners, among the differences, and in the marks of the estimates?"""
    rows = [[0.0, 2.0], [1.0, 3.0], [2.0, 4.0]]
    array = array_of(("8", "m"))
    data = results_of(array, ("toy-8m", 64, "a", rows), ("toy-8m", 64, "b", np.add(rows, 1.0).tolist()))
    made = replace(data, verdict=np.full(data.p.shape, said, dtype=object))
    cell = next(number for number, row in enumerate(data.value) if not np.isnan(row).any())
    differences = array_differences(made, reference="a").to_pylist()[2 * cell + 1]
    shown = answer_grid(ARRAY_QUESTIONS["estimates"].answer(ArrayFacts(made, "a")), "tab:x")
    return [
        array_winners(made).to_pylist()[cell]["worse"] == ["b"],
        differences["verdict"] == Verdict.WORSE,
        shown.rows[cell].cells[-1].value.endswith(" >"),
    ]


def test_arrays_of_numbers_go_by_the_same_rule():
    p = np.array([row[0] for row in PAIRS])
    for level in (0.9, 0.95, 0.99):
        assert is_significant(p, 1 - level).tolist() == [is_significant(one, 1 - level) for one in p.tolist()]
        decisions = verdicts(np.full(len(p), -1.0), p, level=level).tolist()
        assert decisions == [verdict(-1.0, one, level=level) for one in p.tolist()]
    said = verdicts(np.array([0.0, 1.0, np.nan]), np.array([0.01, 0.01, np.nan]), level=0.95).tolist()
    assert said == ["not significant", "worse", "not tested"]


def test_only_mstats_finds_an_f_test_of_few_training_sets_rough():
    assert is_rough(0.01, test="F", instances=3)
    assert not is_rough(0.01, test="F", instances=4)
    assert not is_rough(0.06, test="F", instances=2)
    assert not is_rough(0.01, test="t", instances=2)


def test_without_a_test_nothing_is_significant():
    assert is_significant(None, 0.05) is False
    assert not is_significant(math.nan, 0.05)
    assert is_rough(None, test=None, instances=None) is False


def test_a_verdict_says_who_is_better():
    said = partial(verdict, level=0.95)
    assert [said(d, 0.01) for d in (-1.0, 1.0, 0.0)] == ["better", "worse", "not significant"]
    assert (said(-1.0, 0.2), said(-1.0, None)) == (Verdict.NOT_SIGNIFICANT, Verdict.NOT_TESTED)
    assert list(map(turned_verdict, ("better", "worse", "not significant"))) == [
        "worse",
        "better",
        "not significant",
    ]


def test_a_level_is_a_confidence():
    assert [significance(level) for level in (0.9, 0.95, 0.99, 0.999999)] == [0.1, 0.05, 0.01, 1e-6]
    assert [level_of(alpha) for alpha in (0.1, 0.05, 0.01)] == [0.9, 0.95, 0.99]
    assert checked_level(0.5) == 0.5
    for level in (0.05, 0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match=f"confidence from 0.5 to below 1, found {level:g}"):
            checked_level(level)
