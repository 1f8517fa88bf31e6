"""`delve rank`: which methods are best over many tasks, and how sure that is."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from delvecore.commands.frame.completers import any_of, data_paths, files, losses, methods
from delvecore.commands.frame.context import active_hierarchy
from delvecore.commands.frame.manual import ManualParser
from delvecore.commands.frame.places import Names, places_of
from delvecore.commands.frame.printing import print_text
from delvecore.commands.frame.results import faults_of
from delvecore.errors import DelveError
from delvecore.statistics.choose import level_of

if TYPE_CHECKING:
    from delvecore.archive import Archive
    from delvecore.statistics.ranking.analysis import Analysis
    from delvecore.statistics.ranking.combined import CombinedPairs
    from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["command", "main"]

FORMATS = ("text", "json", "csv", "latex")
TABLE_SUFFIX = ".csv"


class _Request(NamedTuple):
    """What was asked for. paths: of a table, of tasks or of delve directories; empty for all tasks."""

    paths: list[str]
    loss: str | None
    control: str | None
    alpha: float
    higher_is_better: bool
    zeros: str
    drop: str
    rope: float
    test_share: float
    format: str


def main(arguments: Sequence[str]) -> int:
    """Print the ranking of the methods of a table, or of an archive; return 0."""
    parser = command()
    request = _Request(**vars(parser.parse_args(arguments)))
    if not 0 < request.alpha < 1:
        parser.error(f"--alpha: expected a level between 0 and 1, found {request.alpha:g}")
    if not 0 <= request.rope < float("inf"):
        parser.error(f"--rope: expected a width of at least 0, found {request.rope:g}")
    if not 0 <= request.test_share < 1:
        parser.error(
            f"--test-share: expected a share of at least 0 and below 1, found {request.test_share:g}"
        )
    # Imported here: this needs NumPy and SciPy, which --help need not wait for.
    from delvecore.report.ranking.text import ranking_text
    from delvecore.statistics.ranking.analysis import analyse

    archive, table = _table(request)
    facts = {name: getattr(request, name) for name in ("control", "alpha", "zeros", "drop", "rope")}
    try:
        found = analyse(table, **facts, test_share=request.test_share)
    except ValueError as error:
        raise DelveError(f"{_source(request)}: {error}") from None
    combined = _combined(archive, found, request)
    about = _about(archive, table, arguments=arguments, request=request) if request.format == "latex" else ""
    print_text(about + ranking_text(found, request.format, combined=combined))
    return 0


def _about(
    archive: "Archive | None", table: "ScoreTable", *, arguments: Sequence[str], request: _Request
) -> str:
    """Return where the ranking comes from, as comments of LaTeX."""
    from delvecore.report.provenance import Provenance, digest_of, latex_comment

    rows = zip(table.tasks, table.values.tolist(), strict=True)
    names = ("control", "alpha", "zeros", "drop", "rope", "test_share", "higher_is_better")
    chosen = [(name.replace("_", " "), str(getattr(request, name))) for name in names]
    loss = [("loss", _loss(request))] if archive else []
    sources = archive.paths if archive else request.paths
    about = Provenance(
        ", ".join(os.path.basename(path) for path in sources),
        archive.state if archive else "",
        digest_of([("task", *table.methods), *((task, *values) for task, values in rows)]),
        (*loss, *chosen),
        ("delve", "rank", *arguments),
    )
    return latex_comment(about.lines())


def _combined(archive: "Archive | None", found: "Analysis", request: _Request) -> "CombinedPairs | None":
    """DELVE's own comparisons; None for a table from a file and formats that do not show them."""
    from delvecore.archive.score_tables import archive_combined

    if archive is None or request.format not in ("text", "json"):
        return None
    return archive_combined(archive, found.table, loss=_loss(request), level=level_of(request.alpha))


def _loss(request: _Request) -> str:
    return request.loss or "S"


