"""`delve rank`: which methods are best over many tasks, and how sure that is."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from delvecore.commands.frame.completers import any_of, data_paths, files, losses, methods
from delvecore.commands.frame.context import active_hierarchy, print_text
from delvecore.commands.frame.manual import ManualParser, add_follow_links
from delvecore.commands.frame.places import Names, add_setting, add_unit, faults_of, places_of
from delvecore.commands.frame.scores import add_scores, open_scores, score_options
from delvecore.errors import DelveError
from delvecore.report.ranking.questions import DEFAULT_MARGIN, OF_SINGLE_TASKS, QUESTIONS, Asked
from delvecore.statistics.choose import RankTest, Setting, level_of

if TYPE_CHECKING:
    from delvecore.archive import Archive
    from delvecore.readers.scores.records import ScoreOptions
    from delvecore.report.ranking.findings import Finding
    from delvecore.statistics.ranking.analysis import Analysis
    from delvecore.statistics.ranking.combined import CombinedPairs
    from delvecore.statistics.ranking.score_table import ScoreTable

__all__ = ["command", "main"]

FORMATS = ("text", "json", "csv", "latex")
_CONTROL = "Bonferroni-Dunn, all against --control"


class _Request(NamedTuple):
    """What was asked for. paths: of a table, of tasks or of delve directories; empty for all tasks."""

    paths: list[str]
    loss: str | None
    unit: str | None
    control: str | None
    test: str
    level: float
    adjust: str
    zeros: str
    drop: str
    rope: float | None
    test_share: float
    show: str | None
    all: bool
    format: str
    follow_links: bool
    scores: "ScoreOptions"

    @property
    def setting(self) -> Setting:
        return Setting(self.level, self.adjust)

    @property
    def rank_test(self) -> RankTest:
        return RankTest[self.test.upper()]


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    request = _Request(scores=score_options(options), **vars(options))
    _check(request, parser)
    # Imported here: this needs NumPy and SciPy, which --help need not wait for.
    from delvecore.archive.questions import of_single_tasks, of_tasks_together
    from delvecore.report.ranking.asked import RankingReport
    from delvecore.report.ranking.text import ranking_text
    from delvecore.report.shared_cases import shared_case_notes
    from delvecore.statistics.ranking.analysis import analyse
    from delvecore.statistics.ranking.pair_verdicts import pair_verdicts

    ranked = _find(request)
    archive, table = ranked.archive, ranked.table
    origin = _about(ranked, request, arguments) if request.format == "latex" else ""
    said = shared_case_notes(archive.results, set(ranked.paths.values()))
    is_known = ranked.is_tested or (request.show == "front" and archive.costs.num_rows)
    of_question = archive if is_known else None
    if request.show in OF_SINGLE_TASKS:
        print_text(
            origin + _answer(of_single_tasks(_asked(request, ranked), of_question, table), request, said)
        )
        return 0
    facts = {name: getattr(request, name) for name in ("unit", "control", "zeros", "drop", "test_share")}
    setting = request.setting
    facts |= {"alpha": setting.alpha, "adjustment": setting.adjust, "rope": request.rope or 0.0}
    try:
        found = analyse(table, **facts)
    except ValueError as error:
        raise DelveError(f"{_source(request)}: {error}") from None
    if request.show:
        asked = _asked(request, ranked)
        print_text(origin + _answer(of_tasks_together(asked, of_question, found), request, said))
        return 0
    combined = _combined(ranked, found, setting) if request.format in ("text", "json") else None
    verdicts = pair_verdicts(found, request.rank_test)
    report = RankingReport(found, verdicts, combined, said, is_whole=request.all)
    print_text(origin + ranking_text(report, request.format))
    return 0


def _combined(ranked: "_Found", found: "Analysis", setting: Setting) -> "CombinedPairs | None":
    """Return what the tests of single tasks say together; None where no task can be tested by itself."""
    from delvecore.archive.score_tables import archive_combined

    if not ranked.is_tested:
        return None
    table = replace(found.table, tasks=tuple(ranked.paths[name] for name in found.table.tasks))
    return archive_combined(ranked.archive, table, unit=found.unit, loss=ranked.loss, setting=setting)


def _check(request: _Request, parser: ManualParser) -> None:
    """End the command where what was asked for means nothing."""
    if request.rope is not None and not 0 <= request.rope < float("inf"):
        parser.error(f"--rope: expected a width of at least 0, found {request.rope:g}")
    if not 0 <= request.test_share < 1:
        share = request.test_share
        parser.error(f"--test-share: expected a share of at least 0 and below 1, found {share:g}")
    if request.rank_test == RankTest.CONTROL and request.control is None:
        raise DelveError("--test control: expected the method that others are held against, as --control M")


def _asked(request: _Request, ranked: "_Found") -> Asked:
    margin = DEFAULT_MARGIN if request.rope is None else request.rope
    if request.show in ("equivalence", "same") and not margin:
        raise DelveError(f"--rope: expected a width above 0 for --show {request.show}, found 0")
    setting = request.setting
    return Asked(request.show or "", ranked.loss, setting.alpha, margin, setting.adjust)


def _answer(found: "Finding", request: _Request, said: Sequence[str]) -> str:
    from delvecore.report.ranking.findings import finding_text

    return finding_text(replace(found, notes=(*found.notes, *said)), request.format)


def _about(ranked: "_Found", request: _Request, words: Sequence[str]) -> str:
    from delvecore.report.provenance import Provenance, digest_of, latex_comment

    archive, table = ranked.archive, ranked.table
    rows = zip(table.tasks, table.values.tolist(), strict=True)
    names = (
        "unit",
        "control",
        "level",
        "adjust",
        "zeros",
        "drop",
        "rope",
        "test_share",
        "test",
    )
    chosen = [(name.replace("_", " "), str(getattr(request, name))) for name in names]
    about = Provenance(
        ", ".join(os.path.basename(path) for path in archive.sources),
        archive.state,
        digest_of([("task", *table.methods), *((task, *values) for task, values in rows)]),
        (("loss", ranked.loss), *chosen),
        ("delve", "rank", *words),
    )
    return latex_comment(about.lines())


class _Found(NamedTuple):
    """What is ranked. table: losses on the archive's tasks, or scores as files have them; paths: of its tasks
    in the archive, by their names in the table."""

    archive: "Archive"
    loss: str
    table: "ScoreTable"
    paths: Mapping[str, str]

    @property
    def is_tested(self) -> bool:
        """Are there several training sets of some task, so that it can be tested by itself?"""
        return any(count > 1 for count in self.archive.results["instances"].to_pylist())


def _find(request: _Request) -> _Found:
    from delvecore.archive.score_tables import archive_score_table, loss_named, scored_table, usual_loss

    links = request.follow_links
    scored = open_scores(request.paths, request.scores, command="delve rank", follow_links=links)
    of_scores = scored is not None and scored.is_alone
    archive, places = scored or _archive(request.paths, follow_links=links)
    if scored is None and (faults := faults_of(archive)):
        print(f"delve rank: {faults}", file=sys.stderr)
    loss = request.loss or (usual_loss(archive) if of_scores else "S")
    loss = loss_named(archive, loss) if of_scores else loss
    if of_scores and not request.show:
        return _Found(archive, loss, *scored_table(archive, places, loss=loss))
    table = archive_score_table(archive, places, loss=loss)
    return _Found(archive, loss, table, dict(zip(table.tasks, table.tasks, strict=True)))


def _archive(paths: Sequence[str], *, follow_links: bool) -> tuple["Archive", list[Names]]:
    """Return (archive, places): paths are those of tasks, or of delve directories."""
    import delvecore
    from delvecore.readers.hierarchy import find_directories

    if paths and all(os.path.isdir(path) for path in paths):
        try:
            return delvecore.open(find_directories(paths), follow_links=follow_links), []
        except DelveError:
            pass  # directories inside of a delve directory are places, too
    hierarchy = active_hierarchy(os.getcwd(), follow_links=follow_links)
    places = places_of(hierarchy, paths, os.getcwd())
    return delvecore.open(hierarchy.roots, follow_links=follow_links), places


def _source(request: _Request) -> str:
    return " ".join(request.paths) or "/"


def command() -> ManualParser:
    parser = ManualParser(
        "delve rank",
        "rank methods over many tasks, and test which differ",
        description="Rank methods over many tasks: mean ranks, Friedman's test with Iman and Davenport's, "
        "Quade's, Nemenyi's critical difference and groups, Bonferroni-Dunn against a control, Wilcoxon's "
        "signed-rank test, the t-test and sign flips of all pairs, their p adjusted, Bayesian tests.",
        note="A TABLE.csv has tasks in its first column and the methods' names in its header; empty fields "
        "are missing values. A column dataset, or names of tasks such as age/std.128, say which tasks belong "
        "together, and a column family which datasets do. Otherwise the standardized losses of an archive "
        "are ranked: of the tasks below each PATH, such as /demo, of delve directories given, or all.",
        files=(("TABLE.csv", "has tasks in its first column and the names of methods in its header."),),
        examples=(
            ("delve rank accuracies.csv --higher-is-better", "Rank the methods of a table."),
            ("delve rank --loss S --control lin-1", "Rank all methods of the archive, lin-1 as the control."),
            ("delve rank /demo --format json", "Print everything that was found, for other programs."),
        ),
    )
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="TABLE.csv, or places of tasks")
    add("--loss", metavar="S", help="the loss, of an archive (default: S)")
    add("--control", metavar="M", help="the method that the others are held against")
    words = [test.word for test in RankTest]
    meaning = f"by which the first line, verdicts and groups go (default: {words[0]}); control: {_CONTROL}"
    add("--test", choices=words, default=words[0], help=meaning)
    add_unit(add)
    add_setting(add)
    meaning = "the same as a --level of one less this"
    add("--alpha", type=_level, dest="level", default=argparse.SUPPRESS, metavar="ALPHA", help=meaning)
    add_scores(add)
    _add_choices(parser)
    about = "; ".join(f"{word}: {meaning}" for word, meaning in QUESTIONS.items())
    add("--show", choices=QUESTIONS, metavar="QUESTION", help=f"answer one question instead: {about}")
    add("--all", action="store_true", help="print all methods, pairs and groups as text, not the first only")
    add("--format", choices=FORMATS, default="text", help="of what is printed")
    add_follow_links(parser)
    parser.complete(paths=any_of(data_paths(tasks=True), files), loss=losses, control=methods)
    return parser


def _level(alpha: str) -> float:
    """Return the confidence that a significance leaves."""
    return level_of(float(alpha))


def _add_choices(parser: ManualParser) -> None:
    meaning = "what Wilcoxon's test does with equal values: drop them, or rank them with the others"
    parser.add_argument("--zeros", choices=("drop", "pratt"), default="drop", help=meaning)
    meaning = "what is left out where values are missing (default: tasks)"
    parser.add_argument("--drop", choices=("tasks", "methods"), default="tasks", help=meaning)
    meaning = (
        "differences up to this are practically none, for the Bayesian tests (default: 0) and those of "
        "--show (default: 0.01)"
    )
    parser.add_argument("--rope", type=float, metavar="WIDTH", help=meaning)
    meaning = (
        "where the lines of the table are overlapping training sets: share of cases in a test set, "
        "0.1 for 10 folds, for the corrected t-test and the correlated Bayesian one"
    )
    parser.add_argument("--test-share", type=float, default=0.0, metavar="SHARE", help=meaning)
