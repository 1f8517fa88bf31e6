"""The commands start fast: what they need of the statistics loads nothing heavy."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LIGHT = ("anova", "distributions", "mstats_records", "standardization", "sums")
HEAVY = {
    "asyncio",
    "inspect",
    "json",
    "multiprocessing",
    "numpy",
    "pathlib",
    "pyarrow",
    "scipy",
}


@pytest.mark.parametrize("module", LIGHT)
def test_light_modules_import_nothing_heavy(module):
    code = (
        f"import sys; before = set(sys.modules); import delvecore.stats.losses.{module}; print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert not HEAVY.intersection(loaded.stdout.split())


def test_results_do_not_need_scipy():
    code = "import sys; import delvecore.stats.losses.results; print('scipy' in sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert loaded.stdout == "False\n"
