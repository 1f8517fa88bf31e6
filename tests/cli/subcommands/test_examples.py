"""`delve examples` writes what the tutorials use, which start from an empty directory."""

import json
import os
from pathlib import Path

import pytest

from delvecore.cli.delve import main
from delvecore.locations import EXAMPLES
from docs.run_blocks import ROOT, blocks_of

PAGES = (
    "tutorial-dataset",
    "importing",
    "case-results",
    "running",
    "sharing",
    "tutorial-scores",
    "tables-for-papers",
)


def test_example_files_are_written_into_a_new_directory_and_nothing_is_replaced(tmp_path, run_command):
    outcome = run_command(main, "examples", "new", directory=tmp_path)
    assert outcome.code == 0
    names = sorted(os.listdir(tmp_path / "new"))
    assert outcome.out.startswith("new/: ")
    assert sorted(outcome.out.removeprefix("new/: ").strip().split(", ")) == names
    assert {"cars.csv", "scores.csv", "my-method", "experiment.ipynb"} <= set(names)
    assert os.access(tmp_path / "new" / "my-method", os.X_OK)
    for name in names:
        if name.endswith(".ipynb"):
            assert json.loads((tmp_path / "new" / name).read_text())["cells"]
    again = run_command(main, "examples", "new", directory=tmp_path)
    assert again.code == 1
    assert "new: expected no cars.csv yet, found one" in again.err


def test_an_example_program_is_a_method(tmp_path, run_command, monkeypatch):
    assert run_command(main, "examples", ".", directory=tmp_path).code == 0
    words = "run", "--command", "./my-method", "/demo/age/std.32", "--into", "delve-mine", "-q"
    outcome = run_command(main, *words, directory=tmp_path)
    assert (outcome.code, outcome.err) == (0, "")
    assert ", 0 failed" in outcome.out


@pytest.mark.parametrize("page", PAGES)
def test_a_tutorial_hides_no_step(page):
    blocks = blocks_of((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    assert [block.before for block in blocks if block.before and block.reason is None] == []


def test_all_example_files_are_in_the_wheel():
    text = Path(ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'= "delvecore/examples/{name}"' in text for name in EXAMPLES)
