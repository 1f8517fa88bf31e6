"""Running a command inside the test's process, and what it printed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Runner:
    """Runs a command's `main` in a directory with a DELVE_PATH, and captures what it prints."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        self._monkeypatch, self._capture = monkeypatch, capfdbinary

    def __call__(
        self,
        main: Callable[[list[str]], int],
        *arguments: str,
        directory: Path | None = None,
        path: Path | str | None = None,
    ) -> Outcome:
        if path is not None:
            self._monkeypatch.setenv("DELVE_PATH", str(path))
        if directory is not None:
            self._monkeypatch.chdir(directory)
        code = main(list(arguments))
        out, err = self._capture.readouterr()
        return Outcome(code, out.decode(), err.decode())
