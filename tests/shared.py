"""Where real data and recorded sessions lie beside the project, for tests that can use them."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_path(name: str) -> Path:
    """Return a file or directory beside the project, or skip the test and say why."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"../shared/{name} is not beside the project")
    return path
