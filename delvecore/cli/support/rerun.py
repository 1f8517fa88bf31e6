"""Run the commands in the provenance of an export again, in this process.

Papers are not trusted. Only commands that read and print are run, and no shell is used. They read only the
archive in use and the directories that the user names."""

import argparse
import contextlib
import io
import os
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from urllib.parse import SplitResult

from delvecore.cli.delve import module_of
from delvecore.cli.support.score_options import score_options
from delvecore.errors import DelveError
from delvecore.locations import is_address
from delvecore.readers.hierarchy import find_directories
from delvecore.readers.regular_files import is_delve_directory, leads_out
from delvecore.render.formats import REPORT_FORMATS
from delvecore.render.provenance import digest_of, provenance_lines
from delvecore.report.paper.exports import Export
from delvecore.score_tables.files import looks_like_scores
from delvecore.stats.choose import DEFAULT_LEVEL, significance

COMMANDS = ("table", "rank", "array", "report")
"""Commands of `delve` that only read and print without the options WRITING."""
OPENING = "dashboard"
"""The command that opens the data of a view."""
WRITING = ("--figure", "--output", "-o", "--bundle")
"""Options that name a file to write; they are removed."""
REFUSED = ("figure", "output", "bundle", "scheduler", "summary", "template", "follow_links")
"""Options that write, run code, or reach further than the places named."""
MOST_CHARACTERS = 20_000


Computed = tuple[Export, float]
"""An export as it is computed now, and the level below which p is significant in it."""


def rerun(export: Export, data: Sequence[str]) -> Computed:
    """Run the command of an export again. data: directories of its files of scores, by default that of the
    paper.

    The numbers of a figure have the format of the figure, not that of the command.

    Raises DelveError for a command that is not one of COMMANDS or has options in REFUSED, and for missing
    data."""
    form, folder = export.form, export.folder
    name, words, written = _words(export.about.command)
    module = import_module(module_of(name))
    parser: argparse.ArgumentParser = module.command()
    options = _parsed(parser, words)
    for option in REFUSED:
        if getattr(options, option, None):
            raise _refused(f"the option --{option.replace('_', '-')}")
    if name != "report" and (export.is_figure or options.format == "text") and form in module.FORMATS:
        words = ["--format", form, *_without_format(words)]
        options = _parsed(parser, words)
    places = list(filter(None, [getattr(options, "array", None), *options.paths]))
    paths = [path for path in (_resolved(place, folder, data) for place in places) if path is not None]
    words = _with_paths(parser, words, places, paths)
    level = getattr(options, "level", DEFAULT_LEVEL)
    with _delve_path(data), tempfile.TemporaryDirectory(prefix="delve-verify-") as directory:
        output = os.path.join(directory, f"report{written}")
        text = _printed(module, ["--output", output, *words] if written else words)
        if written:
            with open(output, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
    kind = {".md": "markdown", ".tex": "latex"}.get(written, written[1:]) if written else options.format
    return replace(export, text=text, form=kind, first_line=1), significance(level)


def rerun_view(export: Export, view: SplitResult, data: Sequence[str]) -> dict[str, Computed]:
    """Recompute the figures of an export from a dashboard view, as its page does. Return them by name.

    data: see `rerun`. Raises DelveError if the data are missing, or the page cannot be computed."""
    words = _split(export.opening)
    if words[:2] != ["delve", OPENING]:
        raise _refused(repr(" ".join(words[:2])))
    options = _parsed(import_module(module_of(OPENING)).command(), words[2:])
    if options.follow_links:
        raise _refused("the option --follow-links")
    places = [_resolved(place, export.folder, data) for place in options.paths]
    # Imported by name, because this package is below the dashboard and must not depend on it.
    computed = import_module("dashboard.ui.figure_numbers").computed
    with _delve_path(data):
        paths = [place for place in places if place is not None]
        numbers, level = computed(paths, score_options(options), view.path[1:], view.query)
    from delvecore.render.csv import csv_comment

    figures = {}
    for name, text in numbers.items():
        lines = provenance_lines(f"delve {OPENING}", "", digest=digest_of([(text,)]))
        text = "".join(map(csv_comment, lines)) + text
        figures[name] = replace(export, text=text, form="csv", first_line=1), significance(level)
    return figures


def _split(command: str) -> list[str]:
    if len(command) > MOST_CHARACTERS:
        raise _refused("a command that is too long")
    try:
        return shlex.split(command)
    except ValueError:
        raise _refused(f"{command[:80]!r} with an unclosed quote") from None


def _without_format(words: Sequence[str]) -> list[str]:
    """Return words without the option --format."""
    kept, rest = list[str](), list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*kept, word, *rest]
        if word == "--format":
            rest = rest[1:]
        elif not word.startswith("--format="):
            kept.append(word)
    return kept


