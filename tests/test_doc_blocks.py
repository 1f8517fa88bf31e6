"""Every command and block of Python in the documents is run, and answers what the page shows."""

import os
import re
import shutil

import pytest

from delvecore.cli.delve import CLASSIC
from docs.run_blocks import ROOT, WHOLE, blocks_of, matches, run

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
OTHER_TESTS = {"README.md", "coming-from-R.md", "coming-from-python.md"}
"""Pages whose lines tests of their own run."""
COMMAND = re.compile(rf"^(?:\$ )?(?:delve|{'|'.join(CLASSIC)}|pip|python|pytest|dask|docker|sh) [^|=]*$")


def has_blocks(path):
    fences = re.search(r"^```(?:console|python|toml)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return path.name not in OTHER_TESTS and fences is not None


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_commands_stand_in_blocks_that_are_run_or_say_why_not(path):
    text = path.read_text(encoding="utf-8")
    blocks = blocks_of(text)
    assert [
        block.line for block in blocks if block.reason is not None and len(block.reason.split()) < 3
    ] == []
    assert [block.line for block in blocks if block.language == "console" and not block.commands()] == []
    outside = re.sub(r"^```(?:console|python|toml)\n.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^ {4}(.*)$", outside, re.MULTILINE)
    lines += "\n".join(re.findall(r"^```\w*\n(.*?)^```$", outside, re.DOTALL | re.MULTILINE)).splitlines()
    assert [line for line in lines if COMMAND.match(line)] == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="the documents are for a shell such as bash")
@pytest.mark.parametrize("path", [path for path in PAGES if has_blocks(path)], ids=lambda path: path.name)
def test_commands_answer_what_the_page_shows(path, tmp_path, programs, request):
    page, home = path.read_text(encoding="utf-8"), tmp_path.resolve()
    variables = {"PATH": os.pathsep.join([str(programs), f"{home}/.programs", os.environ["PATH"]])}
    if WHOLE in page:
        variables["XDG_CACHE_HOME"] = str(request.getfixturevalue("whole_archive"))
    if "$ delve examples ." in page:  # its reader has what the package ships, and no more
        variables |= {"DELVE_PATH": "", "EXAMPLES": ""}
    for command, answer in run(page, home, variables):
        assert command.answer is None or matches(command.answer, answer), (
            f"{path.name}:{command.line}: $ {command.text}\n{answer}\npython -m docs.run_blocks {path}"
        )


@pytest.mark.parametrize(
    ("shown", "answer", "expected"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one\n...\n", "one\ntwo\nthree\n", True),
        ("one\n...\nthree\n", "one\nthree\n", True),
        ("one\n", "one\ntwo\n", False),
        ("...\ntwo\n", "one\n", False),
    ],
)
def test_three_dots_stand_for_lines_left_out_and_nothing_else_does(shown, answer, expected):
    assert matches(shown, answer) is expected


@pytest.mark.slow
def test_a_wrong_answer_and_a_command_that_fails_are_found(tmp_path):
    page = "<!-- before: echo two > file.txt -->\n```console\n$ cat file.txt\none\n```\n"
    [(command, answer)] = run(page, tmp_path / "first")
    assert (answer, matches(command.answer, answer)) == ("two\n", False)
    with pytest.raises(AssertionError, match="no-such-file"):
        run("```console\n$ cat no-such-file\n```\n", tmp_path / "second")
