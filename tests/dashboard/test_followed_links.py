"""Commands that pages show read the archive as the dashboard does: with links followed where it follows them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard.server import archive as opened
from dashboard.ui.commands import command_text
from delvecore.cli.delve import CLASSIC

DASHBOARD = Path(__file__).resolve().parents[2] / "dashboard"
COMMAND = re.compile(rf"({'|'.join(['delve', *CLASSIC])}) [-/a-zA-Z]+( |$)")
STARTS = "delve dashboard PATH"
"""The one that reads no archive yet."""


def texts() -> Iterator[str]:
    for path in DASHBOARD.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.mark.slow
def test_no_page_writes_a_command_by_itself():
    assert [text for text in texts() if COMMAND.match(text) and "\n" not in text] == [STARTS]


def test_the_option_stands_behind_the_command(small):
    opened.choose_paths([str(small)], follow_links=True)
    assert command_text("delve", "rank", "/demo") == "delve rank --follow-links /demo"
    assert command_text("dinfo", "-a", "/two words") == "dinfo --follow-links -a '/two words'"
    opened.choose_paths([str(small)])
    assert command_text("dinfo", "-a", "/demo") == "dinfo -a /demo"
