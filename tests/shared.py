"""Figures and recorded sessions that tests compare with: those in `tests/data/golden`, and real data and a further
session that lie beside the project, for tests that can use them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).with_name("data") / "golden"
SHARED = Path(__file__).resolve().parents[2] / "shared"
SESSION = "golden/delve-session.tar.gz"  # beside the project: it holds data of others


def golden_path(name: str) -> Path:
    """Return a file of figures that stands in the project's tests."""
    return GOLDEN / name


def shared_path(name: str) -> Path:
    """Return a file or directory beside the project, or skip the test and say why."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(_absence(name))
    return path


def shared_cases(name: str, cases: Iterable[object]) -> list[object]:
    """Return the cases of a parametrized test that needs what lies beside the project; one that is skipped and says
    why where it is absent."""
    if (SHARED / name).exists():
        return list(cases)
    return [pytest.param(None, marks=pytest.mark.skip(reason=_absence(name)), id="absent")]


def _absence(name: str) -> str:
    return f"../shared/{name} is not beside the project"
