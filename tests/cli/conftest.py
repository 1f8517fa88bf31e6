"""Fixtures for the tests of commands."""

import shutil

import pytest

from tests.archives import feature_archive, small_archive
from tests.cli.demo_archive import demo_archive


def active(root, monkeypatch):
    """Activate a delve directory through DELVE_PATH, with the working directory outside of it."""
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.chdir(root.parent)
    return root


@pytest.fixture
def small(tmp_path, monkeypatch):
    return active(demo_archive(tmp_path), monkeypatch)


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """The small archive of two methods, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return active(small_archive(tmp_path), monkeypatch)


@pytest.fixture
def features(tmp_path, monkeypatch):
    """The archive with groups, sequences, strata and loss matrices."""
    return active(feature_archive(tmp_path), monkeypatch)


@pytest.fixture
def root(made, monkeypatch):
    """The archive `made` of a module, which all its tests share and only read."""
    monkeypatch.setenv("DELVE_PATH", str(made))
    return made


@pytest.fixture
def own(made, tmp_path, monkeypatch):
    """A copy that a test may change."""
    copy = shutil.copytree(made, tmp_path / made.name)
    monkeypatch.setenv("DELVE_PATH", str(copy))
    return copy
