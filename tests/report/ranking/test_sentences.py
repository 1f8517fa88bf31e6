"""The sentence about one's own method."""

import numpy as np

from delvecore.report.ranking.sentences import Standing, standing_of, standing_sentence
from delvecore.stats.ranking.analysis import analyse
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import RankTest, pair_verdicts


def ranked(values, *, higher=False):
    names = tuple("abc")
    tasks = tuple(f"t{number}" for number in range(len(values)))
    return analyse(ScoreTable(tasks, names, np.array(values, dtype=float), higher_is_better=higher))


def test_a_standing_names_who_is_significantly_better_and_who_is_not():
    found = Standing("mine", 2, 4, ["d"], ["a"], ["c"])
    assert standing_sentence(found) == (
        "Yours is mine, rank 2 of 4: significantly better than d; significantly worse than a; not significantly different from c."
    )


def test_the_rank_is_that_of_the_mean_ranks_and_the_verdicts_those_of_the_test():
    # On 20 tasks a before b before c: all mean ranks differ by 1 or 2; Nemenyi's CD for 3 and 20 is 0.74.
    found = ranked([[1 + 0.01 * n, 2, 3] for n in range(20)])
    own = standing_of(found, pair_verdicts(found, RankTest.NEMENYI), "b")
    assert own == Standing("b", 2, 3, ["c"], ["a"], [])
    assert standing_of(found, pair_verdicts(found, RankTest.NEMENYI), "nobody") is None
