"""`delve table`: tables for papers in eight formats, with their provenance."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace

from delvecore.cli.support.context import print_bytes
from delvecore.cli.support.manual import (
    LOSSES,
    SPECIFICATIONS,
    STATISTICS,
    ManualParser,
    add_follow_links,
    add_scheduler,
)
from delvecore.cli.support.places import add_names, add_setting, add_unit, chosen_names, path_text
from delvecore.cli.support.score_options import add_scores, score_options
from delvecore.errors import DelveError
from delvecore.losses.standard_losses import PREFERRED
from delvecore.render.provenance import reading_words
from delvecore.render.verdicts import NOT_WORSE, SIGNIFICANTLY
from delvecore.stats.choose import RankTest
from delvecore.writers.files import write_atomically

FORMATS = ("text", "latex", "latex-siunitx", "markdown", "html", "typst", "csv", "parquet")
"""Those of `report/paper/table.py`, which --help need not load."""
AS_GIVEN = (
    *("reference", "methods_in", "raw", "level", "adjust", "unit", "ranks", "published", "digits"),
    *("top", "mine", "follow_links"),
)
"""Options that are fields of a request without a change."""


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if (
        options.format == "parquet"
        and options.output is None
        and sys.stdout.isatty()
        and not options.template
    ):
        parser.error("--format parquet: expected --output FILE, since a terminal cannot show it")
    from delvecore.archive.score_tables import measure_ranked, paper_table, usual_loss, with_chosen_metric
    from delvecore.cli.support.archives import open_places, open_scores, with_loss
    from delvecore.render.csv import template_text
    from delvecore.report.paper.table import PaperRequest, paper_table_bytes
    from delvecore.tables import values_in

    links = options.follow_links
    if options.template:
        archive, places = open_places(options.paths, follow_links=links)
        text = template_text(archive.tasks, options.loss or PREFERRED[0], places)
        _write(text.encode(), options.output)
        return 0
    scored = open_scores(options.paths, options)
    archive, places = scored or open_places(options.paths, follow_links=links)
    files, reading = tuple[str, ...](), tuple[str, ...]()
    if scored is None:
        archive, loss = with_loss(archive, options.loss, places, command="delve table")
    else:
        loss = measure_ranked(archive, options.loss or usual_loss(archive)).key
        as_typed = {os.path.abspath(path): path for path in options.paths}
        files = tuple(as_typed.get(path, path) for path in archive.sources)
        reading = reading_words(score_options(options))
    methods = tuple(chosen_names(options.methods, values_in(archive.methods, "method")))
    try:
        request = PaperRequest(
            paths=tuple(dict.fromkeys(map(path_text, places or [()]))),
            loss=loss,
            methods=methods,
            keep=methods,
            by=_words(options.by),
            marks=_words("" if options.marks == "none" else options.marks),
            test=RankTest[options.test.upper()],
            files=files,
            reading=reading,
            **{name: getattr(options, name) for name in AS_GIVEN},
        )
    except ValueError as error:
        raise DelveError(str(error)) from None
    table = paper_table(archive.on(options.scheduler) if options.scheduler else archive, request)
    if scored is not None and loss is not None and not options.loss:
        table = replace(table, readings=with_chosen_metric(archive, loss, table.readings))
    _write(paper_table_bytes(table, options.format, bare=options.bare), options.output)
    return 0


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((text or "").replace(",", " ").split()))


def _write(content: bytes, path: str | None) -> None:
    if path is None:
        print_bytes([content])
    else:
        write_atomically(path, content, alone=False)


def command() -> ManualParser:
    parser = ManualParser(
        "delve table",
        "make a table for a paper",
        description="Make a table for a paper: estimates with their errors by task and method, and "
        f"average ranks. The best is bold, methods {NOT_WORSE} are marked, and footnotes explain the "
        "marks and how p was computed. The same request gives the same bytes, even on the Tables page.",
        note="Each table includes its provenance, in a comment if the format has comments. It "
        "names the archive's state, a digest of the numbers, all options and the command that makes "
        "the table again.",
        files=(*SPECIFICATIONS, LOSSES, STATISTICS),
        examples=(
            (
                "delve table /demo --loss Z --format latex",
                "Print all methods on the tasks of a dataset in LaTeX.",
            ),
            (
                "delve table --by size --loss S --methods-in rows",
                "Average over the tasks of each training size.",
            ),
            ("delve table scores.csv --higher-is-better", "Rank methods by your own scores."),
        ),
    )
    meaning = (
        "tasks, prototasks or datasets, such as /demo/age/std.128 or /demo (default: all); or "
        "files of scores, such as scores.csv"
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help=meaning)
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="format of the output (default: text)"
    )
    parser.add_argument("--output", metavar="FILE", help="write this file instead of standard output")
    _add_layout(parser)
    _add_marks(parser)
    add_scores(parser, method=None)
    meaning = (
        "instead, print an empty table of the tasks to fill in: CSV with a column for the losses of a method"
    )
    parser.add_argument("--template", action="store_true", help=meaning)
    parser.add_argument("--bare", action="store_true", help="leave out the provenance")
    add_scheduler(parser, "test single tasks")
    add_follow_links(parser)
    return parser


def _add_layout(parser: ManualParser) -> None:
    parser.add_argument(
        "--loss", metavar="LOSS", help="loss or metric, such as S or rmse (default: that of most tasks)"
    )
    add_names(parser.add_argument)
    parser.add_argument(
        "--reference", metavar="METHOD", help=f"mark the methods that differ {SIGNIFICANTLY} from this one"
    )
    meaning = "show this many methods, those with the best average ranks, best first; all are ranked"
    parser.add_argument("--top", type=int, metavar="N", help=meaning)
    parser.add_argument("--mine", metavar="METHOD", help="your method: a note reports its result")
    meaning = (
        "rows are levels of a factor, with means over their tasks: size, family, dataset, "
        "prototask, type, origin, usage, or a factor of a task-array; name two as 'noise size'"
    )
    parser.add_argument("--by", metavar="FACTORS", help=meaning)
    parser.add_argument(
        "--methods-in",
        choices=("columns", "rows"),
        default="columns",
        help="are methods columns (default) or rows?",
    )
    parser.add_argument("--raw", action="store_true", help="losses in their own unit, not standardized")


def _add_marks(parser: ManualParser) -> None:
    add_setting(parser.add_argument)
    meaning = f"what to mark: some of best, equal ({NOT_WORSE}) and reference, or none"
    parser.add_argument("--marks", default="best equal reference", metavar="NAMES", help=meaning)
    add_unit(parser.add_argument)
    words = [test.word for test in RankTest if test != RankTest.CONTROL]
    meaning = f"test that compares average ranks with the best (default: {words[0]})"
    parser.add_argument("--test", choices=words, default=words[0], help=meaning)
    parser.add_argument("--no-ranks", dest="ranks", action="store_false", help="leave out the average ranks")
    about = "leave out published results on the tasks"
    parser.add_argument("--no-published", dest="published", action="store_false", help=about)
    meaning = (
        "how to round: two significant digits of the error of each cell (default), or of the "
        "smallest error in its row or column; or a number of decimals"
    )
    parser.add_argument("--digits", default="cell", metavar="RULE", help=meaning)
