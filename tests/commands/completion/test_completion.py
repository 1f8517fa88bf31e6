"""Completion in shells: the words that the helper finds, and the scripts that call it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from delvecore.commands import delve
from delvecore.commands.completion.complete_words import complete
from delvecore.commands.frame.manual_pages import PAGES

ROOT = Path(__file__).resolve().parents[3]
HEAVY = {"numpy", "pyarrow", "pandas", "scipy", "dataclasses", "pathlib", "typing", "argparse", "inspect"}


def words(line: str) -> list[str]:
    """What completes the end of a command line; the last word is the one being typed, maybe empty."""
    *before, current = line.split(" ")
    return complete(before, current)


def test_dpaths_of_the_merged_hierarchy_are_completed(small) -> None:
    assert words("dinfo /") == ["/demo/"]
    assert words("dinfo /de") == ["/demo/"]
    assert words("dinfo /demo/") == ["/demo/Source/", "/demo/age/", "/demo/sex/"]
    assert words("dls /demo/s") == ["/demo/sex/"]
    assert words("dinfo /demo/age/std") == ["/demo/age/std.4", "/demo/age/std.8"]
    assert words("dls /demo/age/") == []


def test_files_are_completed_where_a_command_takes_files(small) -> None:
    assert words("dmore /demo/D") == ["/demo/Dataset.data", "/demo/Dataset.spec"]
    assert words("dcheck /demo/age/s") == ["/demo/age/std.prior"]
    assert words("mmore /line/") == ["/line/Summary", "/line/demo/"]


def test_a_method_path_may_stand_for_a_data_path(small) -> None:
    assert words("dinfo /li") == ["/line/"]
    assert words("dinfo /line/demo/a") == ["/line/demo/age/"]


def test_mpaths_are_completed(small) -> None:
    assert words("mstats /") == ["/base/", "/line/"]
    assert words("mstats /line/demo/age/") == ["/line/demo/age/std.4/", "/line/demo/age/std.8/"]


def test_relative_paths_are_completed_in_the_merged_hierarchy(small, monkeypatch) -> None:
    monkeypatch.chdir(small / "data/demo")
    assert words("dinfo ") == ["Source/", "age/", "sex/"]
    assert words("dinfo age/v") == ["age/vague.4", "age/vague.8"]
    monkeypatch.chdir(small / "methods/line")
    assert words("mstats demo/se") == ["demo/sex/"]
    assert words("mstats ../b") == ["../base/"]


def test_true_paths_are_completed_where_a_command_writes(small, monkeypatch) -> None:
    monkeypatch.chdir(small)
    assert words("mgendata methods/l") == ["methods/line/"]
    assert words(f"dgenproto {small}/data/demo/a") == [f"{small}/data/demo/age/"]
    assert "/demo/" in words("mgendir /de")


def test_options_are_completed(small) -> None:
    assert words("dinfo -") == ["-a", "-h", "-k", "-q", "-t", "-v"]
    assert words("dinfo -- -") == []
    assert words("mloss -q -") == ["-h", "-i", "-l", "-q", "-v"]


def test_values_of_options_are_completed(small, monkeypatch) -> None:
    assert words("mstats -c ") == ["base", "line"]
    assert words("mstats -l ") == ["A", "L", "Q", "S", "Z"]
    assert words("mloss -qi ") == ["all"]
    assert words("mtable -f l") == ["latex"]
    assert words("dgenorder -s ") == []
    monkeypatch.chdir(small / "data")
    assert words("mgendata -c demo/S") == ["demo/Source/", "demo/Summary"]
    assert words("dinfo -k pro") == []
    monkeypatch.chdir(small / "data/demo")
    assert words("dinfo -k pro") == ["prototasks"]


def test_sub_commands_of_delve_are_completed(small) -> None:
    assert words("delve ") == sorted([*delve.COMMANDS, "--help", "--version"])
    assert words("delve da") == ["dashboard"]
    assert words("delve completion ") == ["--help", "bash", "fish", "zsh"]
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
    assert words("delve table --loss ") == ["A", "L", "Q", "S", "Z"]
    assert words("delve table --format latex-") == ["latex-siunitx"]
    assert words("delve array --table e") == ["effects", "estimates"]
    assert words("delve array --reference ") == ["base", "line"]
    assert words("delve array --level ") == []
    assert words("delve nothing x") == []


@pytest.mark.parametrize(
    "line", ["dinfo /gone/x", "dinfo /../", "mstats -c", "mgendata gone/x", "nothing ", "dinfo -k /"]
)
def test_what_cannot_be_completed_gives_no_words_and_no_message(line: str, small, run_command) -> None:
    typed = line.split(" ")
    outcome = run_command(delve.main, "complete-words", str(len(typed) - 1), *typed)
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize(
    "arguments", [[], ["x"], ["1"], ["0", "dinfo"], ["9", "dinfo", "/"], ["-1", "dinfo"]]
)
def test_arguments_that_mean_nothing_give_no_words(arguments: list[str], small, run_command) -> None:
    outcome = run_command(delve.main, "complete-words", *arguments)
    assert (outcome.code, outcome.err) == (0, "")


def test_no_archive_at_all_gives_no_words(tmp_path, run_command, monkeypatch) -> None:
    monkeypatch.setattr("delvecore.commands.frame.context.default_directories", list)
    monkeypatch.delenv("DELVE_PATH", raising=False)
    assert run_command(delve.main, "complete-words", "1", "dinfo", "/", directory=tmp_path) == (0, "", "")


@pytest.mark.parametrize("line", ["dinfo /demo/", "mgendata m", "mstats -c l", "mloss -", "delve r"])
def test_helper_imports_nothing_heavy(line: str, small, monkeypatch) -> None:
    monkeypatch.chdir(small)
    typed = line.split(" ")
    code = (
        "import sys; from delvecore.commands import delve\n"
        f"delve.main(['complete-words', '{len(typed) - 1}', *{typed!r}])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, capture_output=True, check=True
    )
    assert done.stdout
    assert not HEAVY & set(done.stderr.decode().split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_serves_all_commands_and_has_no_faults_of_syntax(shell: str, run_command, tmp_path) -> None:
    outcome = run_command(delve.main, "completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for name in PAGES:
        assert " " in name or f" {name}" in outcome.out
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(outcome.out)
    subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)


@pytest.mark.parametrize("arguments", [[], ["csh"], ["bash", "zsh"]])
def test_unknown_shell_is_wrong_usage(arguments: list[str], run_command) -> None:
    outcome = run_command(delve.main, "completion", *arguments)
    assert outcome == (2, "", "usage: delve completion bash|zsh|fish; delve completion --help explains it\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [("dinfo /demo/a", "/demo/age/"), ("delve da", "dashboard"), ("mstats -c l", "line")],
)
def test_bash_completes_what_was_typed(line: str, expected: str, small) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    typed = line.split(" ")
    script = (
        f'delve() {{ "{sys.executable}" -m delvecore.commands.delve "$@"; }}\n'
        'eval "$(delve completion bash)"\n'
        f"complete -p {typed[0]} >/dev/null || exit 1\n"
        f"COMP_WORDS=({line}) COMP_CWORD={len(typed) - 1}\n"
        '_delve_complete\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, check=True)
    assert done.stdout.decode().split() == [expected]


@pytest.mark.parametrize(
    ("line", "expected"),
    [("dinfo /demo/a", "/demo/age/"), ("delve da", "dashboard"), ("mstats -c l", "line")],
)
def test_fish_completes_what_was_typed(line: str, expected: str, small) -> None:
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    script = (
        f'function delve; "{sys.executable}" -m delvecore.commands.delve $argv; end\n'
        f"delve completion fish | source\ncomplete -C '{line}'\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["fish", "-c", script], env=environment, capture_output=True, check=True)
    assert done.stdout.decode().split() == [expected]
