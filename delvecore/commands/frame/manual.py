"""Command lines: each is an argparse parser, from which its manual page (-h) and its completion come, too."""

import argparse
from collections.abc import Iterable, Sequence
from getopt import GetoptError, gnu_getopt
from typing import NoReturn, Protocol

from delvecore import __version__
from delvecore.errors import DelveError
from delvecore.report.writers.text import fold

__all__ = ["FOUND", "USED", "ClassicParser", "Completer", "Entry", "ManualParser", "used"]

Entry = tuple[str, str]
"""An option, file, example or status of a page, with what is said of it."""
INDENT, DEEPER = " " * 4, " " * 14
GOOD, ENDED = ("0", "All went well."), ("130", "Interrupted.")
STATUSES = (GOOD, ("1", "An error; one line on standard error says which."), ENDED)
FOUND = (("0", "Nothing is wrong."), ("1", "A fault was found, or an error happened."), ENDED)
ENVIRONMENT = (
    (
        "DELVE_PATH",
        "Delve directories, separated by colons, active besides the one around the current directory. "
        "Without it: the archive that ships with this program, where the current directory is in none.",
    ),
    ("DELVE_UNCOMPRESS", "The program that reads .Z files, 'gzip -dc' if not set."),
)
END = ("--", "End the options: what follows is an argument even if it starts with a dash.")


class Completer(Protocol):
    """What may stand for a word that begins so, as argcomplete asks for it."""

    def __call__(self, prefix: str, parsed_args: argparse.Namespace, **about: object) -> Iterable[str]: ...


def used(*, fails: str = STATUSES[1][1], good: str = GOOD[1]) -> tuple[Entry, ...]:
    """Return the exit statuses of a command that ends with 2 after wrong usage. fails: what 1 means."""
    return (("0", good), ("1", fails), ("2", "The arguments mean nothing."), ENDED)


USED = used()


class ManualParser(argparse.ArgumentParser):
    """An ArgumentParser whose help is a page with NAME, SYNOPSIS, DESCRIPTION, OPTIONS and so on.

    summary: what the command is for, in a few words; note: a further paragraph of the description; commands:
    those behind this one; options without help are not on the page. Wrong usage ends the process with 2.
    """

    def __init__(
        self,
        prog: str,
        summary: str = "",
        *,
        description: str,
        usage: str | None = None,
        note: str = "",
        commands: Sequence[Entry] = (),
        files: Sequence[Entry] = (),
        examples: Sequence[Entry] = (),
        statuses: Sequence[Entry] = USED,
        add_help: bool = True,
    ) -> None:
        given = None if usage is None else f"{prog} {usage}".rstrip()
        super().__init__(prog, usage=given, description=description, add_help=add_help)
        self.summary, self.note, self.examples = summary, note, tuple(examples)
        self.commands, self.files, self.statuses = tuple(commands), tuple(files), tuple(statuses)

    def complete(self, **completers: Completer) -> None:
        """Say what shells complete the values of arguments with, by their names."""
        for action in self._actions:
            if action.dest in completers:
                setattr(action, "completer", completers[action.dest])  # noqa: B010  # what argcomplete reads

    @property
    def synopsis(self) -> str:
        """The command and what may follow it, in one line."""
        return " ".join(self.format_usage().split()).removeprefix("usage: ")

    def listed_options(self) -> list[Entry]:
        """Return the entries of the section OPTIONS."""
        return [(_heading(action), _meaning(action)) for action in self._actions if action.help]

    def format_help(self) -> str:
        note = ["", *fold(self.note, INDENT)] if self.note else []
        sections = [
            ("NAME", fold(f"{self.prog} - {self.summary}" if self.summary else self.prog, INDENT)),
            ("SYNOPSIS", fold(self.synopsis, INDENT)),
            ("DESCRIPTION", [*fold(self.description or "", INDENT), *note]),
            ("COMMANDS", _entries(self.commands)),
            ("OPTIONS", _entries(self.listed_options())),
            ("FILES", _entries(self.files)),
            ("ENVIRONMENT", _entries(ENVIRONMENT)),
            ("EXAMPLES", _entries(self.examples)),
            ("EXIT STATUS", _entries(self.statuses)),
        ]
        return "\n\n".join("\n".join([title, *lines]) for title, lines in sections if lines) + "\n"


