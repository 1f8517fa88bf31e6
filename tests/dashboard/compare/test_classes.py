"""The tab Classes of the Compare page; the test shades of shade/std.4 are pink red blue pink red blue."""

import pytest

from dashboard.compare import classes as compare_classes
from dashboard.ui.request import Request
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
        **{"archive": known, "tasks": (TASK,), "loss": "Z", "methods": ("one",), "reference": "one"} | changes
    )


def test_the_tab_of_tasks_with_classes_shows_the_measures(known, run_page):
    assert compare_classes.is_classification(asked(known))
    assert not compare_classes.is_classification(asked(known, tasks=("/demo/age/std.8",)))
    app = run_page("compare", task=TASK, **{"compare-part": "Classes"})
    said = "\n".join(element.value for element in (*app.subheader, *app.caption, *app.code, *app.info))
    assert "Which classes are confused?" in said
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
