"""docs/tutorial.md: every command that it shows is run, and answers what it shows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
TUTORIAL = ROOT / "docs" / "tutorial.md"
COMMANDS = ("delve", "dinfo", "mgendata", "mgendir", "mloss", "mstats", "mtable")
BLOCK = re.compile(r"```(console|python)\n(.*?)```", re.DOTALL)
COSTS = re.compile(r"[\d.e-]+ s an instance \(median\), [\d.]+ s in all; at most \d+ MB of memory")
END = "== end of the answer =="


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(TUTORIAL.read_text(encoding="utf-8"))


def shown() -> list[tuple[str, str]]:
    """Each command of the tutorial with the answer that stands below it."""
    found = []
    for kind, text in blocks():
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:] if kind == "console" else ():
            command, _, answer = part.partition("\n")
            found.append((command, answer))
    return found


def script() -> str:
    """What a reader does: files saved and commands typed, the end of each answer marked."""
    lines = []
    for kind, text in blocks():
        if kind == "python":
            path = re.match(r"# (\S+)\n", text)[1]
            lines.append(f"cat > {path} <<'END_OF_FILE'\n{text}END_OF_FILE")
        else:
            commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
            lines += [f"{command}\necho '{END}'" for command in commands]
    return "\n".join(lines) + "\n"


def plain(text: str, home: Path) -> list[str]:
    """The lines of an answer without blanks at their ends, its costs and home directory made equal."""
    text = COSTS.sub("COSTS", text.replace(str(home), "~"))
    return [line.rstrip() for line in text.rstrip().splitlines()]


def environment(home: Path) -> dict[str, str]:
    """A reader's environment, in which the commands of this source tree are installed.

    The active archive is the part of the one that ships with the program that the tutorial is about.
    """
    programs = home / "programs"
    programs.mkdir()
    for name in COMMANDS:
        path = programs / name
        path.write_text(f'#!/bin/sh\nexec {sys.executable} -m delvecore.cli.{name} "$@"\n')
        path.chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    archive = home / "delve-demo"
    for part in ("data/demo", "methods/base-1/demo", "methods/knn-cv-1/demo", "methods/lin-1/demo"):
        shutil.copytree(ROOT / "data" / "delve" / part, archive / part)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DELVE")}
    return kept | {
        "DELVE_PATH": str(archive),
        "HOME": str(home),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(home / "cache"),
    }


def answers(home: Path) -> list[str]:
    """What the commands of the tutorial print on standard output."""
    done = subprocess.run(
        ["bash", "-e"], input=script(), cwd=home, env=environment(home), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(END + "\n")[:-1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="the tutorial is for a shell such as bash")
def test_every_command_of_the_tutorial_answers_what_it_shows(tmp_path: Path):
    home = tmp_path.resolve()
    found, expected = answers(home), shown()
    assert len(found) == len(expected) > 10
    for (command, answer), real in zip(expected, found, strict=True):
        assert plain(real, home) == plain(answer, home), command
