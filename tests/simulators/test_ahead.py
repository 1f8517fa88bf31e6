"""Cases of several datasets are built by other processes, and what cannot be built stays away."""

import hashlib
import sys
from pathlib import Path

import pytest

from delvecore.model import Generator
from delvecore.simulators import simulate, simulated_text
from delvecore.simulators.simulate import build_ahead, is_built

NAMES = ("kin-8fm", "kin-8fh", "kin-8nm", "kin-8nh")


@pytest.fixture(scope="module")
def generators() -> dict[str, Generator]:
    sums = {name: hashlib.sha256(simulated_text(name)).hexdigest() for name in NAMES}
    return {f"/{name}/Dataset.generator": Generator(name, 8192, found) for name, found in sums.items()}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.mark.slow
def test_all_are_built_and_named_once(generators, monkeypatch, tmp_path):
    (tmp_path / "numpy.py").write_text("raise SystemExit('imported from the working directory')")
    monkeypatch.chdir(tmp_path)
    assert sorted(build_ahead(generators, cores=2)) == sorted(generators)
    assert all(map(is_built, generators.values()))
    assert list(build_ahead(generators, cores=2)) == []


@pytest.mark.slow
def test_what_cannot_be_built_stays_away(generators):
    wrong = {"wrong": Generator("kin-8fm", 8192, "0" * 64), "unknown": Generator("none", 1, "1" * 64)}
    assert sorted(build_ahead(wrong | generators, cores=2)) == sorted(generators)
    assert not any(map(is_built, wrong.values()))


def test_few_datasets_one_core_or_no_python_are_left_to_the_caller(generators, monkeypatch):
    assert list(build_ahead(dict(list(generators.items())[: simulate.FEWEST - 1]), cores=2)) == []
    assert list(build_ahead(generators, cores=1)) == []
    monkeypatch.setattr(sys, "executable", "")
    assert list(build_ahead(generators, cores=2)) == []
    assert not any(map(is_built, generators.values()))
