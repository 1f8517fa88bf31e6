"""The text of -h: a page in the manner of Unix manuals. Needed only where somebody asks for it."""

from collections import namedtuple

from delvecore.commands.frame.manual_pages import ENVIRONMENT, PAGES, STATUSES
from delvecore.commands.frame.options import END, HELP, VERSION
from delvecore.report.information.folding import fold

__all__ = ["Entry", "help_text", "page_text"]

INDENT, DEEPER = " " * 4, " " * 14


class Entry(namedtuple("Entry", "heading text")):
    """One option, file, example or status of a page, with what is said of it."""

    __slots__ = ()


def help_text(command):
    """Return the page of a Command; without files and examples where there is no page for its name."""
    options = [Entry(f"-{one.letter} {one.argument}".rstrip(), one.meaning) for one in _options(command)]
    return page_text(command.name, command.usage, command.purpose, options)


def _options(command):
    return (*command.options, HELP, VERSION, END)


def page_text(name, usage, description, options, *, note="", commands=()):
    """Return the page of a command or sub-command.

    usage: what may follow its name; options, commands: Entries; note: a further paragraph of the description.
    """
    page = PAGES.get(name)
    sections = [
        ("NAME", fold(f"{name} - {page.summary}" if page else name, INDENT)),
        ("SYNOPSIS", fold(f"{name} {usage}", INDENT)),
        ("DESCRIPTION", [*fold(description, INDENT), *(["", *fold(note, INDENT)] if note else [])]),
        ("COMMANDS", _entries(commands)),
        ("OPTIONS", _entries(options)),
        ("FILES", _entries(page.files if page else ())),
        ("ENVIRONMENT", _entries(ENVIRONMENT)),
        ("EXAMPLES", _entries(page.examples if page else ())),
        ("EXIT STATUS", _entries(page.statuses if page else STATUSES)),
    ]
    return "\n\n".join("\n".join([title, *lines]) for title, lines in sections if lines)


def _entries(entries):
    """Return entries as lines: the heading, then what is said of it further to the right."""
    lines = []
    for heading, text in entries:
        folded = fold(text, DEEPER)
        if len(INDENT) + len(heading) + 2 <= len(DEEPER):
            folded[0] = (INDENT + heading).ljust(len(DEEPER)) + folded[0].lstrip()
        else:
            lines.append(INDENT + heading)
        lines += folded
    return lines
