"""Provenance of an exported table or figure, so that a reader can reproduce it.

The lines contain no paths of the machine. They name delve directories by the last part of their paths. They
identify the archive by its state, which changes with any of its files. A digest of the displayed numbers is
the same for the same numbers.
"""

import hashlib
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote

from delvecore import __version__
from delvecore.locations import with_addresses
from delvecore.names import one_line
from delvecore.readers.regular_files import FOLLOW_LINKS
from delvecore.render.numbers import parameter
from delvecore.render.picture_metadata import CHECKSUM
from delvecore.score_tables.options import ScoreOptions

PROGRAM = "DELVE for the browser"
SHOWN_DIGITS, CAPTION_DIGITS = 16, 8
MOST_LINES, LONGEST_LINE = 40, 100_000
"""Maximum number of comments for a command, and maximum length of one."""
_FIRST = re.compile(rf"{PROGRAM} (\S{{1,40}}): (.*)")
_SECOND = re.compile(r"Archive: .*?(?:, state \w+)?(?:; numbers: SHA-256 (\w+))?")
_VIEW = re.compile(r"View: (/\w+)\?(\S*)#(\S+), opened by (.*)")
MOST_NUMBERS = 200_000
"""Maximum number of characters of a figure's table in its file; a larger table has its digest only."""
COMMENT_END = re.compile(r"--(?=!?\s*>)")


@dataclass(frozen=True)
class Provenance:
    """Origin of an output: input, choices and command.

    Attributes
    ----------
    archive : str
        Name of the input.
    state : str
        `Archive.state`, empty for a file.
    digest : str
        Digest of the numbers.
    options : tuple[tuple[str, str], ...]
        Pairs (name, value) of all choices, including defaults.
    arguments : tuple of str
        Words of the command.
    """

    archive: str
    state: str
    digest: str
    options: tuple[tuple[str, str], ...]
    arguments: tuple[str, ...]
    version: str = __version__

    def lines(self, *more: str) -> tuple[str, ...]:
        """Return the lines for an export. more: further arguments of its command."""
        about = {"state": self.state, "digest": self.digest, "version": self.version}
        options = "; ".join(f"{name}: {value}" for name, value in self.options)
        return (
            *provenance_lines(self.command(*more), self.archive, **about),
            one_line(f"Options: {options}"),
        )

    @property
    def words(self) -> str:
        """State the origin of the numbers in a caption; comments have the details."""
        return f"From {self.archive or 'scores'}, numbers {self.digest[:CAPTION_DIGITS]}."

    def command(self, *more: str) -> str:
        """Return the command line that reproduces the export byte for byte."""
        return command_line([*self.arguments[:2], *more, *self.arguments[2:]])


def provenance_lines(
    command: str, archive: str, *, state: str = "", digest: str = "", version: str = __version__
) -> tuple[str, ...]:
    """Return the two lines in every export of numbers, in any format: the command that reproduces it, and the
    state of its data. `read_provenance` reads them.
    """
    shown = f", state {state[:SHOWN_DIGITS]}" if state else ""
    numbers = f"; numbers: SHA-256 {digest[:SHOWN_DIGITS]}" if digest else ""
    return tuple(map(one_line, (f"{PROGRAM} {version}: {command}", f"Archive: {archive}{shown}{numbers}")))


@dataclass(frozen=True, slots=True)
class ReadProvenance:
    """Lines of provenance found in a text.

    Attributes
    ----------
    line, end : int
        Number of its first line, from 1, and of its last.
    version, command : str
        Version and command in the first line.
    digest : str
        Digest of the numbers in the second line, or empty.
    """

    line: int
    end: int
    version: str
    command: str
    digest: str = ""


def read_provenance(text: str) -> list[ReadProvenance]:
    """Return the provenance in a text, in its order. A command that an editor broke into several comments is
    joined again.

    Examples
    --------
    >>> lines = provenance_lines("delve rank /demo", "delve", state="1f", digest="2e", version="1.0")
    >>> read_provenance(latex_comment(lines))[0].command
    'delve rank /demo'
    """
    records, lines = list[ReadProvenance](), text.split("\n")
    number = 0
    while number < len(lines):
        first = _FIRST.fullmatch(_comment_body(lines[number])) if PROGRAM in lines[number] else None
        number += 1
        if first is None:
            continue
        start, words, about = number, [first[2]], ReadProvenance(number, number, first[1], first[2])
        for place in range(number, min(number + MOST_LINES, len(lines))):
            body = _comment_body(lines[place])
            if not body or PROGRAM in body:
                break
            if second := _SECOND.fullmatch(body):
                about = ReadProvenance(start, place + 1, first[1], " ".join(words), second[1] or "")
                number = place + 1
                break
            words.append(body)
        records.append(about)
    return records


