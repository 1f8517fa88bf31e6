"""Methods that do well on the same tasks resemble each other."""

import numpy as np
import pytest

from delvecore.statistics.ranking.resemblance import resemblance
from delvecore.statistics.ranking.score_table import ScoreTable


def correlations(values):
    values = np.array(values, dtype=float)
    tasks, methods = (tuple(map(str, range(count))) for count in values.shape)
    return resemblance(ScoreTable(tasks, methods, values))


def test_methods_that_are_first_on_the_same_tasks_resemble_each_other():
    # Ranks 1 2 3 4 and 3 4 1 2, twice: two pairs that change places together.
    found = correlations([[1, 2, 30, 40], [30, 40, 1, 2], [100, 200, 300, 400], [300, 400, 100, 200]])
    assert found[0] == pytest.approx([1, 1, -1, -1])


def test_a_rank_that_never_changes_says_nothing():
    found = correlations([[1, 2, 3], [1, 3, 2]])
    assert np.isnan(found[0]).all()
    assert found[1, 2] == pytest.approx(-1)
