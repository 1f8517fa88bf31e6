"""By which loss, in which order, and at what cost the methods of a whole archive stand: the same on all
pages and in all commands."""

import json
import shutil

import numpy as np
import pytest

import delvecore
from dashboard.leaderboard.data import Request, costs, costs_figure, known_board
from dashboard.server import archive as opened
from delvecore.answers.leaderboard import Costs, cheaper_words, costs_answer, costs_notes
from delvecore.archive import leaderboards
from delvecore.archive.leaderboards import (
    costs_of,
    leaderboard,
    leading_loss,
    mean_limits,
    method_order,
    task_facts,
    task_groups,
    where_it_wins,
)
from delvecore.archive.score_tables import measure_ranked, ranked_scores
from delvecore.cli.delve import main as delve
from delvecore.errors import DelveError
from delvecore.library.ranking import rank
from delvecore.losses.standard_losses import LOSS_SPECS
from delvecore.render.spans import plain
from delvecore.score_tables.options import ScoreOptions
from delvecore.stats.choose import DEFAULT_SETTING
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.pareto_front import cost_front
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
    assert (len(apple.first), apple.whole.average[apple.place]) == (apple.whole.units, 1)
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


def test_all_places_have_the_same_costs_losses_and_ranks(tmp_path, monkeypatch, capsys):
    place = array_archive(tmp_path)
    shutil.rmtree(place / "methods/quince")  # its costs are not known
    archive = delvecore.open([str(place)])
    board = leaderboard(archive).costs
    table = analyze(ranked_scores(archive, measure_ranked(archive, "S")))
    assert board.mean_rank.tolist() == table.ranks.average.tolist()
    monkeypatch.setenv("DELVE_PATH", str(place))
    assert delve(["rank", "--show", "front", "--format", "json"]) == 0
    rows = {row["method"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    for number, method in enumerate(board.methods):
        assert rows[method]["cost"] == board.front.cost[number]
        assert rows[method]["loss"] == board.front.loss[number]
        assert rows[method]["mean_rank"] == board.mean_rank[number]


def test_ranks_are_those_of_the_ranking_where_costs_of_some_tasks_are_not_known(tmp_path):
    place = array_archive(tmp_path)
    shutil.rmtree(place / "methods/quince")
    for file in place.glob("methods/pear/plot-1s/**/Costs"):
        file.unlink()
    archive = delvecore.open([str(place)])
    board = leaderboard(archive)
    assert board.costs.left_out > 0
    assert (board.costs.units, board.costs.ranked) == (3, 4)
    assert board.costs.mean_rank.tolist() == board.whole.average.tolist()
    (note, _) = costs_notes(board.costs)
    assert note.startswith(
        "Mean standardized loss and seconds are over 3 datasets, mean ranks over 4 datasets."
    )


def test_costs_beside_an_accuracy_have_accuracies(tmp_path):
    archive = delvecore.open([str(folds_csv(tmp_path / "folds.csv"))])
    measure = archive.measures["accuracy"]
    table = ranked_scores(archive, measure)
    costs = costs_of(archive, analyze(table), measure=measure)
    mean, lower, upper = costs.means
    assert mean == pytest.approx(table.values.mean(axis=0))
    assert (lower <= mean).all()
    assert (mean <= upper).all()
    assert (upper <= 1).all()
    (field,) = (one for one in costs_answer(costs).table.columns if one.key == "mean")
    assert sorted(field.values) == pytest.approx(sorted(mean))
    assert "has a higher mean accuracy than" in plain(costs_answer(costs).headline)


def test_a_sentence_on_cost_names_what_is_better():
    # a is dearest; b and c are cheaper, b loses less on average, b and c rank better.
    losses = np.array([[0.5, 0.1, 0.4], [0.5, 0.1, 0.4], [0.1, 0.2, 0.9]])
    seconds = np.array([[9.0, 2.0, 1.0]] * 3)
    costs = Costs(
        tuple("abc"),
        LOSS_SPECS["S"],
        cost_front(losses, seconds),
        np.array([7 / 3, 4 / 3, 7 / 3]),
        np.full(3, np.nan),
        unit="dataset",
        units=3,
        ranked=3,
        left_out=0,
    )
    assert plain(cheaper_words(costs, "a")) == (
        "2 of the 2 others are cheaper; of these 1 has a lower mean loss, 1 has a better mean rank"
    )
    assert plain(cheaper_words(costs, "c")) == "none of the 2 others is cheaper"


def test_two_datasets_have_costs_without_intervals_and_an_axis_that_shows_them(tmp_path):
    opened.choose_paths([str(folds_csv(tmp_path / "folds.csv", ("iris", "wine")))])
    archive = opened.open_archive(patience=30).archive
    (loss,) = archive.index.losses
    request = Request(archive, loss, DEFAULT_SETTING)
    assert not known_board(request).costs.has_intervals
    answer = costs(request)
    ends = ("cost_lower", "cost_upper", "mean_lower", "mean_upper")
    assert np.isnan([answer.table[key] for key in ends]).all()
    figure = costs_figure(request)
    low, high = figure.plotly().layout.xaxis.range
    assert -1 < low < high < 1  # seconds are between 1 and 2
    assert figure.plotly().layout.xaxis.ticktext
    assert all(
        trace.error_x.array is None and trace.error_y.array is None for trace in figure.plotly().data[1:]
    )
    low, high = figure.plotly().layout.yaxis.range
    assert 0 < low < high < 1


def test_a_mean_loss_lies_within_the_range_of_its_loss(tmp_path):
    archive = delvecore.open([str(small_archive(tmp_path))])
    # Guessing the most frequent class of three errs in two thirds of the cases of this task.
    shade, age = "/demo/shade/std.4", "/demo/age/std.8"
    np.testing.assert_allclose(mean_limits(archive, LOSS_SPECS["Z"], [shade]), [[0, 1.5]])
    np.testing.assert_array_equal(mean_limits(archive, LOSS_SPECS["S"], [age]), [[0, np.inf]])
    np.testing.assert_array_equal(mean_limits(archive, LOSS_SPECS["L"], [shade]), [[-np.inf, np.inf]])


def test_a_loss_without_a_largest_value_has_no_limit_where_its_constant_is_negative(tmp_path, monkeypatch):
    archive = delvecore.open([str(small_archive(tmp_path))])
    monkeypatch.setattr(leaderboards, "usable_constant", lambda loss, constant: -0.5)
    np.testing.assert_array_equal(
        mean_limits(archive, LOSS_SPECS["L"], ["/demo/shade/std.4"]), [[-np.inf, np.inf]]
    )
