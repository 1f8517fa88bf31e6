"""Figures and recorded sessions that tests compare with: those in `tests/data/golden`, and real data and a further
session that lie beside the project. Tests of the latter are marked `shared`, and left out where there are none."""

from collections.abc import Container, Iterable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).with_name("data") / "golden"
SHARED = Path(__file__).resolve().parents[2] / "shared"
SESSION = "golden/delve-session.tar.gz"  # beside the project: it holds data of others


def golden_path(name: str) -> Path:
    """Return a file of figures that stands in the project's tests."""
    return GOLDEN / name


def shared_path(name: str) -> Path:
    """Return a file or directory beside the project."""
    return SHARED / name


def shared_cases(name: str, cases: Iterable[object], wide: Container[object] = ()) -> list[object]:
    """Return the cases of a parametrized test of a file or directory beside the project; where it is absent, one
    that is left out. wide: the cases that take long."""
    if (SHARED / name).exists():
        return [pytest.param(case, marks=pytest.mark.wide) if case in wide else case for case in cases]
    return [pytest.param(None, marks=pytest.mark.shared, id="absent")]
