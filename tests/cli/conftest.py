"""Fixtures for the tests of commands."""

import pytest

from tests.cli.demo_archive import demo_archive


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A small delve directory, active through DELVE_PATH, with the working directory outside of it."""
    root = demo_archive(tmp_path)
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.chdir(tmp_path)
    return root
