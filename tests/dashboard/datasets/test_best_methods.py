"""Who is best on a dataset: one claim for the list and the headline, checked by the losses of its tasks."""

from pathlib import Path

import pytest

import delvecore
from dashboard.datasets.data import about
from dashboard.datasets.listing import best_methods, dataset_table
from delvecore.archive import Archive
from tests.dashboard.reading import opened_archive, plain


def archive_of(parent: Path, rows: str) -> Archive:
    """An archive of a table of losses on the tasks of one dataset."""
    path = parent / "losses.csv"
    path.write_text("dataset,method,loss,value\n" + rows)
    return opened_archive(path)


def losses(*best: str, methods: str = "abc") -> str:
    """Losses on a task each. best: the methods with the lowest loss there, such as `ab`."""
    return "".join(
        f"/demo/age/std.{2 ** (place + 3)},{name},S,{1.0 if name in names else 2.0}\n"
        for place, names in enumerate(best)
        for name in methods
    )


@pytest.mark.parametrize(
    ("best", "claim", "cell"),
    [
        (("a", "a", "b"), "a is best on most tasks", "a"),
        (("c", "c", "a", "b"), "c is best on 2 of 4 tasks", "c (2 of 4)"),
        (("b", "c", "c", "b", "a"), "b and c are each best on 2 of 5 tasks", "b and c (2 of 5)"),
        (("a", "b", "c"), "a, b and c are each best on 1 of 3 tasks", "a, b and c (1 of 3)"),
        (("ab", "ab", "c"), "a and b are each best on most tasks", "a and b"),
        (("bc", "a"), "a, b and c are each best on 1 of 2 tasks", "a, b and c (1 of 2)"),
    ],
)
def test_a_majority_is_called_so_and_all_who_are_tied_are_named(tmp_path, best, claim, cell):
    archive = archive_of(tmp_path, losses(*best))
    assert best_methods(archive).at["demo", "sentence"] == claim
    assert dataset_table(archive)["best"].tolist() == [cell]


def test_the_headline_and_the_list_say_what_the_shipped_losses_say(whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    shipped = delvecore.open()
    best = best_methods(shipped).loc["titanic", ["methods", "tasks", "of"]]
    assert best.tolist() == [("knn-cv-1", "mlp-ese-1"), 3, 8]
    assert about(shipped, "titanic").endswith("knn-cv-1 and mlp-ese-1 are each best on 3 of 8 tasks.")
    table = dataset_table(shipped).set_index("dataset")["best"]
    assert table["titanic"] == "knn-cv-1 and mlp-ese-1 (3 of 8)"
    assert table["wine"] == "mlp-ese-1"


def test_the_results_of_a_dataset_name_all_methods_with_the_same_best_mean(tmp_path, run_page):
    archive_of(tmp_path, losses("bc", "a"))
    app = run_page("datasets", dataset="demo", part="Results")
    assert app.dataframe[0].value["best"].tolist() == ["a", "b and c"]
    assert "a has the lowest" in plain(app).replace("**", "")
    archive_of(tmp_path, losses("bc"))
    assert "b and c share the lowest" in plain(run_page("datasets", dataset="demo")).replace("**", "")
