"""The reference of all commands, made from their parsers when the site is built (see `conf.py`)."""

import re
from collections.abc import Iterable
from importlib import import_module

from delvecore.cli.delve import CLASSIC, COMMANDS, module_of
from delvecore.cli.support.manual import ENVIRONMENT, Entry, ManualParser

__all__ = ["command_pages", "parsers"]


def parsers() -> list[ManualParser]:
    """Return the parser of every command: those of `delve` in its own order, then those of DELVE 1.1."""
    modules = [*map(module_of, COMMANDS), *(f"delvecore.cli.{name}" for name in CLASSIC)]
    return [import_module(module).command() for module in modules]


def command_pages() -> str:
    """Return the reference as Markdown, a section a command.

    A section has the synopsis, the description, options, files, examples and exit statuses.
    """
    sections = [_section(parser) for parser in parsers()]
    return "\n".join([*sections, "## Environment\n", *_list(ENVIRONMENT)]) + "\n"


def _section(parser: ManualParser) -> str:
    lines = [
        f"## `{parser.prog}`",
        "",
        "```text",
        parser.synopsis,
        "```",
        "",
        _escaped(parser.description or ""),
        "",
    ]
    lines += [_escaped(parser.note), ""] if parser.note else []
    lists = [("Options", parser.listed_options()), ("Files", parser.files), ("Exit status", parser.statuses)]
    for title, entries in lists:
        lines += [f"**{title}**", "", *_list(entries), ""] if entries else []
    lines += ["**Examples**", ""] if parser.examples else []
    for example, meaning in parser.examples:
        lines += [_escaped(meaning), "", "```text", f"$ {example}", "```", ""]
    return "\n".join(lines)


def _list(entries: Iterable[Entry]) -> list[str]:
    return [f"- `{heading}`: {_escaped(meaning)}" for heading, meaning in entries]


def _escaped(text: str) -> str:
    """Return a plain text with what Markdown would read as markup escaped, pieces of code apart."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([*_<>\[\]|\\])", r"\\\1", part) for part in pieces
    )
