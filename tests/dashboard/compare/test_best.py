"""The tab of Compare on the best of a task, and on who is as good as whom."""

import pytest

from dashboard.compare import best
from dashboard.compare.best import answer_of
from dashboard.compare.choice import Request
from tests.dashboard.reading import opened_archive, texts

TASK, METHODS = "/plot-1d/yield/std.8", ("apple", "pear", "quince")


@pytest.fixture
def request_of(array_page):
    known = opened_archive(array_page.archive)

    def make(**changes):
        return Request(known, TASK, "S", METHODS, METHODS[0], **changes)

    return make


def test_a_wide_region_makes_methods_as_good_and_a_narrow_one_does_not(request_of):
    def verdicts(margin):
        return {row[-1] for row in answer_of(request_of(), "same", margin).rows}

    assert verdicts(5.0) == {"as good as b"}
    assert "as good as b" not in verdicts(0.001)


def test_the_tab_shows_both(array_page, monkeypatch):
    said = texts(array_page("compare", task=TASK, **{"compare-part": "The best"})).replace("\\", "")
    assert "apple is the best of 3 methods" in said
    assert "as good as each other within 0.01" in said
    # Of many methods those nearest the best are drawn.
    monkeypatch.setattr(best, "MOST_METHODS", 2)
    app = array_page.fresh("compare", task=TASK, **{"compare-part": "The best"})
    assert "The 2 of 3 methods nearest the best are drawn." in texts(app)
