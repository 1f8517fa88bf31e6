"""Fixtures: the commands of the manual, run on a small archive."""

from pathlib import Path

import pytest

from tests.archives import feature_archive
from tests.cli.demo_archive import demo_archive
from tests.cli.running import Runner


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Runner:
    return Runner(monkeypatch, capfdbinary)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The archive `demo` of the commands' tests, active, with the working directory outside of it."""
    root = demo_archive(tmp_path)
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.chdir(tmp_path)
    return root


@pytest.fixture
def features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The archive with groups, sequences, strata and loss matrices, active likewise."""
    root = feature_archive(tmp_path)
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.chdir(tmp_path)
    return root


@pytest.fixture
def method(small: Path) -> Path:
    """The directory of a new method."""
    directory = small / "methods/mymethod"
    directory.mkdir()
    return directory
