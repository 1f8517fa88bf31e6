"""Methods and pairs of a ranking as tables: every format takes its columns from them."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

from delvecore.library.ranking import Ranking
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.tables import pair_rows, pairs_table, turned
from delvecore.report.ranking.text import ranking_text
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.verdicts import RankTest, pair_verdicts
from tests.stats.tables import score_table

# a is always first; b beats c on 6 of 8 tasks.
VALUES = np.array([0.2, 0.4, 0.3, 0.6, 0.5, 0.1, 0.7, 0.8])[:, None] + np.array(
    [[0, 1, 2]] * 6 + [[0, 2.5, 1]] * 2
)


def report(test=RankTest.FLIPS, **options):
    analysis = analyze(score_table(VALUES), **options)
    return RankingReport(analysis, pair_verdicts(analysis, test))


def test_wins_and_p_are_against_the_best_mean_rank_or_the_control():
    table = report().methods.select("method", "wins", "ties", "losses", "best_on")
    assert table.rows == [("a", None, None, None, 8), ("b", 0, 0, 8, 0), ("c", 0, 0, 8, 0)]
    table = report(control="b").methods.select("method", "wins", "losses")
    assert table.rows == [("a", 8, 0), ("b", None, None), ("c", 2, 6)]


def test_the_difference_is_that_of_the_means_whatever_the_test():
    # Means of b and c: 0.45 + (6 * 1 + 2 * 2.5) / 8 and 0.45 + (6 * 2 + 2 * 1) / 8.
    for test in RankTest:
        if test != RankTest.CONTROL:
            frame = Ranking(report(test)).pairs().set_index(["method_a", "method_b"])
            assert frame.loc[("b", "c"), "difference"] == pytest.approx(11 / 8 - 14 / 8)
            assert pd.isna(frame.loc[("b", "c"), "estimate"]) == (test != RankTest.FLIPS)
            assert frame.loc[("b", "c"), "median_difference"] == pytest.approx(-1)


def test_a_turned_pair_is_the_second_method_against_the_first():
    whole = report()
    table = whole.pairs_of("flips")
    back = turned(table, np.array([True] * len(table)))
    names = ("method_a", "method_b", "wins", "losses", "verdict")
    assert table.select(*names).rows[0] == ("a", "b", 8, 0, "better")
    assert back.select(*names).rows[0] == ("b", "a", 0, 8, "worse")
    for ours, theirs, sign in (
        ("difference", "difference", -1),
        ("flips_lower", "flips_upper", -1),
        ("lower", "upper", -1),
        ("upper", "lower", -1),
        ("p_adjusted", "p_adjusted", 1),
    ):
        expected = sign * np.asarray(table[theirs], float)
        assert np.asarray(back[ours], float) == pytest.approx(expected)


def test_rows_of_pairs_are_in_the_wanted_order_and_direction():
    table = pair_rows(report().pairs_of(), [("c", "b"), ("a", "c"), ("a", "z")])
    assert table.select("method_a", "method_b", "wins").rows == [("c", "b", 2), ("a", "c", 8)]


@pytest.mark.parametrize("test", [RankTest.FLIPS, RankTest.WILCOXON, RankTest.NEMENYI])
def test_json_csv_and_data_frames_hold_the_same_pairs(test):
    whole = report(test)
    rows = json.loads(ranking_text(whole, "json"))["verdicts"]
    lines = list(csv.DictReader(ranking_text(whole, "csv").splitlines()))
    frame = Ranking(whole).pairs()
    for row, line, pair in zip(rows, lines, frame.to_dict("records"), strict=True):
        for key in ("method_a", "method_b", "verdict"):
            assert row[key] == line[key] == pair[key]
        for key in ("difference", "p", "p_adjusted", "rank_difference"):
            assert row[key] == float(line[key]) == pair[key]


def test_json_and_data_frames_hold_the_same_methods():
    whole = report()
    rows = pd.DataFrame(json.loads(ranking_text(whole, "json"))["ranking"]).set_index("method")
    frame = Ranking(whole).to_frame()
    assert list(rows) == list(frame)
    assert rows["mean_rank"].to_dict() == frame["mean_rank"].to_dict()
    assert [tuple(one) for one in rows["groups"]] == frame["groups"].tolist()


def test_columns_of_a_test_begin_with_its_name():
    analysis = analyze(score_table(VALUES))
    keys = pairs_table(analysis, pair_verdicts(analysis, RankTest.FLIPS), "wilcoxon", "t").keys
    assert {"wilcoxon_statistic", "wilcoxon_p_adjusted", "t", "t_df", "t_p_holm"} <= set(keys)
    assert not any(key.startswith("flips") for key in keys)
