"""`delve table`: the table of a paper, in eight formats, with what reproduces it."""

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from delvecore.commands.frame.completers import any_of, data_paths, files, losses, methods
from delvecore.commands.frame.context import active_hierarchy
from delvecore.commands.frame.manual import ManualParser
from delvecore.commands.frame.manual_files import LOSSES, SPECIFICATIONS, STATISTICS
from delvecore.commands.frame.names import add_names, chosen_names
from delvecore.commands.frame.places import path_text, places_of
from delvecore.errors import DelveError
from delvecore.statistics.choose import DEFAULT_LEVEL

if TYPE_CHECKING:
    from delvecore.report.paper.request import PaperRequest
    from delvecore.report.paper.table import PaperTable

__all__ = ["command", "main"]

FORMATS = ("text", "latex", "latex-siunitx", "markdown", "html", "typst", "csv", "parquet")
"""Those of `report/paper/formats.py`, which --help need not load."""


def main(arguments: Sequence[str]) -> int:
    """Print or write a table; return 0."""
    parser = command()
    options = parser.parse_args(arguments)
    files = [path for path in options.paths if path.lower().endswith(".csv")]
    if files and len(options.paths) > 1:
        parser.error(f"expected one file of scores, or paths of an archive, found {' '.join(options.paths)}")
    if options.format == "parquet" and options.output is None and sys.stdout.isatty():
        parser.error("--format parquet: expected --output FILE, since a terminal cannot show it")
    # Imported here: these need NumPy and Arrow, which --help need not wait for.
    from delvecore.report.paper.formats import paper_table_bytes

    table = _table_of_file(options, files[0]) if files else _table_of_archive(options)
    content = paper_table_bytes(table, options.format, bare=options.bare)
    _write(content, options.output)
    return 0


def _table_of_archive(options: argparse.Namespace) -> "PaperTable":
    import delvecore
    from delvecore.report.paper.source import archive_paper_table

    if options.higher_is_better:
        raise DelveError("expected --higher-is-better with a file of scores only: losses are better lower")
    hierarchy = active_hierarchy(os.getcwd())
    paths = tuple(map(path_text, places_of(hierarchy, options.paths, os.getcwd()) or [()]))
    archive = delvecore.open(hierarchy.roots)
    return archive_paper_table(archive, _request(options, paths, archive.methods["method"].to_pylist()))


def _table_of_file(options: argparse.Namespace, path: str) -> "PaperTable":
    from delvecore.readers.files import read_text
    from delvecore.report.paper.source import score_paper_table
    from delvecore.statistics.ranking.score_table import parse_score_table

    scores = parse_score_table(read_text(path), path, higher_is_better=options.higher_is_better)
    return score_paper_table(scores, _request(options, (path,), scores.methods))


def _request(options: argparse.Namespace, paths: Sequence[str], known: Collection[str]) -> "PaperRequest":
    from delvecore.report.paper.request import PaperRequest

    try:
        return PaperRequest(
            paths=tuple(dict.fromkeys(paths)),
            loss=options.loss,
            methods=chosen_names(options.methods, known),
            reference=options.reference,
            by=_words(options.by),
            transpose=options.transpose,
            raw=options.raw,
            level=options.level,
            adjust=options.adjust,
            marks=_words("" if options.marks == "none" else options.marks),
            ranks=options.ranks,
            digits=options.digits,
            higher_is_better=options.higher_is_better,
        )
    except ValueError as error:
        raise DelveError(str(error)) from None


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((text or "").replace(",", " ").split()))


def _write(content: bytes, path: str | None) -> None:
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    beside = f"{path}.{os.getpid()}.part"
    try:
        with open(beside, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise DelveError(f"{path}: expected to write it, found {said}") from None
    finally:
        if os.path.lexists(beside):
            os.unlink(beside)


def command() -> ManualParser:
    """Return what the command takes and tells of itself."""
    parser = ManualParser(
        "delve table",
        "make the table of a paper",
        description="Make the table of a paper: estimates with their errors by task and method, the best "
        "in bold, those not significantly worse marked, average ranks, footnotes on the marks "
        "and on how p was computed. The same request gives the same bytes, as does the page Tables.",
        note="Every format carries its provenance, as a comment where it has comments: the archive's "
        "state, a digest of the numbers, all options and the command that makes it again.",
        files=(*SPECIFICATIONS, LOSSES, STATISTICS),
        examples=(
            (
                "delve table /demo --loss Z --format latex",
                "Set all methods on the tasks of a dataset in LaTeX.",
            ),
            ("delve table --by size --loss S --transpose", "Average over the tasks of each training size."),
            ("delve table scores.csv --higher-is-better", "Rank methods by your own scores."),
        ),
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="tasks, prototasks or datasets: /demo/age/std.128, /demo; without any, all. Or one file of "
        "scores, tasks x methods: scores.csv",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is written")
    parser.add_argument("--output", metavar="FILE", help="write this file instead of standard output")
    _add_layout(parser)
    _add_marks(parser)
    parser.add_argument("--higher-is-better", action="store_true", help="of scores in a file")
    parser.add_argument("--bare", action="store_true", help="leave out the provenance")
    parser.complete(
        paths=any_of(data_paths(tasks=True), files),
        output=files,
        loss=losses,
        methods=methods,
        reference=methods,
    )
    return parser


def _add_layout(parser: ManualParser) -> None:
    """What the rows and columns are."""
    parser.add_argument("--loss", metavar="LOSS", help="such as S or Z0.2N (default: that of most tasks)")
    add_names(parser.add_argument)
    parser.add_argument("--reference", metavar="METHOD", help="mark what differs significantly from it")
    parser.add_argument(
        "--by",
        metavar="FACTORS",
        help="rows are levels of factors, means over their tasks: size, dataset, prototask, type, origin, "
        "usage, or a factor of a task-array; two of them: 'noise size'",
    )
    parser.add_argument("--transpose", action="store_true", help="methods in rows")
    parser.add_argument("--raw", action="store_true", help="losses in their own unit, not standardized")


def _add_marks(parser: ManualParser) -> None:
    """What is marked, on which grounds, and how numbers are written."""
    parser.add_argument(
        "--level",
        type=float,
        default=DEFAULT_LEVEL,
        metavar="LEVEL",
        help=f"of confidence (default: {DEFAULT_LEVEL})",
    )
    parser.add_argument(
        "--adjust",
        choices=("holm", "bonferroni", "none"),
        default="holm",
        help="p for the comparisons with the best of a task (default: holm)",
    )
    parser.add_argument(
        "--marks",
        default="best equal reference",
        metavar="NAMES",
        help="what is marked, of: best, equal (not significantly worse), reference; or none",
    )
    parser.add_argument("--no-ranks", dest="ranks", action="store_false", help="leave out the average ranks")
    parser.add_argument(
        "--digits",
        default="cell",
        metavar="RULE",
        help="two significant digits of the error of each cell (default), of the smallest error of its row "
        "or column; or a number of decimals",
    )
