"""`delve publish`: a static site of an archive or of scores, for the supplement of a paper."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from urllib.parse import urlsplit

from delvecore.cli.support.archives import score_options
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.places import setting_of
from delvecore.cli.support.ranking_options import (
    Ranked,
    add_ranked,
    analysis_of,
    check_ranked,
    find_ranked,
    provenance_of,
    rank_test,
)
from delvecore.errors import DelveError
from delvecore.library.site.files import check_directory, site_files, write_site
from delvecore.render.numbers import integer, significant
from delvecore.render.provenance import reading_words
from delvecore.report.paper.table import PaperRequest
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.verdicts import SINGLE, pair_verdicts

MEGABYTE = 1e6


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    check_ranked(options, parser)
    _check_address(options.dashboard)
    check_directory(options.directory)
    from delvecore.library.site.pages import Request, site_of

    ranked = find_ranked(options, command="delve publish")
    about = provenance_of(ranked, options, ("publish", *arguments))
    site = site_of(
        Request(
            ranked.archive,
            ranked.measure,
            ranked.table,
            _report(ranked, options),
            setting_of(options),
            readings=ranked.readings,
            is_part=bool(ranked.archive.paths and (options.paths or options.methods)),
            command=about.command(),
            provenance=about.lines(),
            dashboard=options.dashboard or "",
            paper=_paper(ranked, options),
        )
    )
    files = site_files(site)
    write_site(options.directory, files)
    size = significant(sum(map(len, files.values())) / MEGABYTE)
    print(f"{options.directory}: {integer(len(site.pages))} pages, {size} MB", file=sys.stderr)
    return 0


def _check_address(address: str | None) -> None:
    if address is not None and urlsplit(address).scheme not in ("http", "https"):
        raise DelveError(f"--dashboard {address}: expected an address that begins with http:// or https://")


def _report(ranked: Ranked, options: Namespace) -> RankingReport | None:
    """Return the ranking, None for a single task."""
    if len(ranked.table.tasks) == 1:
        return None
    analysis = analysis_of(ranked.table, options)
    notes = shared_case_notes(ranked.archive.results, set(ranked.table.task_paths))
    verdicts = pair_verdicts(analysis, rank_test(options))
    return RankingReport(
        analysis, verdicts, None, notes, top=options.top, single_places=options.places == SINGLE
    )


def _paper(ranked: Ranked, options: Namespace) -> PaperRequest:
    """Return the table of a paper that `delve table` makes with the same options."""
    archive, setting = ranked.archive, setting_of(options)
    is_scored = not archive.paths
    return PaperRequest(
        paths=tuple(ranked.table.task_paths) if options.paths and not is_scored else ("/",),
        loss=ranked.measure.key,
        methods=tuple(ranked.table.methods) if options.methods else (),
        level=setting.level,
        adjust=setting.adjust,
        unit=options.unit,
        files=tuple(archive.sources) if is_scored else (),
        reading=reading_words(score_options(options)) if is_scored else (),
        follow_links=options.follow_links,
    )


def command() -> ManualParser:
    parser = ManualParser(
        "delve publish",
        "write a static site of an archive or of scores",
        description="Write a site for the supplement of a paper: leaderboard, ranking with its diagram and "
        "all pairs, task-arrays, tasks, datasets, methods and tables. It needs no server: open index.html, "
        "or copy the directory to any host, such as GitHub Pages.",
        note="Each table can be downloaded as CSV, JSON and LaTeX, each figure as SVG. Pages load nothing "
        "from other hosts. The site is written next to DIR and takes its place when it is complete. A "
        "directory with other files than those of a published site is refused.",
        files=(
            ("DIR/index.html", "is the first page."),
            ("DIR/.delve-site", "lists the files of the site."),
        ),
        examples=(
            ("delve publish site", "Publish the archive."),
            ("delve publish site accuracies.csv --higher-is-better", "Publish a table of scores."),
            (
                "delve publish site --dashboard https://delve.example.org",
                "Link each page to the same view of a dashboard.",
            ),
        ),
    )
    parser.add_argument(
        "directory", metavar="DIR", help="the directory of the site, which is made if it is new"
    )
    add_ranked(parser)
    meaning = "address of a dashboard with the same data, which pages link"
    parser.add_argument("--dashboard", metavar="URL", help=meaning)
    return parser
