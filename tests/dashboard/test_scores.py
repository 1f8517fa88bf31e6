"""Every page on tables of scores."""

from pathlib import Path

import pytest

from dashboard.server import archive as opened
from dashboard.server.pages import ADDRESSES
from delvecore.readers.scores.records import ScoreOptions
from tests.dashboard.reading import codes, texts
from tests.scores_files import folds_csv, wide_csv

DESIGN = tuple(f"{dim}-{noise}" for dim in (8, 32) for noise in ("low", "mid", "high"))


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    path = folds_csv(tmp_path / "folds.csv")
    opened.choose_paths([str(path)])
    return path


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    path = wide_csv(tmp_path / "wide.csv")
    opened.choose_paths([str(path)], scores=ScoreOptions(higher_is_better=False))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("page", ADDRESSES)
@pytest.mark.parametrize("shape", ["folds", "wide"])
def test_every_page_shows_scores_without_an_error(run_page, request, shape, page):
    request.getfixturevalue(shape)
    app = run_page(page)
    assert (list(app.exception), list(app.error)) == ([], [])
    assert "standardized" not in app.main.markdown[0].value


def test_the_archive_says_how_scores_were_read(folds, run_page):
    app = run_page("archive")
    assert "**3 datasets** with 3 tasks; **3 methods** with results on 3 of the tasks." in texts(app)
    assert "cross-validation" in " ".join(app.dataframe[-1].value["Taken"])


def test_compare_goes_by_the_corrected_test_of_folds(folds, run_page):
    app = run_page("compare", task="/iris/scores/all")
    said = texts(app)
    assert "**forest has the highest accuracy" in said
    assert "training sets overlap (cross-validation): corrected resampled t" in said.replace("\\", "")
    assert "5 scores of each method." in said
    assert "iris" in codes(app)


def test_what_needs_single_test_cases_says_so_in_one_line(folds, run_page):
    app = run_page("compare", task="/iris/scores/all", **{"compare-part": "Test cases"})
    assert "scores say nothing of single test cases" in texts(app)


def test_one_score_a_dataset_is_not_tested_on_it_but_ranked_over_all(wide, run_page):
    assert "others is tested against it**: there is one training set only" in texts(run_page("compare"))
    assert "over 4 tasks by score" in texts(run_page("ranking"))


def test_a_dataset_of_scores_leads_to_its_comparison(folds, run_page):
    app = run_page("datasets", dataset="iris")
    assert "**iris** is known by its scores alone: those of 3 methods, with 5 training sets." in texts(app)
    assert not app.exception


def test_datasets_named_by_factors_are_a_task_array(tmp_path, run_page):
    opened.choose_paths([str(folds_csv(tmp_path / "design.csv", DESIGN))])
    app = run_page("task_arrays")
    assert not app.exception
    assert "no task-arrays" not in texts(app)


def test_commands_that_pages_show_name_the_file(folds, run_page):
    assert any(
        f"delve table --format latex {folds}" in code or str(folds) in code
        for code in codes(run_page("tables"))
    )
