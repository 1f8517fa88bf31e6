"""Completion in shells: the words that are found, and the scripts that ask for them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from delvecore.cli import delve
from delvecore.losses.standard_losses import LOSSES
from tests.cli.test_start_up import HEAVY

ROOT = Path(__file__).resolve().parents[3]


def asked(line: str, shell: str = "bash") -> dict[str, str]:
    """The environment in which a shell asks what completes a line."""
    asking = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": shell, "_ARGCOMPLETE_IFS": "\n"}
    return {**asking, "_ARGCOMPLETE_SUPPRESS_SPACE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}


@pytest.fixture
def words(monkeypatch, tmp_path) -> Callable[[str], list[str]]:
    """What completes the end of a command line; the last word is the one being typed, maybe empty."""

    def leave(code: int) -> None:
        raise SystemExit(code)

    def complete(line: str) -> list[str]:
        answer = tmp_path / "completions"
        answer.write_text("")
        name = line.split(" ", 1)[0]
        for variable, value in {**asked(line), "_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}.items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setattr(os, "_exit", leave)
        # Its stream for debugging is a file descriptor that may be another's here.
        monkeypatch.setattr("argcomplete.finders.CompletionFinder._init_debug_stream", lambda finder: None)
        monkeypatch.setattr("argcomplete.io.debug_stream", sys.__stderr__)
        with pytest.raises(SystemExit, match="0"):
            import_module(f"delvecore.cli.{name}").main([])
        return sorted(answer.read_text().split("\n")) if answer.read_text() else []

    return complete


def test_dpaths_of_the_merged_hierarchy_are_completed(words, small) -> None:
    assert words("dinfo /") == ["/demo/"]
    assert words("dinfo /de") == ["/demo/"]
    assert words("dinfo /demo/") == ["/demo/Source/", "/demo/age/", "/demo/sex/"]
    assert words("dls /demo/s") == ["/demo/sex/"]
    assert words("dinfo /demo/age/std") == ["/demo/age/std.4", "/demo/age/std.8"]
    assert words("dls /demo/age/") == []


def test_files_are_completed_where_a_command_takes_files(words, small) -> None:
    assert words("dmore /demo/D") == ["/demo/Dataset.data", "/demo/Dataset.spec"]
    assert words("dcheck /demo/age/s") == ["/demo/age/std.prior"]
    assert words("mmore /line/") == ["/line/Summary", "/line/demo/"]


def test_a_method_path_may_stand_for_a_data_path(words, small) -> None:
    assert words("dinfo /li") == ["/line/"]
    assert words("dinfo /line/demo/a") == ["/line/demo/age/"]


def test_mpaths_are_completed(words, small) -> None:
    assert words("mstats /") == ["/base/", "/line/"]
    assert words("mstats /line/demo/age/") == ["/line/demo/age/std.4/", "/line/demo/age/std.8/"]


def test_relative_paths_are_completed_in_the_merged_hierarchy(words, small, monkeypatch) -> None:
    monkeypatch.chdir(small / "data/demo")
    assert words("dinfo ") == ["Source/", "age/", "sex/"]
    assert words("dinfo age/v") == ["age/vague.4", "age/vague.8"]
    monkeypatch.chdir(small / "methods/line")
    assert words("mstats demo/se") == ["demo/sex/"]
    assert words("mstats ../b") == ["../base/"]


def test_true_paths_are_completed_where_a_command_writes(words, small, monkeypatch) -> None:
    monkeypatch.chdir(small)
    assert words("mgendata methods/l") == ["methods/line/"]
    assert words(f"dgenproto {small}/data/demo/a") == [f"{small}/data/demo/age/"]
    assert "/demo/" in words("mgendir /de")


def test_options_are_completed(words, small) -> None:
    assert words("dinfo -") == ["--follow-links", "-a", "-h", "-k", "-q", "-t", "-v"]
    assert words("dinfo -- -") == []
    assert words("mloss -q -") == ["--follow-links", "--scheduler", "-h", "-i", "-j", "-l", "-q", "-v"]


def test_values_of_options_are_completed(words, small, monkeypatch) -> None:
    assert words("mstats -c ") == ["base", "line"]
    assert words("mloss -l ") == sorted(LOSSES)
    assert words("mloss -qi ") == ["all"]
    assert words("mtable -f l") == ["latex"]
    assert words("dgenorder -s ") == []
    monkeypatch.chdir(small / "data")
    assert words("mgendata -c demo/S") == ["demo/Source/", "demo/Summary"]
    assert words("dinfo -k pro") == []
    monkeypatch.chdir(small / "data/demo")
    assert words("dinfo -k pro") == ["prototasks"]


def test_sub_commands_of_delve_are_completed(words, small) -> None:
    assert words("delve ") == sorted(delve.COMMANDS)
    assert words("delve --") == ["--help", "--version"]
    assert words("delve da") == ["dashboard"]
    assert words("delve completion ") == ["bash", "fish", "zsh"]
    assert words("delve completion --") == ["--help"]
    assert words("delve run li") == ["lin-1"]
    assert words("delve run lin-1 /demo/age/std.4") == ["/demo/age/std.4"]
    assert words("delve run --keep ") == ["all", "losses", "predictions"]
    assert words("delve run --keep all li") == ["lin-1"]
    assert words("delve run --l") == ["--list"]
    assert words("delve measures b") == ["base"]
    assert words("delve measures base /demo/se") == ["/demo/sex/"]
    assert words("delve measures --format ") == ["csv", "json", "text"]
    assert words("delve rank --zeros ") == ["drop", "pratt"]
    assert words("delve rank /demo/se") == ["/demo/sex/"]
    assert words("delve pack b") == ["base"]
    assert words("delve pack --data d") == ["demo"]
    assert "/demo/age/" in words("delve table /demo/")
    assert words("delve table --methods l") == ["line"]
    assert {"A", "L", "Q", "S", "Z", "auc", "macroF"} <= set(words("delve table --loss "))
    assert "rpp" not in words("delve rank --loss ")  # neither high nor low values are better
    assert words("mstats -l au") == ["auc"]
    assert words("mloss -l au") == []
    assert words("delve table --format latex-") == ["latex-siunitx"]
    assert words("delve array --table e") == ["effects", "estimates"]
    assert words("delve array --reference ") == ["base", "line"]
    assert words("delve array --level ") == []
    assert words("delve nothing x") == []


def test_names_of_arrays_are_completed(words, small) -> None:
    assert words("delve array t") == []
    (small / "data" / "toy").mkdir()
    (small / "data" / "toy" / "Array.spec").write_text("", encoding="utf-8")
    assert words("delve array t") == ["toy"]


@pytest.mark.parametrize(
    "line", ["dinfo /gone/x", "dinfo /../", "mstats -c", "mgendata gone/x", "delve x ", "dinfo -k /"]
)
def test_what_cannot_be_completed_gives_no_words_and_no_message(line: str, words, small, capfd) -> None:
    assert words(line) == [] or line == "mstats -c"
    assert capfd.readouterr() == ("", "")


def test_no_archive_at_all_gives_no_words(words, tmp_path, monkeypatch, capfd) -> None:
    monkeypatch.setattr("delvecore.cli.support.context.default_directories", list)
    monkeypatch.delenv("DELVE_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    assert words("dinfo /") == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("line", ["mstats -c l", "delve r"])
def test_completing_imports_neither_pandas_nor_plotly_nor_streamlit_nor_scikit_learn(
    line: str, small, monkeypatch, tmp_path
) -> None:
    monkeypatch.chdir(small)
    name, answer = line.split(" ")[0], tmp_path / "completions"
    code = (
        f"import os, sys; from delvecore.cli.{name} import main\n"
        "os._exit = lambda code: (print(*sys.modules), sys.stdout.flush(), sys.exit(code))\n"
        "main([])"
    )
    environment = {**os.environ, **asked(line), "PYTHONPATH": str(ROOT)}
    environment["_ARGCOMPLETE_STDOUT_FILENAME"] = str(answer)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert answer.read_text()
    assert not HEAVY & set(done.stdout.decode().split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_serves_all_commands_and_has_no_faults_of_syntax(shell: str, run_command, tmp_path) -> None:
    outcome = run_command(delve.main, "completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for name in ("delve", *delve.CLASSIC):
        assert f" {name}" in outcome.out
    if shutil.which(shell):
        (tmp_path / "script").write_text(outcome.out)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)


@pytest.mark.parametrize("arguments", [[], ["csh"], ["bash", "zsh"]])
def test_unknown_shell_is_wrong_usage(arguments: list[str], run_command) -> None:
    outcome = run_command(delve.main, "completion", *arguments)
    assert outcome == (2, "", "usage: delve completion bash|zsh|fish; delve completion --help explains it\n")


SHELLS = {
    "bash": (
        'eval "$(delve completion bash)"\n'
        "complete -p {name} >/dev/null || exit 1\n"
        "COMP_WORDS=({line}) COMP_CWORD={last} COMP_LINE='{line}' COMP_POINT={length} COMP_TYPE=9\n"
        '_python_argcomplete {name}\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    ),
    "fish": "delve completion fish | source\ncomplete -C '{line}'\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_shell_completes_what_was_typed(shell: str, small, tmp_path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "bin").mkdir()
    for command in ("delve", "dinfo", "mstats"):
        script = tmp_path / "bin" / command
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m delvecore.cli.{command} "$@"\n')
        script.chmod(0o755)
    # What the user's own shell is set up to do, or writes there beside other shells, does not count.
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(tmp_path))
    environment = {**os.environ, **homes, "PYTHONPATH": str(ROOT), "BASH_ENV": ""}
    environment["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for line, expected in {
        "dinfo /demo/a": "/demo/age/",
        "delve da": "dashboard",
        "mstats -c l": "line",
    }.items():
        name, *rest = line.split(" ")
        text = SHELLS[shell].format(name=name, line=line, last=len(rest), length=len(line))
        done = subprocess.run([shell, "-c", text], env=environment, capture_output=True, check=True)
        found = [line.split("\t")[0].strip() for line in done.stdout.decode().split("\n") if line]
        assert found == [expected], done.stderr.decode()


def test_names_in_a_file_of_scores_are_completed(words, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text("dataset,method,fold,acc\na,svm,0,0.5\na,rf,0,0.6\nb,svm,0,0.7\n")
    assert words("delve rank scores.csv --keep s") == ["svm"]
    assert words("delve rank scores.csv --drop ") == [
        "a",
        "acc",
        "b",
        "dataset",
        "fold",
        "method",
        "rf",
        "svm",
    ]
    assert words("delve rank scores.csv --value a") == ["acc"]
    assert words("delve rank missing.csv --keep ") == []


def test_sheets_of_a_workbook_of_scores_are_completed(words, tmp_path, monkeypatch) -> None:
    pytest.importorskip("openpyxl")
    monkeypatch.chdir(tmp_path)
    scores = pd.DataFrame({"dataset": ["a", "b"], "svm": [0.5, 0.6], "rf": [0.6, 0.7]})
    with pd.ExcelWriter("scores.xlsx") as writer:
        for sheet in ("first", "second", "third"):
            scores.to_excel(writer, sheet_name=sheet, index=False)
    assert words("delve rank scores.xlsx --sheet ") == ["second", "third"]
