"""The examples with other libraries run, where these are installed."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from docs.run_blocks import ROOT, blocks_of

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "other-libraries.md"
EXAMPLES = {
    block.reason.removeprefix("it needs "): block.text
    for block in blocks_of(PAGE.read_text(encoding="utf-8"))
    if block.reason
}


def test_the_page_has_an_example_for_each_library():
    assert set(EXAMPLES) == {"xgboost", "lightgbm", "catboost", "torch"}


@pytest.mark.parametrize("library", EXAMPLES)
def test_an_example_runs_and_prints_a_verdict(library, tmp_path):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    script = tmp_path / "example.py"
    script.write_text(EXAMPLES[library])
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()[:2]
    assert first.startswith("On ")
    assert "Tested by" in second
    assert "failed" not in first
