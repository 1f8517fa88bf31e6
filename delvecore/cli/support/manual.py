"""Command-line parsers, which also print the manual page (-h) of their command."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from getopt import GetoptError, gnu_getopt
from typing import Any, NoReturn

from delvecore import __version__
from delvecore.errors import DelveError
from delvecore.names import nearest
from delvecore.readers.regular_files import FOLLOW_LINKS
from delvecore.render.text import fold

Entry = tuple[str, str]
"""Heading and text of an option, file, example or exit status."""
INDENT, DEEPER = " " * 4, " " * 14
GOOD, ENDED = ("0", "All went well."), ("130", "Interrupted.")
STATUSES = (GOOD, ("1", "An error; one line on standard error describes it."), ENDED)
FOUND = (("0", "Nothing is wrong."), ("1", "A fault was found, or an error happened."), ENDED)
ENVIRONMENT = (
    (
        "DELVE_PATH",
        "Delve directories or their addresses (s3://, gs://, https://), separated by colons. They "
        "are used in addition to the one around the current directory. The default is the archive that "
        "ships with this program.",
    ),
    ("DELVE_UNCOMPRESS", "The program that decompresses .Z files (default: 'gzip -dc')."),
)
END = ("--", "End of the options: later words are arguments even if they start with a dash.")

DATASET_SPEC = ("/DATASET/Dataset.spec", "describes the dataset.")
DATASET_DATA = ("/DATASET/Dataset.data", "holds all cases of the dataset.")
DATASET_GENERATOR = (
    "/DATASET/Dataset.generator",
    "names the generator of the cases, if they are not stored.",
)
PROTOTASK_SPEC = ("/DATASET/PROTOTASK/Prototask.spec", "describes the prototask.")
PRIORS = ("/DATASET/PROTOTASK/*.prior", "state the assumptions of tasks of the prototask.")
PROTOTASK_DATA = ("/DATASET/PROTOTASK/Prototask.data", "holds the cases of the prototask, in its order.")
ORDER = ("/DATASET/PROTOTASK/Random-order", "holds the order of the prototask's cases.")
DATA = (DATASET_SPEC, DATASET_DATA, DATASET_GENERATOR, PROTOTASK_SPEC, PRIORS)
SPECIFICATIONS = (DATASET_SPEC, PROTOTASK_SPEC)
SOURCES = (DATASET_SPEC, DATASET_DATA, PROTOTASK_SPEC)
TASK = "/METHOD/DATASET/PROTOTASK/TASK/"
CODING_USED = (TASK + "Coding-used", "lists the coding of each attribute.")
NORMALIZE = (TASK + "normalize.n", "holds the normalization constants of instance n.")
TARGETS = (TASK + "targets.n", "holds the encoded true targets of the test cases.")
STATISTICS = (TASK + "Test-set-stats", "holds the statistics that standardize losses.")
PREDICTIONS = (
    (TASK + "[c]guess[.L].n", "holds guesses; c means encoded guesses, L is the loss that they minimize."),
    (TASK + "[l]prob[.L].n", "holds the probabilities of the values; l means their logarithms."),
    (TASK + "[c][l]ptarg[.L].n", "holds the probabilities or densities of the true targets."),
)
LOSSES = (TASK + "loss.L.n", "holds one loss per test case.")


def made(entry: Entry, what: str = "") -> Entry:
    """Return the manual entry of a file that a command writes. what: further text."""
    return (entry[0], f"is written{what}.")


def used(*, fails: str = STATUSES[1][1], good: str = GOOD[1]) -> tuple[Entry, ...]:
    """Return the exit statuses of a command that exits with 2 after wrong usage. fails: meaning of 1."""
    return (("0", good), ("1", fails), ("2", "The arguments are invalid."), ENDED)


USED = used()


class ManualParser(argparse.ArgumentParser):
    """An ArgumentParser whose help is a page with NAME, SYNOPSIS, DESCRIPTION, OPTIONS and so on.

    Attributes
    ----------
    summary : str
        Purpose of the command, in a few words.
    note : str
        A further paragraph of the description.
    commands : sequence of Entry
        Subcommands.

    Options without help are not on the page. Wrong usage ends the process with exit code 2.
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

    def error(self, message: str) -> NoReturn:
        """End the process with exit code 2 after one line on standard error."""
        words = message.split()
        if message.startswith("unrecognized arguments: ") and words[2].startswith("-"):
            options = [option for action in self._actions for option in action.option_strings]
            best = nearest(words[2].partition("=")[0], options)
            message = f"unknown option {words[2]}" + (f"; did you mean {best}?" if best else "")
        print(f"{self.prog}: {message.removeprefix('argument ')}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError for a value that is not among the choices, with the nearest one."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            best = nearest(str(value), choices)
            hint = f"; did you mean {best}?" if best else ""
            message = f"expected one of {', '.join(choices)}, found {value!r}{hint}"
            raise argparse.ArgumentError(action, message)

    @property
    def synopsis(self) -> str:
        """The command and its arguments in one line."""
        return " ".join(self.format_usage().split()).removeprefix("usage: ")

    def listed_options(self) -> list[Entry]:
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


def add_follow_links(parser: ManualParser) -> None:
    meaning = "also follow symbolic links that lead out of their delve directory"
    parser.add_argument(FOLLOW_LINKS, action="store_true", help=meaning)


def add_strict(parser: ManualParser) -> None:
    meaning = (
        "Refuse codings that DELVE 1.1 refuses although its manual describes them, such as rectan "
        "for real attributes."
    )
    parser.add_argument("--strict", action="store_true", help=meaning)


def add_scheduler(parser: ManualParser, work: str) -> None:
    """Add the option of commands that use a cluster. work: task of its workers, such as `compute`."""
    meaning = f"let the workers of a running Dask cluster {work}; an address looks like tcp://host:8786"
    parser.add_argument("--scheduler", metavar="ADDRESS", help=meaning)


def _with_links(usage: str) -> str:
    """Return a usage line with FOLLOW_LINKS after its options."""
    end = usage.find("]", usage.rfind("[-")) + 1 if "[-" in usage else 0
    return f"{usage[:end]} [{FOLLOW_LINKS}] {usage[end:].strip()}".strip()


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
    """Return entries as lines: the heading, then its text with more indentation."""
    lines = []
    for heading, text in entries:
        start, (first, *more) = INDENT + heading, fold(text, DEEPER)
        fits = len(start) + 2 <= len(DEEPER)
        lines += [start.ljust(len(DEEPER)) + first.lstrip()] if fits else [start, first]
        lines += more
    return lines


class ClassicParser(ManualParser):
    """The command line of a command of DELVE: manual, appendix C.

    Letters may be joined (`-at`), a value may directly follow its letter (`-lS`), options may follow
    arguments, and `--` ends them. Wrong usage raises DelveError.

    Attributes
    ----------
    paths : str
        Number of paths, as in argparse (`?`, `*`, `+`); they are always the list `paths`.
    flags : mapping of str to str or None
        The meanings of options without a value, by their letters.
    """

    def __init__(
        self,
        prog: str,
        summary: str = "",
        usage: str = "",
        *,
        description: str,
        paths: str = "?",
        files: Sequence[Entry] = (),
        examples: Sequence[Entry] = (),
        statuses: Sequence[Entry] = STATUSES,
        flags: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            prog,
            summary,
            description=description,
            usage=_with_links(usage),
            files=files,
            examples=examples,
            statuses=statuses,
            add_help=False,
        )
        version = f"DELVE-compatible {prog} {__version__}"
        self.add_argument("-h", "--help", action="help", help="Print this text.")
        self.add_argument("-v", "--version", action="version", version=version, help="Print the version.")
        add_follow_links(self)
        self.add_argument("paths", nargs="*" if paths == "?" else paths)
        self.takes_one = paths == "?"
        for letter, meaning in (flags or {}).items():
            self.add_argument(f"-{letter}", action="store_true", help=meaning)

    def listed_options(self) -> list[Entry]:
        help_, version, links, *own = super().listed_options()
        return [*own, links, help_, version, END]

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the options by their letters, and `paths`. Ends the process after -h and -v."""
        takes = {name: action for action in self._actions for name in action.option_strings}
        short = {name[1]: action for name, action in takes.items() if len(name) == 2}
        letters = "".join(letter + ":" * (action.nargs != 0) for letter, action in short.items())
        try:
            words = [name[2:] + "=" * (action.nargs != 0) for name, action in takes.items() if len(name) > 2]
            pairs, rest = gnu_getopt(list(arguments), letters, words)
        except GetoptError as error:
            if asked := [word for word in arguments if word in ("-h", "--help", "-v", "--version")]:
                return self.parse_args(asked)
            name = f"-{'-' * (len(error.opt) > 1)}{error.opt}"
            known = takes.get(name)
            if known and known.nargs != 0:
                fault = f"option {name} needs a value ({known.metavar}); -h explains it"
            else:
                fault = f"unknown option {name}; -h lists the options"
            raise DelveError(fault) from None
        words = []
        for name, value in pairs:
            if len(name) > 2 and value:
                words.append(f"{name}={value}")
            else:
                is_joined = takes[name].nargs == 0 or value.startswith("-")
                words += [name + value] if is_joined else [name, value]
        options = self.parse_args([*words, "--", *rest] if rest else words)
        if self.takes_one and len(options.paths) > 1:
            raise DelveError(f"unexpected argument {options.paths[1]!r}; usage: {self.synopsis}")
        return options

    def error(self, message: str) -> NoReturn:
        fault = message.removeprefix("argument ")
        raise DelveError(f"expected a path; usage: {self.synopsis}" if fault == message else fault)
