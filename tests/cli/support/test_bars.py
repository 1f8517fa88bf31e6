"""Long commands show a bar on a terminal, and leave nothing of it."""

import io
import sys

import pytest

from delvecore.cli import dgenproto, mgendata, mloss
from tests.archives import write_tree


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def places(small):
    task = small / "methods/mymethod/demo/age/std.8"
    task.mkdir(parents=True)
    assert mgendata.main(["-q", str(task)]) == 0
    write_tree(task, {f"guess.{n}": "1\n" * 4 for n in range(2)})
    return {"mloss": task, "dgenproto": small / "data/demo"}


@pytest.mark.parametrize("command", [mloss, dgenproto], ids=lambda module: module.command().prog)
def test_terminal_sees_a_bar_that_is_gone_at_the_end(command, places, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    arguments = ["-l", "S"] if command is mloss else []
    assert command.main([*arguments, str(places[command.command().prog])]) == 0
    shown = stream.getvalue()
    assert "\n" not in shown
    drawn = [text for text in shown.split("\r") if text.strip()]
    assert len(drawn) > 4
    assert all(text.startswith("[") and "0:00 left" in text for text in drawn)
    assert shown.endswith(" \r")


def test_warning_stands_on_a_line_of_its_own(places, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert mloss.main(["-l", "L", str(places["mloss"])]) == 0
    warning = "mloss: warning: /mymethod/demo/age/std.8: no prediction files for loss L\n"
    assert stream.getvalue().endswith(" \r" + warning)