def figure_lines(view: SplitResult, command: str, numbers: str) -> tuple[str, ...]:
    """Return the lines in the file of a figure: its address on the dashboard, and its numbers as CSV.

    The fragment of `view` is the key of the figure on its page. `command` opens the same data."""
    address = f"{view.path}?{view.query}#{quote(view.fragment, safe='')}"
    line = one_line(f"View: {address}, opened by {command}")
    return line, *(numbers.splitlines() if len(numbers) <= MOST_NUMBERS else ())


def read_view(text: str) -> tuple[SplitResult, str, str] | None:
    """Return the arguments of `figure_lines` from the text in the file of a figure; None without an address.

    Examples
    --------
    >>> view = SplitResult("", "", "/compare", "loss=S", "overview")
    >>> read_view("\\n".join(figure_lines(view, "delve dashboard", "a,b")))[1:]
    ('delve dashboard', 'a,b')
    """
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) <= LONGEST_LINE and (found := _VIEW.fullmatch(line)):
            rest = [one for one in lines[place + 1 :] if not CHECKSUM.fullmatch(one)]
            return SplitResult("", "", found[1], found[2], unquote(found[3])), found[4], "\n".join(rest)
    return None


def _comment_body(line: str) -> str:
    """Return the text of a comment in any format, or a line of metadata; empty if it is too long."""
    if len(line) > LONGEST_LINE:
        return ""
    body = line.strip()
    for mark in ("<!--", "%", "//", "#"):
        if body.startswith(mark):
            body = body.lstrip(mark[0]) if len(mark) < 4 else body.removeprefix(mark).removesuffix("-->")
            break
    return body.strip()


def command_line(words: Sequence[str], *, follow_links: bool = False) -> str:
    """Quote words for a shell and for a comment of HTML; addresses lose their signatures.

    follow_links: whether the command follows links that lead out of their delve directory.
    """
    words = [with_addresses(word) for word in words]
    command = 2 if [*words[:1]] == ["delve"] else 1
    links = [FOLLOW_LINKS] if follow_links else []
    return unending(shlex.join([*words[:command], *links, *words[command:]]))


def unending(text: str) -> str:
    """Return a text that cannot end a comment of HTML: some readers treat `-- >` and `--!>` as `-->`.

    A shell removes the two apostrophes from a word, quoted or not.
    """
    return COMMENT_END.sub("--''", text)


def option_words(option: str, value: str) -> list[str]:
    """Return the words of an option and its value. A value that starts with a hyphen follows after `=`."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def reading_words(options: ScoreOptions) -> tuple[str, ...]:
    """Return the options of a command for reading files of scores, without defaults."""
    usual = ScoreOptions()
    named = [
        ("--dataset", options.dataset),
        ("--method-column", options.method),
        ("--metric", options.metric),
    ]
    named += [("--fold", name) for name in options.fold] + [("--value", name) for name in options.value]
    named += [("--failed", None if options.failed == usual.failed else options.failed)]
    named += [("--design", options.design)]
    named += [("--share", None if options.share is None else parameter(options.share))]
    named += [("--where", f"{column}={','.join(texts)}") for column, texts in options.where]
    named += [("--keep", name) for name in options.keep] + [("--drop", name) for name in options.drop]
    named += [("--case", options.case), ("--group", options.group)]
    named += [("--failed-words", word) for word in options.failed_words] + [("--steps", options.steps)]
    named += [("--sheet", options.sheet), ("--decimal", options.decimal), ("--scale", options.scale)]
    option_list = [word for name, value in named if value is not None for word in option_words(name, value)]
    if options.higher_is_better is not None:
        option_list.append("--higher-is-better" if options.higher_is_better else "--lower-is-better")
    if options.transpose is not None:
        option_list.append("--transpose" if options.transpose else "--no-transpose")
    return tuple(option_list)


def method_words(names: Sequence[str]) -> list[str]:
    """Return the options that select these methods: one list, unless a name has a blank or comma."""
    if all(name.split() == [name] and "," not in name for name in names):
        return option_words("--methods", " ".join(names)) if names else []
    return [word for name in names for word in option_words("--method", name)]


def latex_comment(lines: Iterable[str]) -> str:
    """Return lines as comments of LaTeX."""
    return "".join(f"% {one_line(line)}\n" for line in lines)


def digest_of(rows: Iterable[Sequence[object]]) -> str:
    """Return the SHA-256 of rows of names and numbers, numbers to full precision."""
    text = "\n".join("\t".join(map(repr, row)) for row in rows)
    return hashlib.sha256(text.encode()).hexdigest()
