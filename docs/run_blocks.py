"""Run the commands and Python of documents; `python -m docs.run_blocks PAGE...` writes what they answer.

A block `console` holds commands behind `$ ` with their answers; a line `...` stands for lines left out.
If a block shows an answer, all its answers are compared, else the commands must only succeed. Python or
TOML that begins with a file's name as a comment is saved under it. The other Python of a page is one
program, run where its last block stands. Comments before a block tell what a reader does not see:

    <!-- before: COMMAND -->     runs first, to make a file that the page speaks of, for instance
    <!-- not run: REASON -->     the block cannot run offline, or does not end
    <!-- archive: whole -->      the page is about the whole shipped archive; others see a part of it

All blocks of a page run in one temporary home directory.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from markdown_it import MarkdownIt

from delvecore.cli.delve import CLASSIC

__all__ = ["ROOT", "WHOLE", "Block", "Command", "blocks_of", "environment", "main", "matches", "run"]

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PARTS = (
    *("data/demo", "methods/base-1/demo", "methods/knn-cv-1/demo"),
    *(f"methods/lin-1/{name}" for name in ("demo", "Source", "Summary")),
)
"""The part of the shipped archive that is active: reading the whole of it takes a minute."""
SHOWN_LANGUAGES = ("console", "python", "toml")
COSTS = re.compile(r"[\d.e-]+ s an instance \(median\), [\d.e-]+ s in all; at most \d+ MB of memory")
WHOLE = "<!-- archive: whole -->"
COMMENT = re.compile(r"<!--\s*(before|not run):\s*(.*?)\s*-->", re.DOTALL)
FILE = re.compile(r"# ([\w.~/-]+\.\w+)\n")
END = "== end of an answer =="


@dataclass(frozen=True)
class Block:
    """A fenced block. line: of its fence; before: commands that run first; reason: why it is not run."""

    language: str
    text: str
    line: int
    before: tuple[str, ...] = ()
    reason: str | None = None

    def commands(self) -> "list[Command]":
        parts = re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:] if self.language == "console" else []
        pairs = [part.partition("\n")[::2] for part in parts]
        shows = any(answer.strip() for _, answer in pairs)
        return [Command(text, answer if shows else None, self.line) for text, answer in pairs]


@dataclass(frozen=True)
class Command:
    """A command with its answer; None where the page does not show it."""

    text: str
    answer: str | None
    line: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the answers of commands into the pages; return 0."""
    for name in sys.argv[1:] if arguments is None else arguments:
        path = Path(name)
        page = path.read_text(encoding="utf-8")
        with TemporaryDirectory() as home:
            for command, answer in run(page, Path(home).resolve()):
                if command.answer is not None and not matches(command.answer, answer):
                    old, new = (f"$ {command.text}\n{text.rstrip()}\n" for text in (command.answer, answer))
                    page = page.replace(old.replace("\n\n```", "\n```"), new, 1)
        path.write_text(page, encoding="utf-8")
    return 0


def blocks_of(page: str) -> list[Block]:
    """Return the blocks of commands, Python and TOML of a page, in their order."""
    blocks: list[Block] = []
    before: list[str] = []
    reason = None
    for token in MarkdownIt("commonmark").parse(page):
        for kind, text in COMMENT.findall(token.content) if token.type == "html_block" else ():
            if kind == "before":
                before.append(text)
            else:
                reason = text
        if token.type == "fence" and token.info.strip() in SHOWN_LANGUAGES:
            line = token.map[0] + 1 if token.map else 1
            blocks.append(Block(token.info.strip(), token.content, line, tuple(before), reason))
            before, reason = [], None
    return blocks


def run(
    page: str, home: Path, variables: Mapping[str, str] | None = None, folder: Path | None = None
) -> list[tuple[Command, str]]:
    """Run the blocks of a page; return each command with what it prints.

    Parameters
    ----------
    page : the Markdown
    home : the reader's home directory
    variables : of the environment, besides the usual ones; an empty text takes one away
    folder : where the reader is, else at home

    Raises
    ------
    AssertionError
        If a command ends with another status than 0: with the command, its line and what it said.
    """
    blocks = [block for block in blocks_of(page) if block.reason is None]
    commands = [command for block in blocks for command in block.commands()]
    known = environment(home)
    if WHOLE in page:
        known |= {
            "DELVE_PATH": str(ROOT / "data" / "delve"),
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", ""),
        }
    done = subprocess.run(
        ["bash", "-e", "-c", "\n".join(_script(blocks))],
        stdin=subprocess.DEVNULL,
        cwd=folder or home,
        env={name: value for name, value in (known | dict(variables or {})).items() if value},
        capture_output=True,
        text=True,
    )
    answers = done.stdout.split(END + "\n")[:-1]
    if done.returncode:
        failed = commands[len(answers)] if len(answers) < len(commands) else None
        raise AssertionError(f"{failed}: {done.stderr[-2000:]}")
    return [(command, _plain(answer, home)) for command, answer in zip(commands, answers, strict=True)]


def matches(shown: str, answer: str) -> bool:
    """Return whether an answer is what the page shows, where a line `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else re.escape(_without_costs(line.rstrip())) + r"\n"
        for line in shown.rstrip().splitlines()
    )
    lines = [_without_costs(line.rstrip()) + "\n" for line in answer.rstrip().splitlines()]
    return re.fullmatch(pattern, "".join(lines)) is not None


def environment(home: Path) -> dict[str, str]:
    """Return a reader's environment: the commands of this source tree, and an archive of its own."""
    programs = home / ".programs"
    programs.mkdir(parents=True)
    modules = {name: f" -m delvecore.cli.{name}" for name in ("delve", *CLASSIC)}
    for name, module in ({"python": ""} | modules).items():
        path = programs / name
        path.write_text(f'#!/bin/sh\nexec {sys.executable}{module} "$@"\n')
        path.chmod(0o755)
    archive = home / "delve-demo"
    for part in PARTS:
        source, target = ROOT / "data" / "delve" / part, archive / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DELVE")}
    return kept | {
        "DELVE_PATH": str(archive),
        "EXAMPLES": str(EXAMPLES),
        "HOME": str(home),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(home / ".cache"),
    }


def _script(blocks: Sequence[Block]) -> Iterator[str]:
    """Return the lines of the shell that do what a reader does; the end of each answer is marked."""
    last = max((number for number, block in enumerate(blocks) if _is_program(block)), default=-1)
    program = "".join(block.text for block in blocks if _is_program(block))
    for number, block in enumerate(blocks):
        yield from (f"{{ {command}; }} >&2" for command in block.before)
        if block.language == "console":
            yield from (f"{command.text}\necho '{END}'" for command in block.commands())
        elif name := FILE.match(block.text):
            yield f"cat > {name[1]} <<'END_OF_FILE'\n{block.text}END_OF_FILE"
        if number == last:
            yield f"python - >&2 <<'END_OF_FILE'\n{program}END_OF_FILE"


def _is_program(block: Block) -> bool:
    return block.language == "python" and not FILE.match(block.text)


def _plain(answer: str, home: Path) -> str:
    return answer.replace(str(home), "~")


def _without_costs(line: str) -> str:
    return COSTS.sub("COSTS", line)


if __name__ == "__main__":
    sys.exit(main())
