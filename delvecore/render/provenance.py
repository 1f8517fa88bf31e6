"""Where an exported table or figure comes from, so that a reader can make it again.

The lines name no place of the machine: delve directories by their last name, the archive by its state (which
changes with any of its files) and by a digest of the numbers shown (the same wherever they are the same)."""

import hashlib
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from delvecore import __version__
from delvecore.locations import with_addresses
from delvecore.names import one_line
from delvecore.readers.regular_files import FOLLOW_LINKS
from delvecore.render.numbers import parameter
from delvecore.score_tables.options import ScoreOptions

PROGRAM = "DELVE for the browser"
SHOWN_DIGITS, CAPTION_DIGITS = 16, 8
COMMENT_END = re.compile(r"--(?=!?\s*>)")


@dataclass(frozen=True)
class Provenance:
    """archive: name of what was read; state: its `Archive.state`, empty for a file; digest: of the numbers;
    options: (name, value) of everything that was chosen, defaults too; arguments: the command's words."""

    archive: str
    state: str
    digest: str
    options: tuple[tuple[str, str], ...]
    arguments: tuple[str, ...]
    version: str = __version__

    def lines(self, *more: str) -> tuple[str, ...]:
        """Return what to write into an export; more: arguments of the command for this one alone."""
        state = f", state {self.state[:SHOWN_DIGITS]}" if self.state else ""
        options = "; ".join(f"{name}: {value}" for name, value in self.options)
        lines = (
            f"{PROGRAM} {self.version}: {self.command(*more)}",
            f"Archive: {self.archive}{state}; numbers: SHA-256 {self.digest[:SHOWN_DIGITS]}",
            f"Options: {options}",
        )
        return tuple(map(one_line, lines))

    @property
    def words(self) -> str:
        """Say in a caption where the numbers are from; comments say all."""
        return f"From {self.archive or 'scores'}, numbers {self.digest[:CAPTION_DIGITS]}."

    def command(self, *more: str) -> str:
        """Return the command line that gives the same bytes."""
        return command_line([*self.arguments[:2], *more, *self.arguments[2:]])


def command_line(words: Sequence[str], *, follow_links: bool = False) -> str:
    """Return words as a shell reads them, so that they can stand in a comment of HTML; addresses without what
    signs them. follow_links: has the command follow links that lead out of their delve directory."""
    words = [with_addresses(word) for word in words]
    command = 2 if [*words[:1]] == ["delve"] else 1
    links = [FOLLOW_LINKS] if follow_links else []
    return unending(shlex.join([*words[:command], *links, *words[command:]]))


def unending(text: str) -> str:
    """Return a text that ends no comment of HTML: some readers take `-- >` and `--!>` for `-->`. A shell
    leaves the two apostrophes out of a word, quoted or not."""
    return COMMENT_END.sub("--''", text)


def option_words(option: str, value: str) -> list[str]:
    """Return an option with its value; one that looks like an option itself is joined to it."""
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def reading_words(options: ScoreOptions) -> tuple[str, ...]:
    """Return the options of a command that say how files of scores are read; defaults are left out."""
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
    said = [word for name, value in named if value is not None for word in option_words(name, value)]
    if options.higher_is_better is not None:
        said.append("--higher-is-better" if options.higher_is_better else "--lower-is-better")
    if options.transpose is not None:
        said.append("--transpose" if options.transpose else "--no-transpose")
    return tuple(said)


def method_words(names: Sequence[str]) -> list[str]:
    """Return the options that choose these methods: in one list where no name holds a blank or comma."""
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
