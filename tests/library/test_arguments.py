"""Keyword arguments of `rank` and `compare`: each wrong one is told by its name, in one line."""

import inspect

import numpy as np
import pandas as pd
import pytest

import delvecore
from delvecore import DelveError
from tests.library.frames import METHODS, wide_frame

WRONG = [{"dataset": 1}, b"x", [1], np.zeros((2, 2)), len]
"""Values that no option can have."""


def long_table():
    rows = [(name, method, value) for name in "abcd" for method, value in (("x", 0.5), ("y", 0.6))]
    return pd.DataFrame(rows, columns=["dataset", "method", "accuracy"])


@pytest.mark.parametrize("function", [delvecore.rank, delvecore.compare])
def test_an_option_of_a_wrong_type_is_told_by_its_name(function):
    options = [name for name, one in inspect.signature(function).parameters.items() if one.kind == 3]
    assert len(options) > 20
    for name in options:
        for value in WRONG:
            with pytest.raises(DelveError, match=f"^{name}: expected .*, found ") as caught:
                function(long_table(), **{name: value})
            assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dataset": ["dataset"]}, r"^dataset: expected the name of a column.*, found \['dataset'\]$"),
        ({"higher_is_better": "yes"}, "^higher_is_better: expected True, False, or None, found 'yes'$"),
        ({"higher_is_better": 1}, "^higher_is_better: expected True, False, or None, found 1$"),
        ({"where": {"method": 1}}, "^where: expected a mapping from columns to texts, or None, found "),
        ({"failed": "left"}, "^failed: expected one of left out, worst, method out, found 'left'$"),
        ({"level": 95}, "^level: expected a level of confidence from 0.5 to below 1, found 95$"),
        ({"rope": float("nan")}, "^rope: expected a width of at least 0, found nan$"),
        ({"top": 1}, "^top: expected a whole number of at least 2, or None, found 1$"),
        ({"methods": "xy"}, "^methods: expected a list of names, or None, found 'xy'$"),
        ({"statistic": ""}, "^statistic: expected one of scaled, ranks, means, or None, found ''$"),
    ],
)
def test_a_wrong_value_is_told_with_what_was_expected(options, message):
    with pytest.raises(DelveError, match=message):
        delvecore.rank(long_table(), **options)


@pytest.mark.parametrize("more", [{}, {"higher_is_better": True}])
def test_an_unknown_option_is_told_with_those_that_there_are(more):
    with pytest.raises(DelveError) as caught:
        delvecore.rank(long_table(), minimize=True, **more)
    text = str(caught.value)
    assert "\n" not in text
    assert "one of the options higher_is_better, lower_is_better, dataset, method" in text
    assert text.endswith("found 'minimize'; did you mean lower_is_better=True?")
    with pytest.raises(DelveError, match="found 'datasets'; did you mean dataset"):
        delvecore.rank(long_table(), datasets="dataset")


def test_lower_is_better_is_the_other_direction():
    frame = pd.DataFrame({"dataset": ["a", "b", "c"], "x": [1.0, 2.0, 3.0], "y": [2.0, 3.0, 4.0]})
    assert delvecore.rank(frame, lower_is_better=True).methods == ("x", "y")
    assert delvecore.rank(frame, lower_is_better=False).methods == ("y", "x")
    with pytest.raises(DelveError, match="lower_is_better: expected one direction, found both"):
        delvecore.rank(frame, lower_is_better=True, higher_is_better=True)
    with pytest.raises(DelveError, match="lower_is_better: expected True, False, or None, found 'yes'"):
        delvecore.rank(frame, lower_is_better="yes")


def test_names_may_be_any_list_of_texts():
    values, names = wide_frame().to_numpy(), np.array(METHODS)
    ranked = delvecore.rank(values, methods=pd.Index(names), higher_is_better=np.True_)
    assert set(ranked.methods) == set(METHODS)
    chosen = delvecore.rank(wide_frame(), methods=names[:2], higher_is_better=True)
    assert set(chosen.methods) == set(METHODS[:2])
