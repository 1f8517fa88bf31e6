"""Every page on results case by case."""

import pandas as pd
import pytest

from dashboard.server.pages import ADDRESSES
from tests.case_results import right_or_wrong
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import figures, plain, texts


@pytest.fixture(scope="module")
def page(tmp_path_factory, run_page):
    frame = right_or_wrong(0.8, 0.65, 0.6, cases=80, tasks=6)
    path = tmp_path_factory.mktemp("cases") / "results.csv"
    frame[(frame.model != "b") | (frame.doc_id != "q5")].to_csv(path, index=False)
    return Pages(path, run_page)


def test_every_page_shows_results_of_single_cases_without_an_error(page):
    assert [name for name in ADDRESSES if page(name).error] == []


def test_the_leaderboard_counts_the_cases_that_a_model_lacks(page):
    said = texts(page("leaderboard")).replace("\\", "")
    assert "80 test cases each" in said
    assert "6 test cases: not all methods have them, on 6 tasks" in said


def test_compare_says_of_what_the_test_is_and_names_the_cases_that_decide(page):
    asked = {"task": "/task1/scores/all", "reference": "a", "methods": ["a", "b"]}
    app = page("compare", **asked, **{"compare-part": "Test cases"})
    said = plain(app)
    assert "79 test cases of one run, so valid for these models on such cases, not for new training" in said
    (table,) = [frame.value for frame in app.dataframe if "Difference" in frame.value]
    assert table["Case"].str.fullmatch(r"q\d+").all()
    assert set(table["Difference"].abs()) <= {0.0, 1.0}


def test_compare_says_why_few_cases_cannot_be_tested(tmp_path, run_page):
    rows = [(f"m{n}", f"q{q}", int(n == 0 or (n, q) == (2, 0))) for n in range(3) for q in range(6)]
    path = tmp_path / "few.csv"
    pd.DataFrame(rows, columns=["model", "doc_id", "acc"]).to_csv(path, index=False)
    reason = "not testable with 6 test cases (smallest adjusted p 0.094)"  # 3 pairs x 2 / 2^6
    pages = Pages(path, run_page)
    app = pages("compare", **{"compare-part": "All pairs"})
    assert "no difference from it is tested" in app.title[0].value
    assert f"{reason[0].upper()}{reason[1:]}." in plain(app)
    (pairs,) = (one.value for one in app.dataframe if "p, adjusted" in one.value)
    assert set(pairs["a is"]) == {"not tested"}
    assert [note.endswith(f"not tested: {reason}") for note in pairs["Note"]] == [True] * 3
    lines = "".join(str(figure) for figure in figures(app))
    assert "not significant" not in lines
