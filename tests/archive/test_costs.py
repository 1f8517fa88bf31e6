"""Costs of methods beside how good they are: the same numbers on all pages and in all commands."""

import json
import shutil

import numpy as np
import pytest

import delvecore
from dashboard.leaderboard.data import Request, known_board
from dashboard.leaderboard.data import costs as spots
from dashboard.server import archive as opened
from delvecore.answers.leaderboard import Costs, cheaper_words, costs_notes
from delvecore.archive.costs import costs_of, mean_limits
from delvecore.archive.leaderboards import leaderboard
from delvecore.archive.score_tables import ranked_table
from delvecore.cli.delve import main as delve
from delvecore.plots.cost_quality import front_figure
from delvecore.stats.choose import DEFAULT_SETTING
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.pareto_front import cost_front
from tests.archives import small_archive
from tests.dashboard.array_archive import array_archive
from tests.scores_files import folds_csv


def test_all_places_have_the_same_costs_losses_and_ranks(tmp_path, monkeypatch, capsys):
    place = array_archive(tmp_path)
    shutil.rmtree(place / "methods/quince")  # its costs are not known
    archive = delvecore.open([str(place)])
    board = leaderboard(archive).costs
    table = analyse(ranked_table(archive, loss="S").table)
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
    for costs in place.glob("methods/pear/plot-1s/**/Costs"):
        costs.unlink()
    archive = delvecore.open([str(place)])
    board = leaderboard(archive)
    assert board.costs.left_out > 0
    assert (board.costs.units, board.costs.ranked) == (3, 4)
    assert board.costs.mean_rank.tolist() == board.whole.average.tolist()
    (note, _) = costs_notes(board.costs, measure="standardized loss")
    assert note.startswith(
        "Mean standardized loss and seconds are over 3 datasets, mean ranks over 4 datasets."
    )


def test_a_metric_has_the_same_losses_where_its_scores_are_ranked(tmp_path):
    # Ranking shows accuracies, the leaderboard 1 - accuracy; the cost figure of both has losses.
    archive = delvecore.open([str(folds_csv(tmp_path / "folds.csv"))])
    kept, scored = (ranked_table(archive, as_losses=as_losses) for as_losses in (True, False))
    found = costs_of(archive, analyse(kept.table), loss=kept.loss, paths=kept.paths)
    other = costs_of(archive, analyse(scored.table), loss=kept.loss, paths=scored.paths)
    by_name = dict(zip(found.methods, found.front.loss, strict=True))
    assert dict(zip(other.methods, other.front.loss, strict=True)) == pytest.approx(by_name)
    assert min(by_name.values()) > 0


def test_a_sentence_on_cost_names_what_is_better():
    # a is dearest; b and c are cheaper, b loses less on average, b and c rank better.
    losses = np.array([[0.5, 0.1, 0.4], [0.5, 0.1, 0.4], [0.1, 0.2, 0.9]])
    costs = np.array([[9.0, 2.0, 1.0]] * 3)
    found = Costs(
        tuple("abc"),
        cost_front(losses, costs),
        np.array([7 / 3, 4 / 3, 7 / 3]),
        np.full(3, np.nan),
        unit="dataset",
        units=3,
        ranked=3,
        left_out=0,
    )
    assert cheaper_words(found, "a") == (
        "2 of the 2 others are cheaper; of these 1 has a lower mean loss, 1 has a better mean rank"
    )
    assert cheaper_words(found, "c") == "none of the 2 others is cheaper"


def test_two_datasets_have_costs_without_intervals_and_an_axis_that_shows_them(tmp_path):
    opened.choose_paths([str(folds_csv(tmp_path / "folds.csv", ("iris", "wine")))])
    archive = opened.open_archive(patience=30).archive
    (loss,) = archive.index.losses
    request = Request(archive, loss, DEFAULT_SETTING)
    assert not known_board(request).costs.has_intervals
    rows = spots(request)
    assert np.isnan([end for row in rows for end in (*row.cost[1:], *row.loss[1:])]).all()
    low, high = front_figure(rows).layout.xaxis.range
    assert -1 < low < high < 1  # seconds are between 1 and 2
    figure = front_figure(rows)
    assert figure.layout.xaxis.ticktext
    assert all(trace.error_x.array is None and trace.error_y.array is None for trace in figure.data[1:])
    low, high = figure.layout.yaxis.range
    assert 0 < low < high < 1


def test_a_mean_loss_lies_within_the_range_of_its_loss(tmp_path):
    archive = delvecore.open([str(small_archive(tmp_path))])
    # Guessing the most frequent class of three errs in two thirds of the cases of this task.
    shade, age = "/demo/shade/std.4", "/demo/age/std.8"
    np.testing.assert_allclose(mean_limits(archive, "Z", [shade]), [[0, 1.5]])
    np.testing.assert_array_equal(mean_limits(archive, "S", [age]), [[0, np.inf]])
    np.testing.assert_array_equal(mean_limits(archive, "L", [shade]), [[-np.inf, np.inf]])
