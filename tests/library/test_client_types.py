"""A program that uses the library is checked by mypy: wrong names and wrong options are errors."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENT = """\
import delvecore as dv

ranking: dv.Ranking = dv.rank("scores.csv", higher_is_better=True)
sentence: str = ranking.sentence
archive: dv.Archive = dv.open()
dv.datasets.from_file("cars.csv", target="price", into="delve-mine")
dv.rnak("scores.csv")
dv.rank("scores.csv", higher_is_beter=True)
dv.compare("scores.csv", level="high")
number: int = dv.rank("scores.csv")
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_mypy_rejects_wrong_names_and_options_and_accepts_the_rest(tmp_path):
    client = tmp_path / "client.py"
    client.write_text(CLIENT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--ignore-missing-imports"]
    command += ["--follow-imports=silent", f"--cache-dir={tmp_path}", str(client)]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout
    errors = [line for line in answer.splitlines() if ": error: " in line]
    assert [int(line.split(":")[1]) for line in errors] == [7, 8, 9, 10], answer
    assert 'no attribute "rnak"' in errors[0]
    assert '"higher_is_beter"' in errors[1]
