"""Malformed files on the Add data page: one line each, with what is wrong, where, and what to do."""

import re

import pytest

from tests.packed import pack_members

HEADER = b"dataset,method,accuracy\n"
LINE = re.compile(r"(?P<name>[\w.]+)(:(?P<line>\d+))?: expected (?P<expected>.+?), found (?P<found>.+); .+")


@pytest.fixture
def malformed(tmp_path) -> dict[str, tuple[bytes, int | None, str]]:
    """Content, number of the faulty line, and some of what is found there, by name."""
    whole = pack_members(tmp_path / "whole.tar.gz", [("mine/Summary", "words\n" * 5000)]).read_bytes()
    evil = pack_members(tmp_path / "evil.tar.gz", [("../evil", "x\n")]).read_bytes()
    return {
        "empty.csv": (b"", None, "an empty file"),
        "header.csv": (HEADER, 1, "none"),
        "bad.arff": (b"@relation x\n@attribute a foo\n@data\n1\n", 2, ""),
        "ragged.csv": (HEADER + b"iris,svm,0.9\niris,knn,0.8,7\n", 3, "4"),
        "words.csv": (HEADER + b"iris,svm,good\niris,knn,bad\n", 1, "the columns"),
        "picture.csv": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), 1, "a file that is not text"),
        "broken.json": (b'[{"dataset": "iris"', 1, "Expecting"),
        "broken.xlsx": (b"PK\x03\x04 no workbook", None, "not a zip file"),
        "cut.tar.gz": (whole[: len(whole) // 2], None, "cut short"),
        "evil.tar.gz": (evil, None, "'../evil'"),
    }


def test_ten_malformed_files_are_told_in_a_line_each(small_page, malformed):
    app = small_page.fresh("add_data")
    app.file_uploader[0].set_value([(name, sent[0], "text/csv") for name, sent in malformed.items()])
    app.run(timeout=120)
    assert not app.exception
    told = [LINE.fullmatch(text) for text in app.session_state["own"].refused]
    assert [one and one["name"] for one in told] == list(malformed)
    assert len(app.error) == len(malformed) == 10
    for one, (_, line, actual) in zip(told, malformed.values(), strict=True):
        assert one["line"] == (None if line is None else str(line)), one.string
        assert actual in one["found"], one.string
