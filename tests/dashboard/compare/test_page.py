"""The Compare page: full, nearly empty, empty, and with an address that asks for what is not there."""

import math

import pytest

from tests.dashboard.compare_archive import AGE, SHADE, add_losses, compared_archive
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import answer, figures, plain, texts
from tests.overlapping_archive import overlapping_archive
from tests.schemes_archive import schemes_archive

PARTS = ["Training sets", "Test cases", "What would decide it", "All pairs", "Losses in numbers"]


def table(app, column):
    return next(frame.value for frame in app.dataframe if column in frame.value)


def part(name):
    """The address's parameter that opens a tab."""
    return {"compare-part": name}


@pytest.fixture(scope="module")
def page(tmp_path_factory, run_page):
    """The pages of an archive with drawn losses of `near` and `far`."""
    return Pages(compared_archive(tmp_path_factory.mktemp("compared"))[0], run_page)


@pytest.fixture(scope="module")
def schemes_page(tmp_path_factory, run_page):
    return Pages(schemes_archive(tmp_path_factory.mktemp("schemes")), run_page)


def in_every_part(page, **parameters):
    """The page with each of its tabs open in turn, none of which may fail."""
    return [page("compare", **parameters, **part(name)) for name in PARTS]


def test_the_sentence_and_a_caution_tell_of_instances_that_share_cases(tmp_path, run_page):
    page = Pages(overlapping_archive(tmp_path), run_page)
    apps = in_every_part(page, task="/demo/age/std.21", loss="S")
    for app, instances, test in (
        *((app, 8, "corrected resampled t") for app in apps),
        (page("compare", task="/demo/age/std.23", loss="S"), 24, "corrected t over the test cases"),
    ):
        assert f"{instances} overlapping training sets" in answer(app)
        assert f"{test}, correlation 0." in plain(app)
        assert not app.warning  # the test allows for it


@pytest.mark.parametrize(
    ("task", "loss", "name", "basis"),
    [
        ("/demo/age/std.24", "S", "Test cases", "60 bootstrap samples (.632)"),
        (
            "/demo/age/std.16",
            "S",
            "Training sets",
            "6 runs on one training set of 16 cases and a test set of 8 cases, valid for this split only",
        ),
        ("/demo/shade/std.24", "Z", "Losses in numbers", "60 bootstrap samples (e0)"),
        ("/demo/shade/std.23", "Z", "All pairs", "24 overlapping training sets"),
    ],
)
def test_the_sentence_says_by_which_scheme_it_knows(schemes_page, task, loss, name, basis):
    app = schemes_page("compare", task=task, loss=loss, **part(name))
    assert basis in answer(app)
    if name == "Losses in numbers":
        assert set(table(app, "Training sets")["Training sets"]) == {60}


def test_the_sentence_gives_the_numbers_of_the_pair(tmp_path, run_page):
    # Differences 3, 5 with means of the training sets 3 and 5: mean 4, t = 4/1 with one degree of freedom,
    # p = 2 (1/2 - arctan(4)/pi) = 0.156 (Student's distribution with one degree of freedom is Cauchy's). The
    # interval reaches tan(0.95 pi/2) = 12.71 to either side.
    rows = [[1.0, 1.0, 2.0, 2.0], [1.0, 3.0, 1.0, 3.0]]
    other = [[4.0, 4.0, 5.0, 5.0], [6.0, 8.0, 6.0, 8.0]]
    compared_archive(tmp_path, {"near": {AGE: rows}, "far": {AGE: other}})
    assert 2 * (0.5 - math.atan(4) / math.pi) == pytest.approx(0.156, abs=5e-4)
    app = run_page("compare", task=AGE, methods=["near", "far"], losses="Raw")
    assert answer(app) == (
        "No significant difference between far and near on /demo/age/std.8 far loses 4.0 more than near, "
        "95 % interval −8.7 to 16.7. Squared error (S), 2 training sets of 8 cases; each has its "
        "own test set of 4 cases."
    )


