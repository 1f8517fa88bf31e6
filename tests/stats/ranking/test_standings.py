"""Scores by training set and the best methods by them; tables of which the means are worked by hand."""

import math

import pyarrow as pa
import pytest

from delvecore.errors import DelveError
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.standings import (
    SCORES,
    merge_scores,
    names_in,
    rank_methods,
    select_scores,
    significant_differences,
    summarize_scores,
    task_table,
    top_performer,
    top_performers,
    training_set_scores,
)

ROWS = [
    ("/d/p/t", "a", "S", 0, 1.0),
    ("/d/p/t", "a", "S", 1, 3.0),
    ("/d/p/t", "b", "S", 0, 2.0),
    ("/d/p/t", "b", "S", 1, 0.5),
    ("/d/p/t", "a", "A", 0, 5.0),
    ("/d/p/t", "b", "A", 0, 5.0),
    ("/d/q/u", "a", "S", 0, 7.0),
]


def scores_of(rows):
    columns = zip(*rows, strict=True)
    return pa.table([list(column) for column in columns], names=SCORES.names).cast(SCORES)


@pytest.fixture
def scores():
    return scores_of(ROWS)


def test_a_score_is_the_mean_over_the_test_cases():
    losses = pa.table(
        {
            "dataset": ["d"] * 4,
            "prototask": ["p"] * 4,
            "task": ["t"] * 4,
            "method": ["a"] * 4,
            "loss": ["S"] * 4,
            "instance": [0, 1, 2, 3],
            "values": pa.array([[1, 2, 6], [4], [], [math.inf, 1]], pa.list_(pa.float64())),
        }
    )
    table = training_set_scores(losses)
    assert table.schema == SCORES
    assert table["task"].to_pylist() == ["/d/p/t"] * 4
    assert table["score"].to_pylist() == [3, 4, None, None]
    assert training_set_scores(losses.slice(0, 0)).num_rows == 0


def test_a_list_holds_names_and_a_text_is_a_regular_expression(scores):
    assert names_in(select_scores(scores, tasks="q/"), "task") == ("/d/q/u",)
    assert select_scores(scores, methods=["b"], losses="^S$").num_rows == 2
    assert select_scores(scores).equals(scores)
    with pytest.raises(DelveError, match="methods: expected one of a, b, found 'c'"):
        select_scores(scores, methods=["c"])
    with pytest.raises(DelveError, match="loss that matches 'Z'"):
        select_scores(scores, losses="Z")


def test_merging_is_by_whatever_differs_and_nothing_may_be_twice(scores):
    parts = [select_scores(scores, methods=[name]) for name in "ab"]
    assert merge_scores(*parts).num_rows == scores.num_rows
    with pytest.raises(DelveError, match="a on /d/p/t, loss S, training set 0 again"):
        merge_scores(scores, select_scores(scores, methods=["a"], losses=["S"], tasks=["/d/p/t"]))


def test_a_task_is_a_table_of_training_sets_and_methods(scores):
    table = task_table(scores, "/d/p/t", "S")
    assert (table.tasks, table.methods) == (("training set 0", "training set 1"), ("a", "b"))
    assert table.values.tolist() == [[1, 2], [3, 0.5]]
    with pytest.raises(DelveError, match="expected scores of /d/p/t under Z, found none"):
        task_table(scores, "/d/p/t", "Z")


def test_a_table_of_training_sets_that_overlap_has_their_share(scores):
    # With two rows the variance is 1 + 2/4 times as large for a fifth of test cases.
    def tasks(scheme, share):
        row = {"dataset": "d", "prototask": "p", "task": "t", "test_set_selection": "hierarchical"}
        return pa.Table.from_pylist([row | {"scheme": scheme, "share": share}])

    table = task_table(scores, "/d/p/t", "S", tasks=tasks("cross-validation", 0.2))
    analysis = analyze(table)
    assert (table.test_share, analysis.test_share) == (0.2, 0.2)
    assert analysis.corrected_t_tests.statistic == pytest.approx(analysis.t_tests.statistic / 1.5**0.5)
    by_t, _ = significant_differences(analysis, "b", limit=1.1)
    assert by_t == pytest.approx({"a": analysis.corrected_t_tests.p[0]})
    assert task_table(scores, "/d/p/t", "S", tasks=tasks("disjoint", 0.0)).test_share == 0
    assert analyze(table, test_share=0.0).test_share == 0
    with pytest.raises(ValueError, match="expected different training sets of /d/p/t, got one training set"):
        task_table(scores, "/d/p/t", "S", tasks=tasks("one training set", 1.0))
    with pytest.raises(ValueError, match="got a faulty list of instances"):
        task_table(scores, "/d/p/t", "S", tasks=tasks(None, None))


def test_the_best_by_a_statistic(scores):
    assert [(one.task, one.loss) for one in top_performers(scores)] == [
        ("/d/p/t", "S"),
        ("/d/p/t", "A"),
        ("/d/q/u", "S"),
    ]
    # Means 2 and 1.25, least values 1 and 0.5, largest 3 and 2; under A both are 5.
    first, tied, _ = rank_methods(scores)
    assert [(place.rank, place.method, place.value) for place in first.places] == [
        (1, "b", 1.25),
        (2, "a", 2),
    ]
    assert [(place.rank, place.method) for place in tied.places] == [(1, "a"), (1, "b")]
    assert top_performer(scores, task="/d/p/t", loss="S") == "b"
    assert top_performer(scores, task="/d/p/t", loss="S", statistic="max", higher_is_better=True) == "a"
    assert top_performers(scores, higher_is_better=True)[0].places[0].method == "a"
    assert top_performers(scores, higher_is_better=["S"])[0].places[0].method == "a"
    with pytest.raises(DelveError, match="statistic: expected one of mean, std"):
        rank_methods(scores, statistic="average")
    with pytest.raises(DelveError, match="expected scores of /x"):
        top_performer(scores, task="/x", loss="S")


def test_a_summary_has_a_method_each(scores):
    a, b = summarize_scores(scores, task="/d/p/t", loss="S")
    assert (a.mean, a.median, a.min, a.max, a.count, a.missing) == (2, 2, 1, 3, 2, 0)
    assert (b.std, b.iqr) == (pytest.approx(1.5 / 2**0.5), 0.75)


def test_significant_differences_are_those_of_the_baseline():
    rows = [(f"/{k}", name, "S", 0, value) for k in range(8) for name, value in _values(k)]
    table = task_table(
        scores_of([("/t", method, loss, k // 3, v) for k, (_, method, loss, _, v) in enumerate(rows)]),
        "/t",
        "S",
    )
    by_t, by_wilcoxon = significant_differences(analyze(table), "b")
    # Eight differences of one sign: 2 / 2^8; c is as often above as below.
    assert by_wilcoxon == {"a": pytest.approx(2 / 256)}
    assert set(by_t) == {"a"}
    assert significant_differences(analyze(table), "b", limit=0.001)[1] == {}
    with pytest.raises(ValueError, match="expected a baseline among a, b, c, got 'z'"):
        significant_differences(analyze(table), "z")


def _values(k):
    return (("a", 10.0 + k), ("b", 12.0 + 1.1 * k), ("c", 12.0 + 1.1 * k + (-1) ** k))
