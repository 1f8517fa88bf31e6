"""All that a paper takes over of a comparison."""

import hashlib

import pytest

from dashboard.compare import exports
from dashboard.compare.choice import Request
from dashboard.server import archive as opened
from delvecore.plots import pictures
from delvecore.stats.choose import Setting
from tests.dashboard.compare_archive import AGE, compared_archive, drawn_losses


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    names = ("a_1", "b", "c")
    path, _ = compared_archive(
        tmp_path, {name: {AGE: drawn_losses(place, (2, 4))} for place, name in enumerate(names)}
    )
    opened.choose_paths([str(path)])
    known = opened.open_archive().archive
    request = Request(known, AGE, "S", names, reference="a_1", family=names, setting=Setting())
    return exports.bundle_of(request, "mstats -l S", ["Archive: small"])


def test_a_bundle_has_paragraphs_caption_tables_values_command_and_references(files):
    assert set(files) == {
        *("README.txt", "methods.txt", "caption.txt", "table.tex", "pairs.tex", "losses.csv", "pairs.csv"),
        *("command.txt", "references.bib"),
    }
    assert b"PDF and PNG are drawn by a Chromium or Chrome, of which there was none." in files["README.txt"]
    assert files["command.txt"] == b"mstats -l S\n"


def test_the_words_say_what_was_compared_by_which_test_and_what_was_found(files):
    told = files["methods.txt"].decode()
    assert told.startswith(
        "We compared 3 methods (a_1, b and c) on the task /demo/age/std.8 by squared error (S)."
    )
    assert "The comparison rests on 2 training sets of 8 cases" in told
    assert "p is adjusted by Holm's procedure over all 3 tested pairs." in told
    assert "\n\na_1 has the lowest standardized loss, " in told
    assert "of 3 pairs of methods differ" in told
    assert "differences from a_1 with 95 % intervals" in files["caption.txt"].decode()


def test_the_references_are_those_of_the_analysis(files):
    assert "@article{holm1979," in files["references.bib"].decode()
    assert "nadeau2003" not in files["references.bib"].decode()


def test_the_readme_has_the_hashes_of_both_tables_of_values(files):
    for name in ("losses.csv", "pairs.csv"):
        assert f"SHA-256 of {name}: {hashlib.sha256(files[name]).hexdigest()}" in files["README.txt"].decode()
