"""The cases that decide a comparison, of prototasks with special features."""

import numpy as np
import pytest

import delvecore
from dashboard.compare.deciding_cases import deciding_table
from delvecore.statistics.losses.case_differences import case_differences
from tests.archives import feature_archive


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return delvecore.open(str(feature_archive(tmp_path_factory.mktemp("features"))))


def test_attribute_0_is_shown_as_the_number_of_the_case(archive):
    prototask = next(row for row in archive.prototasks.to_pylist() if row["dataset"] == "river")
    assert "INDEX" in prototask["inputs"]
    losses = np.array([[1.0, 2.0, 9.0]])
    differences = case_differences(losses, np.zeros_like(losses), design="hierarchical")
    table = deciding_table(
        archive,
        differences,
        names=("bold", "careful"),
        instances=(0,),
        numbers=np.array([[4, 7, 11]]),
        dataset="river",
        attributes=(*prototask["targets"], *prototask["inputs"]),
        count=1,
    )
    assert table["Case"].tolist() == [11]
    assert {"FLOW", "LEVEL", "RAIN"} <= set(table.columns)
    assert "INDEX" not in table.columns
