"""What a ranking of many methods and tasks tests and lists unless it is asked for; one's own method in a sentence."""

import json

import numpy as np
import pytest

from delvecore.render.spans import plain
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.ranking.sentences import Standing, standing_of, standing_sentence
from delvecore.report.ranking.text import ranking_text
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts

PAIRED = ("verdicts", "wilcoxon", "t_tests", "sign_flips", "effects", "bayes", "power")


def report_of(tasks, methods, **asked):
    values = np.random.default_rng(0).normal(size=(tasks, methods)) + 0.1 * np.arange(methods)
    names = tuple(f"m{place}" for place in range(methods))
    table = ScoreTable(tuple(f"t{place}" for place in range(tasks)), names, values)
    analysis = analyze(table)
    return RankingReport(analysis, pair_verdicts(analysis, RankTest.NEMENYI), **asked)


@pytest.mark.slow
@pytest.mark.parametrize(("methods", "pairs"), [(45, 990), (46, None)])
def test_json_lists_up_to_a_thousand_pairs(methods, pairs):
    # 45 * 44 / 2 = 990 and 46 * 45 / 2 = 1035.
    record = json.loads(ranking_text(report_of(5, methods), "json"))
    assert len(record["average_ranks"]) == methods
    for name in PAIRED:
        assert (record[name] and len(record[name])) == pairs, name
    assert (record["nemenyi"]["p"] and len(record["nemenyi"]["p"])) == pairs
    assert (record["groups"] is None) == (record["wilcoxon_groups"] is None) == (pairs is None)


@pytest.mark.slow
def test_pairs_are_tested_on_single_tasks_up_to_half_a_million_and_the_text_says_so():
    # 46 methods are 1035 pairs: 483 tasks are 499,905 tests, and 484 tasks 500,940.
    assert report_of(483, 46).tests_tasks
    many = report_of(484, 46)
    assert not many.tests_tasks
    text = " ".join(ranking_text(many, "text").split())
    assert "1,035 pairs on 484 tasks are not tested one by one; --pairs tests them." in text
    assert report_of(484, 46, pairs=True).tests_tasks


def scaled_text(values):
    names = tuple(f"m{place}" for place in range(values.shape[1]))
    table = ScoreTable(tuple(f"t{place}" for place in range(len(values))), names, values)
    analysis = analyze(table, statistic="scaled")
    report = RankingReport(analysis, pair_verdicts(analysis, RankTest.FLIPS))
    return " ".join(ranking_text(report, "text").split())


def test_scaled_differences_find_a_ladder_in_a_small_table_and_say_how():
    # Eight methods on eight tasks whose scales are up to 1e7 apart; noise is half a step.
    noise = np.random.default_rng(0).uniform(-0.5, 0.5, (8, 8))
    values = 10.0 ** np.arange(8)[:, None] * (noise + np.arange(8))
    text = scaled_text(values)
    assert (
        "The test is sign flips of scaled differences, adjusted for all pairs by the largest statistic"
        in text
    )
    assert "m0 is significantly better than m1, m2, m3, m4, m5, m6, m7" in text
    assert "a permutation test of scaled differences, each divided by the scale of its unit" in text
    assert "All values are equal" not in text


def test_tasks_on_which_all_values_are_equal_are_counted():
    values = np.random.default_rng(1).normal(size=(9, 4)) + np.arange(4)
    values[2] = 5.0
    assert "All values are equal on 1 task, which adds nothing to the test." in scaled_text(values)
    values[3] = 7.0
    assert "All values are equal on 2 tasks, which add nothing to the test." in scaled_text(values)


def ranked(values, *, higher=False):
    names = tuple("abc")
    tasks = tuple(f"t{number}" for number in range(len(values)))
    return analyze(ScoreTable(tasks, names, np.array(values, dtype=float), higher_is_better=higher))


def test_a_standing_names_who_is_significantly_better_and_who_is_not():
    standing = Standing("mine", 2, 4, ["d"], ["a"], ["c"])
    assert plain(standing_sentence(standing)) == (
        "Yours is mine, rank 2 of 4: significantly better than d; significantly worse than a; not significantly different from c."
    )


def test_the_rank_is_that_of_the_mean_ranks_and_the_verdicts_those_of_the_test():
    # On 20 tasks a before b before c: all mean ranks differ by 1 or 2; Nemenyi's CD for 3 and 20 is 0.74.
    ranking = ranked([[1 + 0.01 * n, 2, 3] for n in range(20)])
    own = standing_of(ranking, pair_verdicts(ranking, RankTest.NEMENYI), "b")
    assert own == Standing("b", 2, 3, ["c"], ["a"], [])
    assert standing_of(ranking, pair_verdicts(ranking, RankTest.NEMENYI), "nobody") is None
