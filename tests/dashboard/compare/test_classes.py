"""The tab Classes of the page Compare; the test shades of shade/std.4 are pink red blue pink red blue."""

import pytest

from dashboard.compare import classes as compare_classes
from dashboard.compare.choice import Request
from delvecore.answers.classification import (
    class_measures,
    contingency_table,
    intervals_of,
    measures_by_training_set,
    overall_measures,
)
from tests.archives import small_archive, write_tree
from tests.dashboard.conftest import Pages
from tests.dashboard.reading import opened_archive, texts
from tests.losses.test_compute import SHADE_TASK

TASK = f"/{SHADE_TASK}"
GUESSES = ("pink red blue pink red pink", "pink pink pink pink pink pink", "blue red blue pink red blue")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Method `one` with guesses on shade, method `two` with losses only."""
    root = small_archive(tmp_path_factory.mktemp("guesses"))
    files = {f"guess.{n}": text.replace(" ", "\n") + "\n" for n, text in enumerate(GUESSES)}
    write_tree(root / "methods/one" / SHADE_TASK, files)
    return root


@pytest.fixture
def known(root):
    return opened_archive(root)


def asked(known, **changes):
    return Request(
        **{"archive": known, "task": TASK, "loss": "Z", "methods": ("one",), "reference": "one"} | changes
    )


def found(known):
    return compare_classes.summaries(asked(known))["one"]


def test_the_contingency_table_has_its_margins(known):
    table = contingency_table(found(known))
    # Guessed of six pinks: pink pink pink pink blue pink; of six blues: blue pink pink pink blue blue.
    assert table.rows == [
        ("pink", 5, 1, 0, 6),
        ("blue", 3, 3, 0, 6),
        ("red", 2, 0, 4, 6),
        ("All", 10, 4, 4, 18),
    ]


def test_each_class_has_its_measures(known):
    answer = class_measures(found(known))
    titles = [field.title for field in answer.fields]
    blue = next(dict(zip(titles, row, strict=True)) for row in answer.rows if row[0] == "blue")
    # 3 of 6 blues are found; 3 of 4 guesses of blue are right; F = 2 * 3 / (6 + 4); 4 of 18 guesses are blue.
    assert [blue[name] for name in ("Recall", "Precision", "F", "Rate")] == pytest.approx(
        [1 / 2, 3 / 4, 0.6, 4 / 18]
    )


def test_shared_test_cases_have_no_interval_together(known):
    assert not intervals_of(found(known)).rows
    sets = measures_by_training_set(found(known))
    assert [row[1] for row in sets.rows] == pytest.approx([5 / 6, 1 / 3, 5 / 6])
    assert "p above it" not in [field.key for field in overall_measures({"one": found(known)}).fields]


def test_the_tab_of_tasks_with_classes_shows_the_measures(known, run_page):
    assert compare_classes.is_classification(asked(known))
    assert not compare_classes.is_classification(asked(known, task="/demo/age/std.8"))
    app = run_page("compare", task=TASK, **{"compare-part": "Classes"})
    said = "\n".join(element.value for element in (*app.subheader, *app.caption, *app.code, *app.info))
    assert "Which class is taken for which?" in said
    assert f"delve measures one {TASK}" in said


def test_files_hold_every_method(known):
    tasks = compare_classes.measures_text(asked(known, methods=("one", "two")), "csv")
    assert tasks.startswith("method,task,training_set,class,measure,value")
    assert {line.split(",")[0] for line in tasks.splitlines()[1:]} == {"one"}  # two has no predictions


def test_the_tab_draws_the_curves(tmp_path, run_page):
    root = small_archive(tmp_path)
    files = {f"guess.{n}": "pink\nred\nblue\npink\nred\npink\n" for n in range(4)}
    files |= {f"prob.{n}": "8 1 1\n1 1 8\n1 8 1\n" * 2 for n in range(4)}
    write_tree(root / "methods/one" / SHADE_TASK, files)
    page = Pages(root, run_page)
    for axes in compare_classes.AXES:
        app = page("compare", task=TASK, **{"compare-part": "Classes", "axes": axes})
        assert "How well are cases ranked?" in [element.value for element in app.subheader]
        assert "used once" in texts(app)