PAIRS = ["Which method is better than which?", "Every pair in numbers"]


@pytest.mark.parametrize(
    ("name", "headings", "drawn"),
    [
        ("Losses in numbers", ["What makes the losses vary?"], 1),
        ("All pairs", [*PAIRS, "Which may be the best?", "Which are as good as each other?"], 4),
        ("Training sets", ["Is it the same on every training set?", "What causes the uncertainty?"], 3),
        ("Test cases", ["Which cases decide it?"], 2),
    ],
)
def test_the_page_has_its_top_and_the_open_tab_and_draws_no_other(name, headings, drawn, page):
    app = page("compare", task=SHADE, **part(name))
    assert [tab.label for tab in app.tabs] == [*PARTS, "Classes"]
    assert [heading.value for heading in app.subheader] == headings
    assert len(figures(app)) == drawn
    assert SHADE in answer(app)


def test_the_cases_that_decide_it_are_shown_with_their_attributes(tmp_path, run_page):
    rows = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    other = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 17.0, 8.0]]
    compared_archive(tmp_path, {"near": {AGE: rows}, "far": {AGE: other}})
    app = run_page("compare", task=AGE, methods=["near", "far"], reference="near", **part("Test cases"))
    first = table(app, "Training set").iloc[0]
    # The order of /demo/age is the file's; instance 1 tests on cases 5 to 8, of which the third is case 7.
    assert (first["Case"], first["Training set"], first["Difference"]) == (7, 1, 10.0)
    assert (first["AGE"], first["SEX"]) == (20 + (6 * 7) % 23 + 0.5, "female")
    assert "far loses less on 0 % of 8 tested cases, more on 12 %" in texts(app)


def test_one_method_only_says_what_to_do_and_has_no_tabs_that_need_two(small, run_page):
    add_losses(small, "alone", "/demo/age/std.4", "S", [[1.0, 2.0]] * 4)
    app = run_page("compare", task="/demo/age/std.4", **part("All pairs"))
    assert answer(app) == (
        "alone has a standardized loss of 0.0259 ± 0.0043 on /demo/age/std.4 Squared error (S), 4 "
        "training sets of 4 cases; each has "
        "its own test set of 2 cases. Choose another method to compare it with."
    )
    assert [tab.label for tab in app.tabs] == ["Losses in numbers"]
    assert [heading.value for heading in app.subheader] == ["What makes the losses vary?"]


def test_infinite_losses_are_said_and_cost_nothing_else(tmp_path, run_page):
    archive, _ = compared_archive(tmp_path)
    add_losses(archive, "sure", AGE, "L", [[1.0, math.inf, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0]])
    add_losses(archive, "wary", AGE, "L", [[1.0, 2.0, 1.0, 2.0], [1.0, 2.0, 3.5, 4.0]])
    app = in_every_part(run_page, task=AGE, loss="L")[0]
    assert answer(app).startswith("sure has an infinite loss on /demo/age/std.8; wary does not ")


def test_one_training_set_gives_no_errors_and_methods_with_the_same_losses_are_identical(small, run_page):
    for method, shift in (("early", 0.0), ("late", 1.0)):
        add_losses(small, method, "/demo/age/std.4", "S", [[1.0 + shift, 2.0 + shift]])
        add_losses(small, method, SHADE, "Z", [[1.0, 0.0, 1.0, 0.0, 0.0, 0.0]] * 4)
    app = in_every_part(run_page, task="/demo/age/std.4")[0]
    assert "but there is one training set only" in answer(app)
    app = in_every_part(run_page, task=SHADE, methods=["early", "late"])[0]
    assert "have the same loss on every test case" in answer(app)


def test_losses_without_a_baseline_are_raw(small, run_page):
    (small / "data/demo/Dataset.data").unlink()
    for path in small.glob("methods/*/demo/age/std.8/Test-set-stats"):
        path.unlink()
    app = in_every_part(run_page, task=AGE, loss="S")[0]
    assert "The baseline's loss is not recorded" in texts(app)
