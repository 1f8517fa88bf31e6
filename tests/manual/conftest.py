"""Fixtures: the commands of the manual, run on a small archive."""

import pytest

from tests.archives import feature_archive
from tests.cli.conftest import small

__all__ = ["small"]


@pytest.fixture
def features(tmp_path, monkeypatch):
    """The archive with groups, sequences, strata and loss matrices, active likewise."""
    root = feature_archive(tmp_path)
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.chdir(tmp_path)
    return root


@pytest.fixture
def method(small):
    """The directory of a new method."""
    directory = small / "methods/mymethod"
    directory.mkdir()
    return directory
