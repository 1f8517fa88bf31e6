"""All that a paper takes over of a ranking, as files."""

import zipfile

import numpy as np
import pytest

from delvecore.cli import delve
from delvecore.library.bundle import bundle_files
from delvecore.library.ranking import rank
from delvecore.plots import pictures
from tests.score_texts import table_of


@pytest.fixture
def ranking():
    values = np.random.default_rng(0).normal(size=(12, 4)) + np.arange(4)
    return rank(values, methods=["a_1", "b", "c", "d"], higher_is_better=False)


@pytest.fixture
def bundle(ranking, monkeypatch):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    return bundle_files(ranking, command="delve rank t.csv", provenance=["Archive: t"])


def test_a_bundle_without_a_browser_has_everything_but_the_pictures_and_says_so(bundle):
    assert set(bundle) == {
        *("README.txt", "methods.txt", "caption.txt", "figure.svg", "figure.tex", "table.tex", "values.csv"),
        *("command.txt", "references.bib"),
    }
    assert b"PDF and PNG need Chromium or Chrome, which was not available." in bundle["README.txt"]


def test_the_values_of_a_bundle_are_those_that_were_ranked(bundle, ranking):
    again = table_of(bundle["values.csv"].decode())
    np.testing.assert_array_equal(again.values, ranking.analysis.table.values)


def test_a_bundle_says_in_its_words_what_the_report_says(bundle, ranking):
    assert ranking.sentence in bundle["methods.txt"].decode()
    assert "a\\_1" in bundle["table.tex"].decode()
    assert "@article{demsar2006," in bundle["references.bib"].decode()


def test_the_command_writes_a_bundle_as_one_file_and_as_a_directory(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    (tmp_path / "t.csv").write_text("task,a,b\n" + "".join(f"t{k},{k % 3},{k % 2 + 1}\n" for k in range(6)))
    out, file = tmp_path / "paper", tmp_path / "paper.zip"
    words = ["report", str(tmp_path / "t.csv"), "--lower-is-better", "-o", f"{out}/", "--bundle", str(file)]
    assert delve.main(words) == 0
    assert sorted(zipfile.ZipFile(file).namelist()) == sorted(path.name for path in out.iterdir())
