"""What is equal is decided for each pair of values, whatever the others of a task are."""

import numpy as np
import pytest

from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.ranks import task_ranks
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.ranking.wilcoxon import scan_pairs


def table(values):
    values = np.array(values, dtype=float)
    tasks, methods = values.shape
    return ScoreTable(tuple(f"t{n}" for n in range(tasks)), tuple("abc"[:methods]), values)


def test_a_diverged_method_ties_no_others():
    # Method c is at 4e14; a is 0.2 and more below b on each of six tasks.
    rows = table([[1.2, 1.4 + 0.1 * n, 4e14] for n in range(6)])
    assert task_ranks(rows).ranks.tolist() == [[1, 2, 3]] * 6
    scan = scan_pairs(rows)
    assert [column[0] for column in scan.wins] == [6, 0, 0]
    assert analyze(rows).best_on.tolist() == [6, 0, 0]


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_equal_decimals_tie_at_any_size(scale):
    rows = table([[0.3 * scale, (0.1 + 0.2) * scale, 0.4 * scale]])
    assert task_ranks(rows).ranks.tolist() == [[1.5, 1.5, 3]]


def test_equal_differences_tie_whatever_they_are_differences_of():
    # 0.3 - 0.1 is 0.2, and so is 1000.7 - 1000.5; the ranks of both are (1 + 2) / 2.
    rows = table([[0.3, 0.1], [1000.7, 1000.5], [0.0, 5.0]])
    scan = scan_pairs(rows)
    assert scan.rank_sum.tolist() == [3.0]
    assert scan.tie_term.tolist() == [2**3 - 2]
