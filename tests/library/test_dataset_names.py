"""Datasets in tables of scores and methods of arrays keep their names, or are refused by name."""

import numpy as np
import pandas as pd
import pytest

import delvecore as dv
from delvecore.errors import DelveError


def scored(*datasets: str) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        [
            {"dataset": dataset, "method": method, "fold": fold, "accuracy": rng.random()}
            for dataset in datasets
            for method in ("p", "q")
            for fold in range(5)
        ]
    )


@pytest.mark.parametrize("name", ["a/b", "/", "a/", "//", "a b", "..", ".", "\\x", "-x", "\u00fc", "n" * 255])
def test_a_comparison_shows_datasets_as_they_are_called(name):
    assert set(dv.compare(scored(name, "other")).to_frame()["dataset"]) == {name, "other"}


@pytest.mark.parametrize("names", [("a/b", "a\u2215b"), ("/a/scores/std.10", "a/std.10")])
def test_two_names_of_one_task_are_refused_with_both(names):
    for read in (dv.compare, dv.rank):
        with pytest.raises(DelveError) as caught:
            read(scored(*names))
        text = str(caught.value)
        assert "expected one name for each task, found " in text
        assert all(ascii(name) in text for name in names)
        assert text.endswith("; rename one of them")


@pytest.mark.parametrize(
    ("names", "actual"),
    [
        (("", "b"), "found ''"),
        (("a\nb", "b"), r"found 'a\nb'"),
        ((3, "b"), "found (3, 'b')"),
        (("\ud800", "b"), r"found '\ud800'"),
        (("n" * 256, "b"), "found 'nnnnn"),
        (("a",), "expected two, found 1"),
        (("a", "b", "c"), "expected two, found 3"),
        (("a", "a"), "expected two different names, found 'a' twice"),
    ],
)
def test_names_of_arrays_are_two_different_ones(names, actual):
    losses = np.arange(8.0).reshape(4, 2)
    with pytest.raises(DelveError) as caught:
        dv.compare(losses, losses + 1, names=names)
    assert str(caught.value).startswith("names: ")
    assert actual in str(caught.value)
    assert str(caught.value).isprintable()
