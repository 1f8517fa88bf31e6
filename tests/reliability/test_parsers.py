"""Five parsers that meet strangers' files raise the errors that they promise, and no others."""

import time

import pytest

from tests.reliability.coverage_guided import PARSERS, search

SECONDS = 720
"""Of the wide search in each parser, an hour together."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_inputs_that_reach_new_lines_raise_no_other_error(name: str):
    failed = [(error, content[:300]) for content, error in search(name, lambda tried: tried < 150) if error]
    assert failed == []


@pytest.mark.slow
@pytest.mark.wide
@pytest.mark.parametrize("name", PARSERS)
def test_an_hour_of_such_inputs_raises_no_other_error(name: str):
    end = time.monotonic() + SECONDS
    match = search(name, lambda tried: time.monotonic() < end, seed=time.time_ns())
    assert [(error, content[:300]) for content, error in match if error] == []
