"""The notebook, the calls for those who come from other libraries, and the examples of the library run as they stand."""

import contextlib
import io
import json
import re

import pytest

from delvecore.cli.delve import main
from docs.run_notebook import CASES, EXPERIMENT, NOTEBOOK, ran
from tests.test_docs import code_block, document


@pytest.fixture(scope="module")
def stored():
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_notebook_shows_what_its_cells_give(stored):
    outputs = ran(stored)
    for cell, again in zip(stored["cells"], outputs["cells"], strict=True):
        assert texts(cell) == texts(again), "python -m docs.run_notebook"


@pytest.mark.slow
def test_the_experiment_of_five_models_on_six_datasets_runs_to_its_answer():
    # Numbers depend on the version of scikit-learn; what is answered does not.
    cells = [
        cell for cell in ran(json.loads(EXPERIMENT.read_text(encoding="utf-8")))["cells"] if "outputs" in cell
    ]
    shown = ["".join(text for one in texts(cell) if one for text in one) for cell in cells]
    assert "over 12 tasks of 6 datasets" in shown[1]
    assert shown[1].count("<svg") == 1
    assert shown[4].startswith("((), (")  # nothing failed; what was encoded is noted


@pytest.mark.slow
def test_the_notebook_of_single_cases_has_the_p_of_scipy():
    cells = [
        cell for cell in ran(json.loads(CASES.read_text(encoding="utf-8")))["cells"] if "outputs" in cell
    ]
    shown = ["".join(text for one in texts(cell) if one for text in one) for cell in cells]
    assert "285 test cases of one run" in shown[2]
    *_, by_scipy, ours = shown[3].split()
    assert float(ours) == pytest.approx(float(by_scipy))
    assert float(shown[4].split()[1]) > float(ours)


def texts(cell):
    """What a cell shows as text or HTML; figures are only counted."""
    outputs = cell.get("outputs", [])
    return [
        output.get("text") or output["data"].get("text/html", output["data"].get("text/plain"))
        for output in outputs
    ]


def test_the_notebook_ranks_in_no_more_lines_than_autorank_needs(stored):
    # from autorank import ...; data = ...; result = autorank(data); create_report(result); plot_stats(result);
    # latex_table(result), with an import of pandas.
    first = next(cell for cell in stored["cells"] if cell["cell_type"] == "code")
    lines = [line for line in "".join(first["source"]).splitlines() if line.strip()]
    assert len(lines) <= 5
    shown = "".join(first["outputs"][0]["data"]["text/html"])
    assert [part for part in ("best mean rank", "<svg", "<table") if part not in shown] == []


def rows(text):
    lines = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


@pytest.mark.slow
def test_the_calls_for_those_who_come_from_other_libraries_run(tmp_path):
    runs = tmp_path / "runs.csv"
    scores = [f"d{task},{name},{seed},0.{task}{seed}\n" for task in "678" for name in "ab" for seed in "123"]
    runs.write_text("".join(["dataset,method,seed,accuracy\n", *scores]))
    text = document("coming-from-python.md")
    names = {}
    exec(compile(code_block(text, language="python"), "coming-from-python.md", "exec"), names)
    calls = [call for row in rows(text) if len(row) == 3 for call in re.findall(r"`([^`]+)`", row[1])]
    assert len(calls) > 25
    for call in calls:
        if call.startswith("delve rank "):
            assert main(call.replace("runs.csv", str(runs)).split()[1:]) == 0
            continue
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            assert eval(call, dict(names)) is not None or printed.getvalue(), call
