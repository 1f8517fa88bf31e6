import pytest

from delvecore.commands.frame.options import Command, Option, parse_arguments, version_text
from delvecore.errors import DelveError

COMMAND = Command(
    "tell",
    "[-a] [-k KEYS] [PATH]",
    "Tell something.",
    (Option("a", "", "Tell all of it."), Option("k", "KEYS", "Tell only these, " + "and these " * 12)),
    0,
    1,
)


@pytest.mark.parametrize(
    ("arguments", "options", "rest"),
    [
        ([], {}, []),
        (["-a", "x"], {"a": True}, ["x"]),
        (["x", "-a"], {"a": True}, ["x"]),
        (["-k", "one two", "x"], {"k": "one two"}, ["x"]),
        (["-kone"], {"k": "one"}, []),
        (["-ak", "-x"], {"a": True, "k": "-x"}, []),
        (["-a", "--", "-a"], {"a": True}, ["-a"]),
        (["-"], {}, ["-"]),
        (["-h", "-z"], {"h": True}, []),
        (["-v", "x", "y"], {"v": True}, []),
    ],
)
def test_arguments_are_divided(arguments: list[str], options: dict[str, object], rest: list[str]) -> None:
    assert parse_arguments(COMMAND, arguments) == (options, rest)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-z"], "unknown option -z; -h lists the options"),
        (["--all"], "unknown option --; -h lists the options"),
        (["-k"], "option -k needs a value (KEYS); -h explains it"),
        (["x", "y"], "unexpected argument 'y'; usage: tell [-a] [-k KEYS] [PATH]"),
    ],
)
def test_wrong_arguments_are_named(arguments: list[str], message: str) -> None:
    with pytest.raises(DelveError) as caught:
        parse_arguments(COMMAND, arguments)
    assert str(caught.value) == message


def test_arguments_are_left_unchanged() -> None:
    arguments = ["-a", "x"]
    parse_arguments(COMMAND, arguments)
    assert arguments == ["-a", "x"]


def test_version_is_one_line() -> None:
    from delvecore import __version__

    assert version_text(COMMAND) == f"DELVE-compatible tell {__version__}"