def _words(command: str) -> tuple[str, list[str], str]:
    """Return the name of a command, its words without output files, and the file extension of a report."""
    words = _split(command)
    if words[:1] != ["delve"] or len(words) < 2 or words[1] not in COMMANDS:
        raise _refused(repr(" ".join(words[:2])))
    name, rest, kept, written = words[1], words[2:], list[str](), ""
    while rest:
        word = rest.pop(0)
        if word == "--":
            kept += [word, *rest]
            break
        option, equals, value = word.partition("=")
        if option not in WRITING:
            kept.append(word)
            continue
        value = value if equals else rest.pop(0) if rest else ""
        if option in ("--output", "-o") and os.path.splitext(value)[1].lower() in REPORT_FORMATS:
            written = os.path.splitext(value)[1].lower()
    if name == "report" and written not in (".html", ".md", ".tex"):
        # The pieces of a bundle are those of a ranking.
        return "rank", kept, ""
    return name, kept, written if name == "report" else ""


def _refused(what: str) -> DelveError:
    commands = ", ".join(f"delve {name}" for name in COMMANDS)
    return DelveError(f"expected a command that only reads ({commands}), found {what}; it was not run")


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Parse the words of a command. Raises DelveError if they are invalid, or ask for help."""
    errors = io.StringIO()
    try:
        with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
            return parser.parse_args(words)
    except SystemExit:
        message = errors.getvalue().partition("; see ")[0].strip()
        raise DelveError(
            f"expected a command of this version, found {message or 'a call for help'}"
        ) from None


def _resolved(place: str, folder: str, data: Sequence[str]) -> str | None:
    """Return the full path of a file of scores or a directory in the named directories.

    A place of the archive is returned unchanged, and None for the root."""
    if place == "-" or is_address(place):
        raise _refused(f"the address or standard input {place}")
    bases = list(data) or [folder or "."]
    for base in map(os.path.abspath, bases):
        for path in (os.path.join(base, place), os.path.join(base, os.path.basename(place))):
            if _is_data(path) and not leads_out(path, [os.path.realpath(base)]) and _stays_inside(path, base):
                return path
    if looks_like_scores(place):
        where, name = ", ".join(bases), os.path.basename(place)
        raise DelveError(f"expected the file {name} in {where}, found none; --data DIR names its directory")
    if not place.strip("/"):
        return None
    if ".." in place.split("/") or os.path.lexists(place):
        raise DelveError(f"expected a place of the archive, found {place}, a path outside of {bases[0]}")
    return place


def _is_data(path: str) -> bool:
    """Is this a file of scores, a directory of such files, or a delve directory?"""
    from delvecore.archive.scores.opening import holds_scores

    if os.path.isdir(path):
        return is_delve_directory(path) or holds_scores(path)
    return looks_like_scores(path) and os.path.isfile(path)


def _stays_inside(path: str, base: str) -> bool:
    """Do all links in a directory stay inside the base?"""
    below = (
        os.path.join(place, name)
        for place, folders, names in os.walk(path)
        for name in (*folders, *names)
        if os.path.islink(os.path.join(place, name))
    )
    return not any(leads_out(one, [os.path.realpath(base)]) for one in below)


def _with_paths(
    parser: argparse.ArgumentParser, words: Sequence[str], places: Sequence[str], paths: Sequence[str]
) -> list[str]:
    """Return the words without the places, with `--` and the paths at the end."""
    rest = [word for number, word in enumerate(words) if word != "--" or "--" in words[:number]]
    for place in reversed(places):
        if place in rest:
            del rest[len(rest) - 1 - rest[::-1].index(place)]
    changed = [*rest, "--", *paths]
    options, again = vars(_parsed(parser, words)), vars(_parsed(parser, changed))
    if any(again[name] != options[name] for name in options if name not in ("paths", "array")):
        raise _refused("a command with paths that look like options")
    return changed


@contextlib.contextmanager
def _delve_path(data: Sequence[str]) -> Iterator[None]:
    """Make the delve directories among the named directories the active ones."""
    roots = []
    for path in data:
        with contextlib.suppress(DelveError):  # a directory of files of scores
            roots += find_directories([path])
    before = os.environ.get("DELVE_PATH")
    if roots:
        os.environ["DELVE_PATH"] = os.pathsep.join(map(os.path.abspath, roots))
    try:
        yield
    finally:
        if roots and before is None:
            del os.environ["DELVE_PATH"]
        elif roots and before is not None:
            os.environ["DELVE_PATH"] = before


def _printed(module: object, words: Sequence[str]) -> str:
    """Return the output of a command. Raises DelveError if it fails."""
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape", newline="\n")
    errors = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = module.main(list(words))  # type: ignore[attr-defined]
    except SystemExit as end:
        code = end.code
    except OSError as error:
        raise DelveError(
            f"{error.filename or 'the data'}: {(error.strerror or str(error)).lower()}"
        ) from None
    if code:
        raise DelveError(" ".join(errors.getvalue().split()) or "expected numbers, found none")
    output.flush()
    return output.buffer.getvalue().decode("utf-8", "surrogateescape")