def _heading(action: argparse.Action) -> str:
    value = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
    if not action.option_strings:
        return value
    words = ", ".join(action.option_strings)
    return words if action.nargs == 0 else f"{words} {value}"


def _meaning(action: argparse.Action) -> str:
    text = action.help or ""
    return text[:1].upper() + text[1:] + ("." if text and not text.endswith(".") else "")


def _entries(entries: Iterable[Entry]) -> list[str]:
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


class ClassicParser(ManualParser):
    """The command line of a command of DELVE: options are a dash and a letter. Source: manual, appendix C.

    Letters may be joined (`-at`), a value may be joined to its letter (`-lS`), options may stand behind
    arguments, and `--` ends them. What is wrong raises DelveError. paths: how many there may be, as of
    argparse (`?`, `*`, `+`); they are always the list `paths`. complete: completes them.
    """

    def __init__(
        self,
        prog: str,
        summary: str = "",
        usage: str = "",
        *,
        description: str,
        paths: str = "?",
        complete: Completer | None = None,
        files: Sequence[Entry] = (),
        examples: Sequence[Entry] = (),
        statuses: Sequence[Entry] = STATUSES,
    ) -> None:
        super().__init__(
            prog,
            summary,
            description=description,
            usage=usage,
            files=files,
            examples=examples,
            statuses=statuses,
            add_help=False,
        )
        version = f"DELVE-compatible {prog} {__version__}"
        self.add_argument("-h", action="help", help="Print this text.")
        self.add_argument("-v", action="version", version=version, help="Print the version.")
        self.add_argument("paths", nargs="*" if paths == "?" else paths)
        self.most = 1 if paths == "?" else None
        if complete:
            self.complete(paths=complete)

    def flag(self, letter: str, meaning: str) -> None:
        """Add an option without a value."""
        self.add_argument(f"-{letter}", dest=letter, action="store_true", help=meaning)

    def value(self, letter: str, argument: str, meaning: str, complete: Completer | None = None) -> None:
        """Add an option with a value, None where it is not given."""
        self.add_argument(f"-{letter}", dest=letter, metavar=argument, help=meaning)
        if complete:
            self.complete(**{letter: complete})

    def listed_options(self) -> list[Entry]:
        help_, version, *own = super().listed_options()
        return [*own, help_, version, END]

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the options by their letters, and `paths`; ends the process at -h and -v."""
        takes = {action.option_strings[0]: action for action in self._actions if action.option_strings}
        letters = "".join(name[1] + ":" * (action.nargs != 0) for name, action in takes.items())
        try:
            found, rest = gnu_getopt(list(arguments), letters)
        except GetoptError as error:
            if asked := [word for word in arguments if word in ("-h", "-v")]:
                return self.parse_args(asked)
            raise DelveError(self._fault(error, takes)) from None
        words: list[str] = []
        for name, value in found:
            if takes[name].nargs == 0:
                words.append(name)
            else:
                words += [name + value] if value.startswith("-") else [name, value]
        options = self.parse_args([*words, "--", *rest] if rest else words)
        if self.most is not None and len(options.paths) > self.most:
            surplus = options.paths[self.most]
            raise DelveError(f"unexpected argument {surplus!r}; usage: {self.synopsis}")
        return options

    def _fault(self, error: GetoptError, takes: dict[str, argparse.Action]) -> str:
        action = takes.get(f"-{error.opt}")
        if action is None or action.nargs == 0:
            letter = "-" if len(error.opt) > 1 else error.opt
            return f"unknown option -{letter}; -h lists the options"
        return f"option -{error.opt} needs a value ({action.metavar}); -h explains it"

    def error(self, _message: str) -> NoReturn:
        raise DelveError(f"expected a path; usage: {self.synopsis}")
