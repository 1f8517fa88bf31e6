"""What is settled, by hand; and that everyone who says so says the same."""

import math
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dashboard.compare.verdict import pair_verdict
from delvecore.report.arrays.tables import shown_estimates
from delvecore.report.grid import EQUAL
from delvecore.report.grid import WORSE as PAPER_WORSE
from delvecore.report.paper.request import PaperRequest
from delvecore.report.paper.standings import PairFound, with_standings
from delvecore.report.paper.table import PaperCell
from delvecore.statistics.arrays.estimates import HIGHER, array_differences, array_estimates
from delvecore.statistics.arrays.results import TESTS
from delvecore.statistics.arrays.winners import array_winners
from delvecore.statistics.choose import (
    Verdict,
    checked_level,
    is_rough,
    is_settled,
    level_of,
    significance,
    verdict,
    words_of_tests,
)
from delvecore.statistics.ranking.combined import combine_comparisons
from delvecore.tables import COMPARISONS
from tests.statistics.made_arrays import array_of, results_of

# (test, training sets, p, confidence, settled?): an F test of fewer than four training sets says p < 0.05.
PAIRS = (
    ("F", 2, 1e-19, 0.99, False),
    ("F", 2, 1e-19, 0.95, True),
    ("F", 3, 0.0004, 0.951, False),
    ("F", 3, 0.07, 0.9, True),
    ("F", 3, 0.07, 0.95, False),
    ("F", 4, 0.0004, 0.99, True),
    ("t", 2, 1e-19, 0.99, True),
    ("t", 8, 0.02, 0.99, False),
    ("t", 8, 0.05, 0.95, False),
    ("t", 8, 0.0499, 0.95, True),
)
KEY = {"dataset": "demo", "prototask": "age", "task": "std.32", "loss": "S"}


@pytest.mark.parametrize(("test", "instances", "p", "level", "settled"), PAIRS)
def test_everyone_calls_the_same_settled(test, instances, p, level, settled):
    # b loses 1 more than a.
    row = dict.fromkeys(COMPARISONS.names) | KEY | {"method_a": "a", "method_b": "b", "difference": -1.0}
    row |= {"p": p, "test": test, "instances": instances}
    assert is_settled(p, level=level, test=test, instances=instances) is settled
    assert (pair_verdict(row, level) == Verdict.BETTER) is settled
    pairs = pa.Table.from_pylist([row], schema=COMPARISONS)
    assert combine_comparisons(pairs, level=level).wins.tolist() == [settled]
    found = PairFound(1.0, p, test, None, instances)
    assert in_paper_table(found, level) is settled
    assert on_array(p, test, instances, level) == [settled] * 3


def in_paper_table(found, level):
    cells = {"a": PaperCell(1.0), "b": PaperCell(2.0)}
    request = PaperRequest(level=level, reference="a")
    done = with_standings(cells, lambda *_: found, request)["b"]
    assert done.standing in (PAPER_WORSE, EQUAL)
    assert (done.standing == PAPER_WORSE) is (done.to_reference is not None)
    return done.standing == PAPER_WORSE


def on_array(p, test, instances, level):
    """Is b worse than a among the winners, among the differences, and in the marks of the estimates?"""
    rows = [[0.0, 2.0], [1.0, 3.0], [2.0, 4.0]]
    array = array_of(("8", "m"))
    data = results_of(array, ("toy-8m", 64, "a", rows), ("toy-8m", 64, "b", np.add(rows, 1.0).tolist()))
    shape = data.p.shape
    facts = {"p": np.full(shape, p), "tests": np.full(shape, TESTS.index(test))}
    made = replace(data, **facts, compared=np.full(shape, instances))
    cell = next(number for number, row in enumerate(data.value) if not np.isnan(row).any())
    winners = array_winners(made, level=level).to_pylist()[cell]
    differences = array_differences(made, reference="a", level=level).to_pylist()[2 * cell + 1]
    shown = shown_estimates(array_estimates(made, reference="a"), array, level=level)
    return [
        winners["worse"] == ["b"],
        differences["standing"] == HIGHER,
        shown.rows[cell].cells[-1].value.endswith(" >"),
    ]


def test_arrays_of_numbers_go_by_the_same_rule():
    tests, instances, p, *_ = (np.array(column) for column in zip(*PAIRS, strict=True))
    for level in (0.9, 0.95, 0.99):
        found = is_settled(p, level=level, test=tests, instances=instances).tolist()
        assert found == [is_settled(row[2], level=level, test=row[0], instances=row[1]) for row in PAIRS]
    rough = is_rough(p, test=tests, instances=instances).tolist()
    assert rough == [is_rough(row[2], test=row[0], instances=row[1]) for row in PAIRS]
    assert rough == [True, True, True] + [False] * 7


def test_without_a_test_nothing_is_settled():
    assert is_settled(None, level=0.95, test=None, instances=None) is False
    assert not is_settled(math.nan, level=0.95)
    assert is_rough(None, test=None, instances=None) is False


def test_a_verdict_says_who_is_better():
    def said(difference, p, **facts):
        return verdict(difference, p, level=0.95, test="t", instances=8, **facts)

    assert [said(d, 0.01) for d in (-1.0, 1.0, 0.0)] == ["better", "worse", "not settled"]
    assert (said(-1.0, 0.2), said(-1.0, None)) == (Verdict.NOT_SETTLED, Verdict.NO_TEST)
    assert said(0.0, None, identical=True) == Verdict.IDENTICAL


def test_a_level_is_a_confidence():
    assert [significance(level) for level in (0.9, 0.95, 0.99, 0.999999)] == [0.1, 0.05, 0.01, 1e-6]
    assert [level_of(alpha) for alpha in (0.1, 0.05, 0.01)] == [0.9, 0.95, 0.99]
    assert checked_level(0.5) == 0.5
    for level in (0.05, 0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match=f"confidence from 0.5 to below 1, found {level:g}"):
            checked_level(level)


def test_tests_are_named_once():
    assert (
        words_of_tests({"F", None}) == "a quasi-F test over training sets and test cases (a common test set)"
    )
    assert " or a quasi-F test" in words_of_tests({"t", "F"})
    assert words_of_tests({"Wilcoxon"}) == ""
