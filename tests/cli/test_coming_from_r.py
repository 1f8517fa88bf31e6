"""Every call that `docs/coming-from-R.md` names exists and runs on the archive that ships with the program."""

import re
import shlex
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from delvecore.cli import delve
from tests.archives import feature_archive, small_archive

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "coming-from-R.md"
TOPICS_TITLE = "## All topics of the manual"


def rows():
    """The cells of each line of the table."""
    return cells(DOCUMENT.read_text().partition(TOPICS_TITLE)[0])


def cells(text):
    lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if "---" not in line
    ]


def calls(column):
    return sorted({text for row in rows() for text in re.findall(r"`([^`]+)`", row[column])})


@pytest.fixture(scope="module")
def names(whole_archive):
    """What the lines above the table define."""
    block = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
    known = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(whole_archive))
        patch.delenv("DELVE_PATH", raising=False)
        exec(compile(block, str(DOCUMENT), "exec"), known)
    return known


def test_the_python_calls_run(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("task,a,b\none,1,2\ntwo,2,3\n")
    called = [call for call in calls(2) if "(" in call or call.startswith(("scores", "table"))]
    assert len(called) > 20
    for call in called:
        assert eval(call, dict(names)) is not None, call


def topics():
    return cells(DOCUMENT.read_text().partition(TOPICS_TITLE)[2])


def test_all_topics_of_the_manual_are_there_in_their_order_with_what_they_are_here():
    told = re.findall(r"^\| R (\S+) \|", (DOCUMENT.parent / "manual-coverage.md").read_text(), re.MULTILINE)
    assert [row[0] for row in topics()] == told
    assert len(told) == 50
    assert [row[0] for row in topics() if not (row[1] or row[2])] == []


@pytest.mark.slow
def test_the_python_calls_of_the_topics_run(names, whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    called = {call for row in topics() for call in re.findall(r"`([^`]+)`", row[2])}
    for call in sorted(called - set(calls(2))):
        assert eval(call, dict(names)) is not None, call


@pytest.mark.slow
def test_the_commands_of_the_topics_run(run_command, whole_archive, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r"```toml\n# (\w+\.toml)\n(.*?)```", DOCUMENT.read_text(), re.DOTALL):
        Path(name).write_text(text)
    for name, method in (("delve-a", "lin-1"), ("delve-b", "base-1")):
        small_archive(tmp_path, name)
        if method == "base-1":
            shutil.rmtree(tmp_path / name / "methods/one")
            shutil.rmtree(tmp_path / name / "data")
            (tmp_path / name / "data").mkdir()
    for command in dict.fromkeys(command for row in topics() for command in re.findall(r"`([^`]+)`", row[1])):
        words = shlex.split(command)
        if "river.toml" in words:
            words += ["/river/flow", "--into", "delve-mine"]
            monkeypatch.setenv("DELVE_PATH", str(feature_archive(tmp_path)))
        main = import_module(f"delvecore.cli.{words[0]}").main
        outcome = run_command(main, *words[1:])
        monkeypatch.delenv("DELVE_PATH", raising=False)
        assert outcome.code == 0, (command, outcome.err)
        assert outcome.out or "-o" in words, command


def test_the_figures_are_there():
    named = [call for call in calls(2) if call.startswith("delvecore.plots.")]
    assert named
    for name in named:
        assert (DOCUMENT.parent.parent / (name.replace(".", "/") + ".py")).is_file(), name


def test_estimation_methods_are_instances(run_command, whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    monkeypatch.delenv("DELVE_PATH", raising=False)
    commands = [call for call in calls(1) if call.startswith("delve instances ")]
    assert len(commands) == 5
    for command in commands:
        outcome = run_command(delve.main, *shlex.split(command)[1:], "-o", "-")
        assert (outcome.code, "Scheme: " in outcome.out) == (0, True), (command, outcome.err)


@pytest.mark.slow
def test_the_options_of_the_commands_exist(run_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("task,lin-1,b\none,1,2\ntwo,2,3\n")
    commands = [call for call in calls(1) if call.startswith("delve rank ") and "/" not in call]
    assert len(commands) > 3
    for command in commands:
        words = [word for word in shlex.split(command)[2:] if word != "scores.csv"]
        words += [] if "--higher-is-better" in words else ["--lower-is-better"]
        outcome = run_command(delve.main, "rank", "scores.csv", *words)
        assert (outcome.code, bool(outcome.out)) == (0, True), (command, outcome.err)
