"""Losses of all instances at once are those of file by file, and so are the faults. Tasks of `small_archive`:
the test ages of instance 0 of age/std.8 are 20.5 27.5 34.5 41.5."""

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.losses import compute
from delvecore.losses.compute import losses_together
from delvecore.losses.method_task import open_method_task
from delvecore.losses.predictions import list_predictions, parse_columns
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import small_archive, write_tree

PLAIN = "20\n30.5\n-1e-3\n41.5\n"
ODD = {
    "blanks": " 20\n 30.5\n -1e-3\n 41.5\n",
    "no end": PLAIN[:-1],
    "blank line": "20\n30.5\n\n-1e-3\n41.5\n",
    "returns": PLAIN.replace("\n", "\r\n"),
    "short": "20\n30.5\n-1e-3\n",
    "long": PLAIN + "1\n",
    "two a line": "20 1\n30.5\n-1e-3\n",
    "word": PLAIN.replace("30.5", "x"),
    "none": PLAIN.replace("30.5", "?"),
    "infinite": PLAIN.replace("30.5", "-Inf"),
    "not a number": PLAIN.replace("30.5", "nan"),
    "empty": "",
}


def outcome(tmp_path, files):
    root = small_archive(tmp_path)
    write_tree(root / "methods/new/demo/age/std.8", files)
    task = open_method_task(Hierarchy([str(root)]), "new", "demo", "age", "std.8")
    try:
        return compute.compute_task_losses(task).losses
    except DelveError as error:
        return str(error)


@pytest.mark.parametrize("kind", ["guess", "ptarg", "lptarg"])
@pytest.mark.parametrize("odd", ODD)
def test_whatever_a_file_holds_the_outcome_is_that_of_file_by_file(tmp_path, monkeypatch, kind, odd):
    files = {f"{kind}.0": PLAIN.replace("-", ""), f"{kind}.1": ODD[odd]}
    together = outcome(tmp_path / "1", files)
    monkeypatch.setattr(compute, "losses_together", lambda *_: None)
    apart = outcome(tmp_path / "2", files)
    if isinstance(apart, str):
        assert str(together).replace("/1/", "/2/") == apart
    else:
        assert together.keys() == apart.keys()
        assert all(np.array_equal(together[key], apart[key]) for key in apart)


def test_plain_files_are_taken_together(tmp_path):
    root = small_archive(tmp_path)
    write_tree(root / "methods/new/demo/age/std.8", {"guess.0": PLAIN, "guess.1": PLAIN})
    task = open_method_task(Hierarchy([str(root)]), "new", "demo", "age", "std.8")
    found = losses_together(task, "A", list_predictions(task.files))
    assert found is not None
    assert found["A", 0] == pytest.approx([0.5, 3.0, 34.501, 0.0])
    assert sorted(found) == [("A", 0), ("A", 1)]


def test_each_newline_ends_a_number_of_its_file():
    first, second = parse_columns([b"1\n2\n", b" 3\n 4"]) or []
    assert (first.tolist(), second.tolist()) == ([1, 2], [3, 4])
    assert parse_columns([b"1\n\n", b"2"]) is None
    assert parse_columns([b"1\r2\n", b"2\n"]) is None
