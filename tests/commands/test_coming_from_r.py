"""Every call that `docs/coming-from-R.md` names exists and runs on the archive that ships with the program."""

import re
import shlex
from pathlib import Path

import pytest

from delvecore.commands import delve

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "coming-from-R.md"
# The functions of the package that a reader comes with.
FUNCTIONS = (
    *("pairedComparisons", "CDdiagram.Nemenyi", "CDdiagram.BD", "signifDiffs", "rankWorkflows"),
    *("topPerformers", "topPerformer", "metricsSummary", "estimationSummary", "results2table", "subset"),
    *("mergeEstimationRes", "metricNames", "workflowNames", "taskNames", "getScores"),
)


def rows():
    """The cells of each line of the table."""
    lines = [line for line in DOCUMENT.read_text().splitlines() if line.startswith("| ")][1:]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if "---" not in line
    ]


def calls(column):
    return sorted({text for row in rows() for text in re.findall(r"`([^`]+)`", row[column])})


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """What the lines above the table define."""
    block = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
    known = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("DELVE_PATH", raising=False)
        exec(compile(block, str(DOCUMENT), "exec"), known)
    return known


def test_all_functions_are_named():
    first = " ".join(row[0] for row in rows())
    assert [name for name in FUNCTIONS if f"`{name}(" not in first] == []


def test_the_python_calls_run(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("task,a,b\none,1,2\ntwo,2,3\n")
    found = [call for call in calls(2) if "(" in call or call.startswith(("scores", "table"))]
    assert len(found) > 20
    for call in found:
        assert eval(call, dict(names)) is not None, call


def test_the_figures_are_there():
    for name in (call for call in calls(2) if call.startswith("dashboard.")):
        assert (DOCUMENT.parent.parent / (name.replace(".", "/") + ".py")).is_file(), name


def test_the_commands_run(run_command, tmp_path, monkeypatch):
    """On the smallest dataset, where the command names none."""
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("task,a,b\none,1,2\ntwo,2,3\n")
    # One run with every option of an archive, for each run reads it anew.
    words = {word for call in calls(1) if call.startswith("delve rank ") for word in shlex.split(call)[2:]}
    assert words >= {"--control", "--alpha", "--format", "--higher-is-better"}
    options = ["--control", "lin-1", "--alpha", "0.1", "--format", "json"]
    for arguments in (["/demo", *options], ["scores.csv", "--higher-is-better"]):
        outcome = run_command(delve.main, "rank", *arguments)
        assert (outcome.code, bool(outcome.out)) == (0, True), outcome.err
