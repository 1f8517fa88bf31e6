import pytest

from delvecore.cli.support.manual import ClassicParser
from delvecore.errors import DelveError


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


@pytest.mark.parametrize("arguments", [["-h", "-z"], ["-v", "x", "y"], ["-ah"], ["x", "-v"]])
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
