"""What a kill left half written in a task's directory is told by readers and finished by the next command."""

import json

import pytest

import delvecore
from delvecore.cli import dinfo, mgendata, mloss, mstats
from delvecore.errors import ParseError
from delvecore.readers.files import UNFINISHED
from delvecore.readers.hierarchy import MOVES, STAGED, Hierarchy
from delvecore.writers.files import PART, finish_writing
from tests.archives import write_tree

TASK = "methods/one/demo/age/std.8"


@pytest.fixture
def half(small):
    """The small archive with losses of a task that are half written: one is in its place, one is not."""
    waiting = f".loss.S.1{PART}"
    moves = {"put": {"loss.S.0": f".loss.S.0{PART}", "loss.S.1": waiting}, "remove": []}
    write_tree(
        small / TASK,
        {"loss.S.0": "1\n2\n3\n4\n", waiting: "5\n6\n7\n8\n", UNFINISHED: json.dumps(moves)},
    )
    return small


def test_an_archive_with_a_mark_tells_a_problem_until_it_is_finished(half):
    before = delvecore.open(half, cache=False)
    messages = before.problems["message"].to_pylist()
    assert [message for message in messages if "interrupted" in message]
    finish_writing(str(half / TASK))
    after = delvecore.open(half, cache=False)
    assert not [message for message in after.problems["message"].to_pylist() if "interrupted" in message]
    assert after.state != before.state


def test_readers_by_name_tell_of_a_mark(half):
    with pytest.raises(ParseError, match="writing them was interrupted"):
        Hierarchy([str(half)]).files(*TASK.split("/"))
    with pytest.raises(ParseError, match="writing them was interrupted"):
        Hierarchy([str(half)]).find(*TASK.split("/"), "loss.S.0")


@pytest.mark.parametrize("command", [mloss, mgendata])
def test_the_next_run_in_a_task_directory_finishes_what_is_marked(half, run_command, command):
    run_command(command.main, "-q", directory=half / TASK)
    assert (half / TASK / "loss.S.1").read_text() == "5\n6\n7\n8\n"
    assert not [path.name for path in (half / TASK).iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(("main", "place"), [(mstats.main, "/line/demo/age/std.8"), (dinfo.main, "/demo")])
def test_every_command_warns_of_an_installation_that_was_cut_off(small, run_command, main, place):
    sound = run_command(main, place, path=small)
    write_tree(small, {f"{STAGED}77-x/{MOVES}": "{}"})
    outcome = run_command(main, place)
    assert (outcome.code, outcome.out) == (0, sound.out)
    assert sound.err == ""
    assert outcome.err.count("\n") == 1
    assert f"{STAGED}77-x/{MOVES}: expected a finished installation, found an interrupted one" in outcome.err
