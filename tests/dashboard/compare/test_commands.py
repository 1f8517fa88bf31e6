"""Commands that the page shows run as they stand, whatever methods are called."""

import subprocess

import pytest

from dashboard.compare.choice import Request
from dashboard.compare.classes import measures_command
from dashboard.compare.data import mstats_command
from delvecore.cli.mstats import main as mstats
from delvecore.stats.choose import Setting
from tests.archives import small_archive
from tests.dashboard.compare_archive import AGE, SHADE, add_losses, drawn_losses

NAMES = ("Random Forest", 'l\'x "y"', "größe 中", "$(touch here)", "plain", "--x;y")


def words_of(command: str) -> list[list[str]]:
    """The words of each command of a line, as a shell hands them over."""
    script = f'show() {{ printf "%s\\0" "$@"; echo; }}\n{command.replace("mstats ", "show mstats ")}'
    script = script.replace("delve measures", "show delve measures")
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    return [line.split("\0")[:-1] for line in done.stdout.splitlines()]


@pytest.fixture
def archive(tmp_path, monkeypatch):
    root = small_archive(tmp_path)
    for number, name in enumerate(NAMES):
        add_losses(root, name, AGE, "S", drawn_losses(number, (2, 4), shift=number))
    monkeypatch.setenv("DELVE_PATH", str(root))
    return root


@pytest.mark.parametrize("reference", NAMES[:5])
def test_the_commands_of_a_comparison_compare_the_reference_with_each_other_method(
    archive, capsys, reference
):
    command = mstats_command(Request("state", AGE, "S", NAMES[:5], reference=reference))
    for program, *words in words_of(command):
        assert (program, mstats(words)) == ("mstats", 0)
    printed = capsys.readouterr().out
    others = set(NAMES[:5]) - {reference}
    assert {name for name in others if f"{name}{AGE}" not in printed and name not in printed} == set()


@pytest.mark.parametrize("name", ["a b", "a,b"])
def test_the_command_means_one_method_where_every_word_of_its_name_is_another(archive, capsys, name):
    for number, method in enumerate(("a", "b", name)):
        add_losses(archive, method, AGE, "S", drawn_losses(number, (2, 4), shift=number))
    command = mstats_command(Request("state", AGE, "S", ("plain", name), reference="plain"))
    ((program, *words),) = words_of(command)
    assert (program, mstats(words)) == ("mstats", 0)
    printed = capsys.readouterr().out
    assert f"Estimated expected loss for /{name}:" in printed
    assert "loss for /a:" not in printed


@pytest.mark.parametrize("method", NAMES)
def test_the_command_of_the_measures_names_the_method_and_the_task(method):
    request = Request("state", SHADE, "Z", (method,), reference=method, setting=Setting(0.9))
    assert words_of(measures_command(request, method)) == [
        ["delve", "measures", method, SHADE, "--level", "0.9"]
    ]


def test_names_without_blanks_stay_in_one_list(archive):
    command = mstats_command(Request("state", AGE, "S", ("one", "two", "plain"), reference="plain"))
    assert command == f"mstats -l S -c 'one two' /plain{AGE}"
