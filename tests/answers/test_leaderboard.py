"""The leaderboard of a ranking with what stands above it; where a method wins and loses, in words."""

from dataclasses import replace

import numpy as np
import pytest

from delvecore.answers.leaderboard import (
    leader_basis,
    leader_heading,
    leaderboard_answer,
    leaderboard_of,
)
from delvecore.answers.wins_and_losses import (
    alike_sentence,
    kinds_by_method,
    kinds_heading,
    method_heading,
    where_answer,
    where_of,
    where_sentence,
)
from delvecore.render.spans import plain
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.performance_profiles import group_ranks
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import DEFAULT_TEST, pair_verdicts


def board(values):
    tasks = tuple(f"t{number}" for number in range(len(values)))
    analysis = analyze(ScoreTable(tasks, tuple("abcd"[: len(values[0])]), np.array(values)))
    return leaderboard_of(analysis, pair_verdicts(analysis, DEFAULT_TEST), None)


def finding(board_shown):
    return plain(f"{leader_heading(board_shown)} {leader_basis(board_shown)}")


def test_the_first_method_is_best_only_if_it_beats_every_other_one():
    # a and b share the first places nearly evenly, c is always last.
    assert finding(board([[1, 2, 3]] * 11 + [[2, 1, 3]] * 9)) == (
        "a ranks first of 3 on 20 tasks. On 20 tasks. It beats c."
    )
    # c is worse than both: a is best only if b is always second, too.
    assert finding(board([[1, 2, 3]] * 20)) == "a is best of 3 on 20 tasks. On 20 tasks. It beats all others."


def test_methods_that_tie_for_the_first_place_share_it():
    assert finding(board([[1, 2, 3]] * 10 + [[2, 1, 3]] * 10)) == (
        "a and b share first place of 3 on 20 tasks. On 20 tasks. a beats c."
    )


def test_too_few_units_are_the_heading():
    # Five units: no data could have an adjusted p below 2^-4 = 0.0625.
    assert finding(board([[1, 2, 3]] * 5)) == (
        "Five tasks are too few to rank methods. On 5 tasks. a has the best mean rank of 3; differences are not "
        "testable with 5 tasks (smallest adjusted p 0.062)."
    )
    assert leader_heading(board([[1, 1, 1]] * 9)) == "All 3 methods are equal on 9 tasks."


def test_a_heading_names_what_tasks_have_in_common_as_far_as_there_is_room():
    leaders = board([[1, 2, 3]] * 20)
    short = replace(leaders, task_type="regression", facts=("high noise", "64 training cases"))
    assert plain(leader_heading(short)) == (
        "a is best of 3 on 20 regression tasks (high noise, 64 training cases)."
    )
    long = replace(short, facts=(*short.facts, "8 inputs", "not linear"))
    assert plain(leader_heading(long)) == "a is best of 3 on 20 regression tasks."
    assert "20 tasks (high noise, 64 training cases, 8 inputs, not linear)" in plain(leader_basis(long))


def test_the_gap_is_the_mean_difference_from_the_best():
    # b is 0.05 above a three times and 0.005 below it once: means 0.00125 and 0.0375.
    table = leaderboard_answer(board([[1.0, 1.05, 3.0]] * 3 + [[1.0, 0.995, 3.0]])).table
    gaps = dict(zip(table["method"], table["gap"], strict=True))
    assert (gaps["a"], gaps["b"]) == pytest.approx((0.00125, 0.0375))
    assert (0, "gap") in table.bold


def test_a_row_says_how_often_a_method_wins_and_comes_near():
    answer = leaderboard_answer(board([[1.0, 1.05, 3.0]] * 3 + [[1.0, 0.995, 3.0]]))
    rows = {
        row[0]: dict(zip([one.key for one in answer.table.columns], row, strict=True))
        for row in answer.table.rows
    }
    assert [field.title for field in answer.table.columns][-3:] == ["within 1 %", "within 10 %", "gap"]
    # a wins 3 + 4 of its 8 comparisons, and is within half a percent of b on the fourth task.
    assert rows["a"]["pairwise_wins"] == pytest.approx(7 / 8)
    assert (rows["a"]["first"], rows["a"]["within_1"], rows["b"]["within_10"]) == (0.75, 1, 1)
    assert (rows["c"]["first"], rows["c"]["within_10"]) == (0, 0)


