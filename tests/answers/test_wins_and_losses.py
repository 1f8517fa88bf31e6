"""Where a method wins and loses, in words."""

import numpy as np

from delvecore.answers.leaderboard import leaderboard_of
from delvecore.answers.wins_and_losses import where_of, where_sentence
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.verdicts import RankTest, pair_verdicts

TASKS = tuple(f"t{number}" for number in range(8))
EASY = np.array([[1, 2, 3]] * 4)
HARD = np.array([[3, 2, 1]] * 4)
GROUPS = {"noise": {"low noise": list(TASKS[:4]), "high noise": list(TASKS[4:])}}


def found(method, values=(EASY, HARD), groups=GROUPS):
    table = ScoreTable(TASKS, ("a", "b", "c"), np.concatenate(values))
    return where_of(table, groups, method, unit="task")


def test_a_method_that_wins_on_one_kind_and_loses_on_the_other():
    assert where_sentence(found("a")) == (
        "a is best on 4 of 8 tasks and last on 4. It has the best mean rank on low noise. Its mean rank is "
        "2.0 of 3 over all, better on low noise (1.0) and worse on high noise (3.0)."
    )


def test_a_method_that_wins_nowhere_is_told_its_best_place():
    assert where_sentence(found("b")) == (
        "b is best on none of 8 tasks and last on none. It has the best mean rank on none of 2 kinds of tasks; "
        "its best place is 2, on low noise and high noise. No kind of task changes its mean rank, 2.0 of 3 over "
        "all, by more than chance would."
    )


def test_a_method_that_wins_everywhere():
    said = where_sentence(found("a", (EASY, EASY)))
    assert "It has the best mean rank on every one of 2 kinds of tasks." in said


def test_of_a_method_that_wins_nearly_everywhere_it_is_told_where_it_does_not():
    groups = {"part": {"one": ["t0"], "two": ["t1"], "three": ["t2"], "four": ["t4"]}}
    assert "on 3 of 4 kinds of tasks, not on four (c is first)." in where_sentence(found("a", groups=groups))


def test_few_tasks_are_called_by_name():
    groups = {}
    values = (EASY[:1], np.array([[3, 1, 2]] * 7))
    assert where_sentence(found("a", values, groups)) == "a is best on 1 of 8 tasks (t0) and last on 7."


def test_tasks_of_one_dataset_count_once():
    # d1 has two tasks, on which a loses 1 and 3, b 2 and 1: b is best on d1 by the mean; a is on d2.
    table = ScoreTable(
        ("t1", "t2", "t3"),
        ("a", "b"),
        [[1, 2], [3, 1], [1, 2]],
        units=Units(("d1", "d1", "d2"), ("d1", "d1", "d2")),
    )
    assert where_sentence(where_of(table, {}, "a", unit="dataset")) == (
        "a is best on 1 of 2 datasets (d2) and last on 1 (d1)."
    )
    found = analyse(table)
    assert found.best_on.tolist() == [1, 1]
    assert leaderboard_of(found, pair_verdicts(found, RankTest.NEMENYI), None).whole.first.tolist() == [
        0.5,
        0.5,
    ]
