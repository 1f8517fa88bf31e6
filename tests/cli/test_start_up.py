"""The small commands start fast because they import little."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    *("numpy", "pyarrow", "pandas", "scipy", "streamlit", "plotly", "argcomplete", "dataclasses", "inspect"),
    *("asyncio", "multiprocessing", "concurrent", "logging", "pathlib", "subprocess", "tempfile"),
)
LIGHT_COMMANDS = ("dinfo", "dls", "dmore", "minfo", "mls", "mmore", "mstats")


@pytest.mark.parametrize("command", LIGHT_COMMANDS)
def test_command_imports_nothing_heavy(command: str, small: Path) -> None:
    arguments = {"dmore": ["/demo/Summary"], "mmore": ["/line/Summary"], "mstats": ["-c", "base", "/line"]}
    code = (
        f"import sys, delvecore.cli.{command} as command\n"
        f"code = command.main({arguments.get(command, ['/'])!r})\n"
        "import json\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, capture_output=True, check=True
    )
    exit_code, modules = json.loads(result.stderr.splitlines()[-1])
    assert exit_code == 0
    assert not set(HEAVY) & set(modules)