def where(method, low, high):
    """Where a method of a, b and c wins: on tasks of low noise in this order, on others of high noise turned."""
    tasks = tuple(f"t{number}" for number in range(low + high))
    values = np.array([[1, 2, 3]] * low + [[3, 2, 1]] * high)
    groups = {"noise": {"low noise": tasks[:low], "high noise": tasks[low:]}}
    return where_of(ScoreTable(tasks, ("a", "b", "c"), values), groups, method, unit="task")


def test_a_method_that_wins_on_one_kind_and_loses_on_the_other():
    # All 7 or 8 units of a kind agree, so that each place there is certain: p is 2 / 2^7 and 2 / 2^8.
    assert plain(where_sentence(where("a", 8, 7))) == (
        "a is best on 8 of 15 tasks and last on 7. It has the best mean rank on low noise. Its overall place is 1 of 3, worse on high noise (3)."
    )
    assert plain(where_sentence(where("c", 8, 7))).endswith(
        "Its overall place is 3 of 3, better on high noise (1)."
    )
    assert plain(where_sentence(where("b", 8, 7))).endswith(
        "No kind of task is shown to change its overall place, 2 of 3."
    )


def test_kinds_of_few_tasks_change_no_place():
    # Five units: no p can be below 2^-4 = 0.0625.
    assert plain(where_sentence(where("a", 5, 4))) == (
        "a is best on 5 of 9 tasks and last on 4. It has the best mean rank on low noise."
    )


def test_the_table_of_a_method_has_a_row_for_each_kind_after_all_tasks():
    answer = where_answer(where("a", 8, 7))
    rows = answer.table.select("kind", "tasks", "place", "mean_rank", "first").rows
    assert rows[0] == ("all", 15, 1, pytest.approx(29 / 15), "a")
    assert rows[1:] == [("low noise", 8, 1, 1.0, "a"), ("high noise", 7, 3, 3.0, "c")]
    assert answer.figure.lines == (1.0,)
    # Kinds of too few units for a test say how many they have.
    assert where_answer(where("a", 5, 4)).figure.labels[1:] == ("low noise (5 tasks)", "high noise (4 tasks)")


def test_methods_with_correlated_ranks_are_alike():
    tasks = tuple(f"t{number}" for number in range(6))
    values = np.array([[1, 2, 3], [1, 2, 3], [3, 2, 1], [1, 3, 2], [3, 1, 2], [2, 1, 3]])
    table = ScoreTable(tasks, ("a", "b", "c"), values)
    # Ranks of a and b over the tasks correlate with -0.59, those of a and c with -0.66.
    assert plain(alike_sentence(table, "a")) == "No other method does well and badly on the same tasks."
    assert not alike_sentence(table.select(methods=["a", "b"]), "a")


@pytest.mark.parametrize(
    ("values", "measure", "said"),
    [
        ([[1, 2, 3]] * 4, "Mean rank", "a has the best mean rank on 2 of 2 levels of land."),
        (
            [[1, 2, 3]] * 2 + [[2, 1, 3]] * 2,
            "Best",
            "a and b each are most often best on 1 of 2 levels of land.",
        ),
        (
            [[1.05, 1.0, 3]] * 4,
            "Within reach",
            "a and b each are most often within 10 % on 2 of 2 levels of land.",
        ),
    ],
)
def test_the_heading_on_kinds_counts_those_where_a_method_is_first(values, measure, said):
    tasks = tuple(f"t{number}" for number in range(len(values)))
    scores = ScoreTable(tasks, ("a", "b", "c"), np.array(values, dtype=float))
    groups = group_ranks(scores, {"land": {"hills": tasks[:2], "plains": tasks[2:]}}, unit="task")
    assert plain(kinds_heading(groups, measure)) == said
    table = kinds_by_method(groups, measure, scores.methods)
    assert {table["method"][row] for row, _ in table.bold} == set(
        plain(said).split(" each")[0].split(" has")[0].split(" and ")
    )


def test_a_method_is_called_by_what_it_is_and_where_it_is_best():
    profile = where("a", 8, 7)
    assert (
        plain(method_heading("a", "apple tree", profile))
        == "a: apple tree; best on 8 of 8 tasks (low noise)."
    )
    assert plain(method_heading("a", "a", None)) == "a"
    assert plain(method_heading("b", "b", where("b", 8, 7))) == "b; best on none of 15 tasks."
