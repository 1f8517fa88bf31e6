"""While losses that are more than memory are compared, a page says how far that is."""

from streamlit.testing.v1 import AppTest

from dashboard.server import archive as opened
from dashboard.ui import comparison_progress


def script() -> None:
    from dashboard.ui.comparison_progress import compare_first

    compare_first("state", "S", ["one", "two"])


def run_with(monkeypatch, steps) -> AppTest:
    monkeypatch.setattr(opened, "archive_of", lambda state: state)
    monkeypatch.setattr(comparison_progress, "compared_first", lambda archive, loss, methods: steps())
    return AppTest.from_function(script).run()


def test_a_page_says_how_many_tasks_are_compared_and_nothing_when_they_are(monkeypatch):
    def steps():
        yield 0, 2
        yield 1, 2
        import streamlit as st

        st.stop()

    (bar,) = run_with(monkeypatch, steps).get("progress")
    assert (bar.proto.text, bar.proto.value) == ("1 of 2 tasks compared …", 50)
    assert not run_with(monkeypatch, lambda: iter([(0, 2), (1, 2)])).get("progress")
    assert not run_with(monkeypatch, lambda: iter([])).get("progress")
