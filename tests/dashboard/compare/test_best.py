"""The tab of Compare on the best of a task, and on who is as good as whom."""

from dashboard.compare import tabs
from tests.dashboard.reading import texts

TASK = "/plot-1d/yield/std.8"


def test_the_tab_shows_both(array_page, monkeypatch):
    said = texts(array_page("compare", task=TASK, **{"compare-part": "The best"})).replace("\\", "")
    assert "apple is the best of 3 methods" in said
    assert "as good as each other within 0.01" in said
    # Of many methods those nearest the best are drawn.
    monkeypatch.setattr(tabs, "MOST_METHODS", 2)
    app = array_page.fresh("compare", task=TASK, **{"compare-part": "The best"})
    assert "The 2 of 3 methods nearest the best are drawn." in texts(app)
