"""What figures of the Ranking page say, for those who do not see them."""

from dataclasses import replace

import numpy as np

from delvecore.plots import theme
from delvecore.plots.highlighted_method import emphasised
from delvecore.plots.method_rows import (
    AgainstOne,
    LeaveOut,
    RanksWithout,
    ScoreAxis,
    ScoreDistributions,
    Scores,
)
from delvecore.plots.ranking_data import alt_of_left_out, alt_of_pairs, alt_of_tasks, alt_of_values
from delvecore.plots.ranking_pairs import RankPairs, rank_pairs_figure
from delvecore.report.ranking.sentences import TaskVerdicts

STYLE = theme.method_styles(["a"])["a"]
NONE = np.zeros((3, 3))
PAIRS = RankPairs(
    methods=("a", "b", "c"),
    difference=NONE,
    median=NONE,
    wins=NONE.astype(int),
    ties=NONE.astype(int),
    losses=NONE.astype(int),
    p=NONE,
    p_adjusted=NONE,
    verdict=np.array([["", "better", "better"], ["worse", "", ""], ["worse", "", ""]], dtype=object),
    units="datasets",
)


def test_the_matrix_says_which_pairs_differ():
    assert alt_of_pairs(PAIRS) == "Of 3 tested pairs 2 differ: a is better than b and c."


def test_pairs_that_are_not_tested_are_not_counted():
    verdict = PAIRS.verdict.copy()
    verdict[1, 2] = verdict[2, 1] = "not tested"
    assert alt_of_pairs(replace(PAIRS, verdict=verdict)).startswith("Of 2 tested pairs 2 differ")


def test_counts_of_tasks_are_said_of_each_method():
    rows = (TaskVerdicts("b", 1, 2, 3, 0), TaskVerdicts("c", 0, 0, 6, 0))
    assert alt_of_tasks(AgainstOne("a", rows)) == "b 1, 2 and 3; c 0, 0 and 6"


def test_values_are_said_by_their_medians():
    found = ScoreDistributions((Scores("a", (1.0, 2.0, 4.0), STYLE),), ("t1", "t2", "t3"), ScoreAxis("loss"))
    assert alt_of_values(found) == "a 2"


def test_ranks_without_a_family_are_said_in_their_order():
    rows = (
        RanksWithout("all datasets", "", (1.25, 1.75), (1, 2)),
        RanksWithout("without f", "", (2, 1), (2, 1)),
    )
    said = alt_of_left_out(LeaveOut(("a", "b"), (STYLE, STYLE), rows))
    assert said == "all datasets: a 1.2, b 1.8; without f: b 1.0, a 2.0"


def test_a_row_of_the_matrix_begins_with_its_name_and_ones_own_is_bold():
    names = emphasised(rank_pairs_figure(PAIRS), "b").data[2]
    assert [text.strip() for text in names.text] == ["a", "<b>b  </b>"]
    assert list(zip(names.x, names.y, strict=True)) == [(0.5, 0), (1.5, 1)]
