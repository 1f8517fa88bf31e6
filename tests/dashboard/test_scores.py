"""Every page on tables of scores."""

from pathlib import Path

import pytest

from dashboard.server import archive as opened
from dashboard.server.pages import ADDRESSES
from delvecore.score_tables.options import ScoreOptions
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import click, codes, plain, texts
from tests.scores_files import folds_csv, wide_csv


@pytest.fixture(scope="module")
def page(tmp_path_factory, run_page):
    """The pages of three methods on three datasets, in five folds."""
    return Pages(folds_csv(tmp_path_factory.mktemp("folds") / "folds.csv"), run_page)


def read_line(app):
    return next(one.value.replace("\\", "") for one in app.caption if one.value.startswith("Read"))


@pytest.mark.parametrize("name", ADDRESSES)
def test_every_page_shows_scores_and_begins_with_how_they_were_read(page, name):
    app = page(name)
    assert not app.error
    assert "standardized" not in app.main.markdown[0].value
    assert read_line(app).startswith("Read: 3 methods (")
    if name == "tables":
        assert any(str(page.archive) in code for code in codes(app))


def test_compare_goes_by_the_corrected_test_of_folds(page):
    app = page("compare", task="/iris/scores/all", **{"compare-part": "Test cases"})
    assert "forest has the highest accuracy" in plain(app)
    assert "training sets overlap (cross-validation): corrected resampled t" in plain(app)
    assert "Accuracy (higher is better), 5 training sets" in plain(app)
    assert "none for single test cases" in plain(app)
    assert "iris" in app.title[0].value


def test_one_score_a_dataset_is_not_tested_on_it_but_ranked_over_all(tmp_path, run_page):
    path = wide_csv(tmp_path / "wide.csv")
    opened.choose_paths([str(path)], scores=ScoreOptions(higher_is_better=False))
    shown = {name: run_page(name) for name in ADDRESSES if name not in ("add_data", "file_check")}
    assert [name for name, app in shown.items() if app.error] == []
    assert "no difference from it is tested" in texts(shown["compare"])
    assert "over 4 tasks by score" in texts(shown["ranking"])


@pytest.fixture
def unclear(tmp_path: Path) -> Path:
    """Nothing says whether higher is better, nor whether `mean` is a method."""
    path = tmp_path / "unclear.csv"
    path.write_text("dataset,a,b,mean\none,0.1,0.2,0.9\ntwo,0.3,0.2,0.8\nthree,0.3,0.1,0.7\n")
    opened.choose_paths([str(path)])
    return path


def test_questions_are_answered_one_after_another_on_the_page(unclear, run_page):
    app = run_page("ranking")
    asked = []
    for label in ("Keep it as scores", "Higher is better"):
        asked += [one.value.replace("\\", "") for one in app.warning]
        app = click(app, label)
    assert asked[0].startswith("unclear.csv: Expected")
    assert "'mean'" in asked[0]
    assert "Nothing shows whether a higher or lower value of 'score' is better." in asked[1]
    assert not any("--" in text for text in asked)
    assert "score, higher is better (your answer)" in plain(app)
    assert "mean has the best mean rank of 3" in plain(app)
    assert "mean" not in texts(click(app, "Forget my answers")).partition("best mean rank")[2]


def test_answers_are_of_one_session_and_stand_in_its_commands(unclear, run_page):
    app = click(click(run_page("tables"), "Leave it out"), "Lower is better")
    assert any("--drop mean" in code and "--lower-is-better" in code for code in codes(app))
    assert "'mean'" in run_page("tables").warning[0].value.replace("\\", "")


def test_nothing_is_said_to_be_complete_over_failed_runs_or_omissions(tmp_path, run_page):
    path = tmp_path / "failed.csv"
    text = "".join(f"{d},{m},{k},0.{d}{k}\n" for d in (1, 2, 3) for m in "ab" for k in (1, 2, 3))
    path.write_text("dataset,method,fold,accuracy\n" + text.replace("2,b,2,0.22", "2,b,2,NA"))
    opened.choose_paths([str(path)])
    said = texts(run_page("leaderboard"))
    assert "1 of 18 runs failed or are missing." in said
    assert "Nothing is missing" not in said
