"""Analyses of one table share its sign flips, which take nearly all of the time."""

from dataclasses import replace

import numpy as np
import pytest

from delvecore.stats.choose import FlipStatistic
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.score_table import ScoreTable

VALUES = np.random.default_rng(0).normal(size=(9, 4)).round(3)
TABLE = ScoreTable(tuple("rstuvwxyz"), tuple("abcd"), VALUES)


def test_an_equal_table_shares_the_flips_at_any_level():
    first = analyze(TABLE)
    assert analyze(replace(TABLE, values=VALUES.copy()), alpha=0.01).sign_flips is first.sign_flips


def test_names_of_tasks_in_the_same_order_do_not_matter():
    paths = replace(TABLE, tasks=tuple(f"/{name}/scores/all" for name in TABLE.tasks))
    first = analyze(TABLE)
    assert analyze(paths).sign_flips is first.sign_flips


@pytest.mark.parametrize(
    "other",
    [
        replace(TABLE, values=VALUES + np.eye(9, 4)),
        replace(TABLE, higher_is_better=True),
        replace(TABLE, tasks=tuple("zyxwvutsr")),
        replace(TABLE, methods=tuple("dcba")),
    ],
)
def test_another_table_has_flips_of_its_own(other):
    assert analyze(other).sign_flips is not analyze(TABLE).sign_flips


def test_another_statistic_has_flips_of_its_own():
    ranks, means = (analyze(TABLE, statistic=one.value) for one in (FlipStatistic.RANKS, FlipStatistic.MEANS))
    assert ranks.sign_flips is not means.sign_flips
    assert ranks.sign_flips.statistic == FlipStatistic.RANKS