def _table(request: _Request) -> tuple["Archive | None", "ScoreTable"]:
    """Return (archive or None, table)."""
    from delvecore.archive.score_tables import archive_score_table, read_score_table

    tables = [path for path in request.paths if _is_table(path)]
    if tables:
        if len(request.paths) > 1:
            raise DelveError(f"{tables[0]}: expected one table, or paths of tasks, found {_source(request)}")
        if request.loss is not None:
            raise DelveError("--loss: expected only with an archive; the values of a table are what they are")
        return None, read_score_table(tables[0], higher_is_better=request.higher_is_better)
    if request.higher_is_better:
        raise DelveError("--higher-is-better: expected only with a table; losses are better the lower")
    archive, places = _archive(request.paths)
    if faults := faults_of(archive):
        print(f"delve rank: {faults}", file=sys.stderr)
    return archive, archive_score_table(archive, places, loss=_loss(request))


def _is_table(path: str) -> bool:
    return path.endswith(TABLE_SUFFIX) or os.path.isfile(path)


def _archive(paths: Sequence[str]) -> tuple["Archive", list[Names]]:
    """Return (archive, places): paths are those of tasks, or of delve directories."""
    import delvecore
    from delvecore.readers.hierarchy import find_directories

    if paths and all(os.path.isdir(path) for path in paths):
        try:
            return delvecore.open(find_directories(paths)), []
        except DelveError:
            pass  # directories inside of a delve directory are places, too
    hierarchy = active_hierarchy(os.getcwd())
    places = places_of(hierarchy, paths, os.getcwd())
    return delvecore.open(hierarchy.roots), places


def _source(request: _Request) -> str:
    return " ".join(request.paths) or "/"


def command() -> ManualParser:
    """Return what the command takes and tells of itself."""
    parser = ManualParser(
        "delve rank",
        "rank methods over many tasks, and test which differ",
        description="Rank methods over many tasks: mean ranks, Friedman's test with Iman and Davenport's, "
        "Quade's, Nemenyi's critical difference and groups, Bonferroni-Dunn against a control, Wilcoxon's "
        "signed-rank test and the t-test of all pairs with Holm's adjustment, Bayesian tests.",
        note="A TABLE.csv has tasks in its first column and the methods' names in its header; empty fields "
        "are missing values. Otherwise the standardized losses of an archive are ranked: of the tasks below "
        "each PATH, such as /demo, or of the delve directories given, or of all tasks.",
        files=(("TABLE.csv", "has tasks in its first column and the names of methods in its header."),),
        examples=(
            ("delve rank accuracies.csv --higher-is-better", "Rank the methods of a table."),
            ("delve rank --loss S --control lin-1", "Rank all methods of the archive, lin-1 as the control."),
            ("delve rank /demo --format json", "Print everything that was found, for other programs."),
        ),
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="TABLE.csv, or places of tasks",
    )
    parser.add_argument("--loss", metavar="S", help="the loss, of an archive (default: S)")
    parser.add_argument("--control", metavar="M", help="the method that the others are held against")
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="ALPHA", help="the level (default: 0.05)"
    )
    parser.add_argument(
        "--higher-is-better", action="store_true", help="the table has scores, not losses, such as accuracy"
    )
    _add_choices(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="of what is printed")
    parser.complete(paths=any_of(data_paths(tasks=True), files), loss=losses, control=methods)
    return parser


def _add_choices(parser: ManualParser) -> None:
    parser.add_argument(
        "--zeros",
        choices=("drop", "pratt"),
        default="drop",
        help="what Wilcoxon's test does with equal values: drop them, or rank them with the others",
    )
    parser.add_argument(
        "--drop",
        choices=("tasks", "methods"),
        default="tasks",
        help="what is left out where values are missing (default: tasks)",
    )
    parser.add_argument(
        "--rope",
        type=float,
        default=0.0,
        metavar="WIDTH",
        help="differences up to this are practically none, for the Bayesian tests (default: 0)",
    )
    parser.add_argument(
        "--test-share",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="where the lines of the table are overlapping training sets: share of cases in a test set, "
        "0.1 for 10 folds, for the corrected t-test and the correlated Bayesian one",
    )
