"""The check list for publications on the page Methods."""

import pytest

from tests.dashboard.reading import codes, texts

pytestmark = pytest.mark.slow


def test_the_list_says_what_is_known_and_what_is_missing(small, run_page):
    app = run_page("methods", method="one", **{"method-part": "Check"})
    assert not app.exception
    table = next(one.value for one in app.dataframe if "Missing" in one.value)
    assert len(table) == 9
    row = table[table["Point"] == "Initialization"].iloc[0]
    assert row["Missing"] == "initialization"
    assert "methods/one/Source" in texts(app).replace("\\", "")
    assert "of 9 points" in texts(app)
    assert "mcheck -c /one" in codes(app)
