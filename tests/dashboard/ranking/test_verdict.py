"""What a ranking says of tasks that are related, as its sentence's caveats."""

import numpy as np
import pytest

from dashboard.ranking.choice import NEMENYI
from dashboard.ranking.verdict import Basis, caveats
from delvecore.statistics.ranking.analysis import Analysis, analyse
from delvecore.statistics.ranking.score_table import ScoreTable


@pytest.fixture(scope="module")
def found() -> Analysis:
    """Three methods on twelve tasks."""
    values = np.arange(36.0).reshape(12, 3) + np.random.default_rng(0).normal(0, 0.1, (12, 3))
    return analyse(ScoreTable(tuple(f"t{number}" for number in range(12)), ("a", "b", "c"), values))


def serious(found, basis):
    return [text for text, is_serious in caveats(found, NEMENYI, basis) if is_serious]


def test_tasks_of_fewer_families_than_datasets_name_the_families(found):
    said = serious(found, Basis("loss", 8, families=("kin", "bank")))
    assert said == [
        "The 12 tasks come from 8 datasets of 2 families (kin and bank): tasks of one family are related, not "
        "an independent sample, so p-values are smaller than they should be."
    ]


def test_tasks_of_one_family_say_nothing_of_other_data(found):
    (said,) = serious(found, Basis("loss", 8, families=("kin",)))
    assert said.startswith("All 12 tasks are of one family, kin: they are related, so nothing follows")


def test_datasets_without_families_are_their_own(found):
    (said,) = serious(found, Basis("loss", 2, families=("demo", "wine")))
    assert "come from 2 datasets: tasks of one dataset are related" in said
    assert serious(found, Basis("loss", 12, families=tuple("abcdefghijkl"))) == []
