"""Fixtures: the commands of the manual, run on a small archive."""

import pytest

from tests.cli.conftest import features, small

__all__ = ["features", "small"]


@pytest.fixture
def method(small):
    """The directory of a new method."""
    directory = small / "methods/mymethod"
    directory.mkdir()
    return directory
