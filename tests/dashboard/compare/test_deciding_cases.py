"""The cases that decide a comparison, of prototasks with special features."""

import pytest

from dashboard.compare.choice import Request
from dashboard.compare.data import deciding_table
from dashboard.server import archive as opened
from tests.archives import feature_archive


@pytest.fixture
def archive(tmp_path):
    opened.choose_paths([str(feature_archive(tmp_path))])
    return opened.open_archive().archive


def test_attribute_0_is_shown_as_the_number_of_the_case(archive):
    prototask = next(row for row in archive.prototasks.to_pylist() if row["dataset"] == "river")
    assert "INDEX" in prototask["inputs"]
    request = Request(archive, "/river/flow/std.15", "S", ("bold", "careful"), reference="careful")
    table = deciding_table(request, most=1)
    (shown,) = table.to_dict("records")
    assert {"FLOW", "LEVEL", "RAIN"} <= set(table.columns)
    assert "INDEX" not in table.columns
    case = archive.cases("river").to_pylist()[shown["Case"] - 1]
    assert {name: shown[name] for name in ("FLOW", "LEVEL")} == {
        name: case[name] for name in ("FLOW", "LEVEL")
    }


def test_the_largest_differences_come_first(archive):
    request = Request(archive, "/river/flow/std.15", "S", ("bold", "careful"), reference="careful")
    table = deciding_table(request, most=5)
    assert len(table) == 5
    sizes = table["Difference"].abs().tolist()
    assert sizes == sorted(sizes, reverse=True)
    assert (table["Loss of bold"] - table["Loss of careful"]).tolist() == pytest.approx(
        table["Difference"].tolist()
    )
