"""-h prints a page in the manner of Unix manuals, for every command."""

import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from delvecore.cli import delve

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
COMMANDS = sorted(set(SCRIPTS) - {"delve"})
SUB_COMMANDS = sorted(delve.COMMANDS)
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "FILES", "ENVIRONMENT", "EXAMPLES", "EXIT STATUS"]


def titles(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith(" ")]


def page(run_command, name: str) -> str:
    """What the command prints when it is asked for help."""
    first, *rest = name.split()
    module = import_module(SCRIPTS[first].partition(":")[0])

    def ask(arguments: list[str]) -> int:
        try:
            return module.main(arguments)
        except SystemExit as end:  # argparse ends the process
            return end.code

    outcome = run_command(ask, *rest, "-h")
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


@pytest.mark.parametrize("name", [*COMMANDS, "delve", *(f"delve {name}" for name in SUB_COMMANDS)])
def test_every_command_explains_itself_on_a_page(name, run_command):
    text = page(run_command, name)
    found = titles(text)
    assert set(found) <= {*SECTIONS, "COMMANDS"}
    assert [title for title in SECTIONS if title in found] == [
        title for title in found if title != "COMMANDS"
    ]
    assert {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"} <= set(found)
    assert text.splitlines()[1].startswith(f"    {name} - ")
    assert max(map(len, text.splitlines())) <= 79


@pytest.mark.parametrize("name", COMMANDS)
def test_page_tells_each_option_and_its_value(name, run_command):
    command = import_module(SCRIPTS[name].partition(":")[0]).command()
    text = page(run_command, name)
    own = [action for action in command._actions if action.option_strings and action.dest not in ("h", "v")]
    for action in own:
        option = action.option_strings[0]
        assert f"\n    {option} {action.metavar or ''}".rstrip() in text
        assert option in text.partition("DESCRIPTION")[0], "the synopsis shows it, too"
    for letter in "hv-":
        assert f"\n    -{letter} " in text


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_commands_that_can_be_given(name):
    command = import_module(SCRIPTS[name].partition(":")[0]).command()
    assert command.examples
    for line, _ in command.examples:
        first, *arguments = shlex.split(line)
        assert first == name
        command.parse(arguments)


@pytest.mark.parametrize("name", SUB_COMMANDS)
def test_examples_of_sub_commands_can_be_given(name):
    command = import_module(delve.module_of(name)).command()
    assert command.examples
    for line, _ in command.examples:
        words = shlex.split(line)
        assert words[:2] == ["delve", name]
        command.parse_args(words[2:])


def test_every_script_is_a_command_that_is_known():
    assert {"delve", *delve.CLASSIC} == set(SCRIPTS)
    assert [import_module(SCRIPTS[name].partition(":")[0]).command().prog for name in SCRIPTS] == [*SCRIPTS]
