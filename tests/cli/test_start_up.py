"""What the small commands do not wait for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {"pandas", "plotly", "sklearn", "streamlit"}
CALLS = "dinfo /; dls /; dmore /demo/Summary; minfo /; mls /; mmore /line/Summary; mstats -c base /line"
PROGRAM = """
import importlib, json, sys
codes = {}
for call in sys.argv[1].split("; "):
    command, *arguments = call.split()
    codes[command] = importlib.import_module("delvecore.cli." + command).main(arguments)
print(json.dumps([codes, sorted(sys.modules)]), file=sys.stderr)
"""


@pytest.mark.slow
def test_small_commands_import_neither_pandas_nor_plotly_nor_streamlit_nor_scikit_learn(small):
    command = [sys.executable, "-c", PROGRAM, CALLS]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(command, env=environment, capture_output=True, check=True)
    codes, modules = json.loads(result.stderr.splitlines()[-1])
    assert (len(codes), set(codes.values())) == (7, {0})
    assert not HEAVY & set(modules)
