"""What the small commands do not wait for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"pandas", "plotly", "sklearn", "streamlit"}
SMALL_COMMANDS = ("dinfo", "dls", "dmore", "minfo", "mls", "mmore", "mstats")


@pytest.mark.parametrize("command", SMALL_COMMANDS)
def test_small_commands_import_neither_pandas_nor_plotly_nor_streamlit_nor_scikit_learn(
    command: str, small: Path
) -> None:
    arguments = {"dmore": ["/demo/Summary"], "mmore": ["/line/Summary"], "mstats": ["-c", "base", "/line"]}
    code = (
        f"import json, sys, delvecore.cli.{command} as command\n"
        f"code = command.main({arguments.get(command, ['/'])!r})\n"
        "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    exit_code, modules = json.loads(result.stderr.splitlines()[-1])
    assert exit_code == 0
    assert not HEAVY & set(modules)
