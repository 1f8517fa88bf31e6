"""-h prints a page in the manner of Unix manuals, for every command."""

import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from delvecore.cli import delve
from delvecore.cli.support.manual import ClassicParser
from delvecore.errors import DelveError

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
COMMANDS = sorted(set(SCRIPTS) - {"delve"})
SUB_COMMANDS = sorted(delve.COMMANDS)
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "FILES", "ENVIRONMENT", "EXAMPLES", "EXIT STATUS"]


def titles(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith(" ")]


def page(run_command, name: str, *, option: str = "-h") -> str:
    """What the command prints when it is asked for help."""
    first, *rest = name.split()
    module = import_module(SCRIPTS[first].partition(":")[0])

    def ask(arguments: list[str]) -> int:
        try:
            return module.main(arguments)
        except SystemExit as end:  # argparse ends the process
            return end.code

    outcome = run_command(ask, *rest, option)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


@pytest.mark.parametrize("name", [*COMMANDS, "delve", *(f"delve {name}" for name in SUB_COMMANDS)])
def test_every_command_explains_itself_on_a_page(name, run_command):
    text = page(run_command, name)
    headings = titles(text)
    assert set(headings) <= {*SECTIONS, "COMMANDS"}
    assert [title for title in SECTIONS if title in headings] == [
        title for title in headings if title != "COMMANDS"
    ]
    assert {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS"} <= set(headings)
    assert text.splitlines()[1].startswith(f"    {name} - ")
    assert max(map(len, text.splitlines())) <= 79


@pytest.mark.parametrize("name", COMMANDS)
def test_long_help_is_that_of_the_letter(name, run_command):
    assert page(run_command, name, option="--help") == page(run_command, name)


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


@pytest.fixture
def parser():
    made = ClassicParser("tell", usage="[-a] [-k KEYS] [PATH]", description="Tell something.")
    made.add_argument("-a", action="store_true", help="Tell all of it.")
    made.add_argument("-k", metavar="KEYS", help="Tell only these.")
    return made


@pytest.mark.parametrize(
    ("arguments", "options", "rest"),
    [
        (["-a", "x"], {"a": True}, ["x"]),
        (["x", "-a"], {"a": True}, ["x"]),
        (["-k", "one two", "x"], {"k": "one two"}, ["x"]),
        (["-kone"], {"k": "one"}, []),
        (["-ak", "-x"], {"a": True, "k": "-x"}, []),
        (["-a", "--", "-a"], {"a": True}, ["-a"]),
        (["-k", "=one"], {"k": "=one"}, []),
        (["--", "--"], {}, ["--"]),
    ],
)
def test_arguments_are_divided(arguments, options, rest, parser):
    expected = {"a": False, "k": None, "follow_links": False, **options, "paths": rest}
    assert vars(parser.parse(arguments)) == expected


@pytest.mark.parametrize(
    "arguments", [["-h", "-z"], ["--help", "-z"], ["-v", "x", "y"], ["--version"], ["-ah"], ["x", "-v"]]
)
def test_reading_stops_at_help_and_version(arguments, parser, capsys):
    with pytest.raises(SystemExit) as end:
        parser.parse(arguments)
    assert not end.value.code
    assert "tell" in capsys.readouterr().out


def test_options_stand_between_any_number_of_arguments():
    parser = ClassicParser("tell", "", "PATH ...", description="Tell something.", paths="+")
    parser.add_argument("-a", action="store_true", help="Tell all of it.")
    options = parser.parse(["x", "-a", "y"])
    assert (options.a, options.paths) == (True, ["x", "y"])
    with pytest.raises(DelveError, match=r"^expected a path; usage: tell \[--follow-links\] PATH \.\.\.$"):
        parser.parse(["-a"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-z"], "unknown option -z; -h lists the options"),
        (["--all"], "unknown option --all; -h lists the options"),
        (["-k"], "option -k needs a value (KEYS); -h explains it"),
        (["x", "y"], "unexpected argument 'y'; usage: tell [-a] [-k KEYS] [--follow-links] [PATH]"),
    ],
)
def test_wrong_arguments_are_named(arguments, message, parser):
    with pytest.raises(DelveError) as caught:
        parser.parse(arguments)
    assert str(caught.value) == message


def test_version_is_one_line(parser, capsys):
    from delvecore import __version__

    with pytest.raises(SystemExit):
        parser.parse(["-v"])
    assert capsys.readouterr().out == f"DELVE-compatible tell {__version__}\n"
