"""The search in the table of datasets."""

from dashboard.datasets.choice import with_words
from tests.dashboard.frame.test_facets import ROWS, names


def test_every_word_must_be_found_somewhere():
    assert names(with_words(ROWS, "italy WINE")) == ["c"]
    assert with_words(ROWS, "italy beer") == []
