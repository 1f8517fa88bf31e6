"""By which loss, and in which order, the methods of a whole archive stand."""

import numpy as np
import pytest

import delvecore
from delvecore.archive.leaderboards import leading_loss, method_order, task_facts, task_groups, where_it_wins
from delvecore.errors import DelveError
from delvecore.library.ranking import rank
from delvecore.score_tables.options import ScoreOptions
from delvecore.stats.ranking.ranks import best_first
from delvecore.stats.ranking.score_table import ScoreTable
from tests.archives import small_archive, write_tree
from tests.dashboard.array_archive import array_archive
from tests.scores_files import folds_csv, wide_csv


def test_the_order_is_that_of_the_ranking(tmp_path):
    path = wide_csv(tmp_path / "wide.csv")
    archive = delvecore.open([str(path)], scores=ScoreOptions(higher_is_better=False))
    assert method_order(archive) == rank(archive).methods


def test_a_method_with_few_results_does_not_cost_the_others_their_ranks():
    # c has results on one of four tasks, where it is the best.
    values = [[2, 1, 0], [2, 1, np.nan], [2, 1, np.nan], [1, 2, np.nan]]
    assert best_first(ScoreTable(tuple("1234"), ("a", "b", "c"), np.array(values))) == ("b", "a", "c")


def test_squared_error_leads_where_it_has_nearly_as_many_results_as_any(tmp_path):
    archive = delvecore.open([str(small_archive(tmp_path))])
    losses = archive.results["loss"].to_pylist()
    assert leading_loss(archive) == "S"
    assert 2 * losses.count("S") >= max(map(losses.count, losses))


def test_without_results_there_is_no_leading_loss(tmp_path):
    path = write_tree(tmp_path / "delve-none", {"data/.keep": "", "methods/.keep": ""})
    archive = delvecore.open([str(path)])
    with pytest.raises(DelveError, match="expected results, found none"):
        leading_loss(archive)
    assert method_order(archive) == ()


def test_tasks_are_grouped_by_what_tells_them_apart(tmp_path):
    archive = delvecore.open([str(array_archive(tmp_path))])
    facts = task_facts(archive)
    assert facts["/plot-1s/yield/std.8"].factors == {"beds": "one bed", "light": "sunny"}
    groups = task_groups(archive, facts)
    assert set(groups) == {"beds", "light", "training cases"}
    assert {name: len(tasks) for name, tasks in groups["light"].items()} == {"sunny": 6, "dark": 4}
    assert list(groups["beds"]) == ["one bed", "two beds", "three beds"]
    assert list(groups["training cases"]) == ["8 training cases", "16 training cases"]


def test_a_method_that_lacks_tasks_is_held_against_the_others_on_its_own(tmp_path):
    archive = delvecore.open([str(array_archive(tmp_path))])
    apple, quince = (where_it_wins(archive, name) for name in ("apple", "quince"))
    assert (len(apple.first), apple.rank) == (apple.whole.units, 1)
    assert quince.first == []
    assert where_it_wins(archive, "nobody") is None


def test_the_leaderboard_is_a_data_frame_with_descriptions(tmp_path):
    frame = delvecore.open([str(array_archive(tmp_path))]).leaderboard()
    assert list(frame.index) == ["apple", "pear", "quince"]
    assert frame.loc["apple", "mean_rank"] == 1
    assert frame.loc["apple", "description"] == "It was drawn at random."
    with pytest.raises(DelveError, match="expected results"):
        delvecore.open(
            [str(write_tree(tmp_path / "delve-none", {"data/.keep": "", "methods/.keep": ""}))]
        ).leaderboard()


def test_costs_stand_in_the_leaderboard_where_those_of_all_methods_are_known(tmp_path):
    path = folds_csv(tmp_path / "folds.csv")
    frame = delvecore.open([str(path)]).leaderboard()
    assert list(frame.index) == ["forest", "svm", "knn"]
    assert frame["seconds"].between(1, 2).all()


def test_where_each_task_is_a_kind_of_its_own_nothing_is_said_of_kinds(tmp_path):
    archive = delvecore.open([str(folds_csv(tmp_path / "folds.csv"))])
    found = where_it_wins(archive, "forest")
    assert found is not None
    assert found.groups == ()
    assert set(found.first) == {"iris", "wine", "heart"}
