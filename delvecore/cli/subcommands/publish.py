"""`delve publish`: a static site of an archive or of scores, for the supplement of a paper."""

import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.ranking_options import add_ranked, check_ranked, rank_test
from delvecore.cli.support.score_options import score_options
from delvecore.errors import DelveError
from delvecore.render.numbers import integer, significant
from delvecore.stats.choose import SINGLE

MEGABYTE = 1e6


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    check_ranked(options, parser)
    address = options.dashboard
    if address is not None and urlsplit(address).scheme not in ("http", "https"):
        raise DelveError(f"--dashboard {address}: expected an address that begins with http:// or https://")
    from delvecore.library.site.files import check_directory, site_files, write_site

    check_directory(options.directory)
    from delvecore.cli.support.ranked import analysis_of, find_ranked, provenance_of, readings_of
    from delvecore.library.site.pages import Request, site_of
    from delvecore.render.provenance import reading_words
    from delvecore.report.paper.table import PaperRequest
    from delvecore.report.ranking.ranking_report import RankingReport
    from delvecore.report.verdict_words import shared_case_notes
    from delvecore.stats.verdicts import pair_verdicts

    ranked = find_ranked(options, command="delve publish")
    archive, table, setting = ranked.archive, ranked.table, ranked.setting
    about, is_scored = provenance_of(ranked, options, ("publish", *arguments)), not archive.paths
    report = None  # for a single task
    if len(table.tasks) > 1:
        analysis = analysis_of(table, options)
        notes = shared_case_notes(archive.results, set(table.task_paths))
        verdicts, is_single = pair_verdicts(analysis, rank_test(options)), options.places == SINGLE
        report = RankingReport(analysis, verdicts, None, notes, top=options.top, single_places=is_single)
    # The table of a paper that `delve table` makes with the same options.
    paper = PaperRequest(
        paths=tuple(table.task_paths) if options.paths and not is_scored else ("/",),
        loss=ranked.measure.key,
        methods=tuple(table.methods) if options.methods else (),
        level=setting.level,
        adjust=setting.adjust,
        unit=options.unit,
        files=tuple(archive.sources) if is_scored else (),
        reading=reading_words(score_options(options)) if is_scored else (),
        follow_links=options.follow_links,
    )
    site = site_of(
        Request(
            archive,
            ranked.measure,
            table,
            report,
            setting,
            readings=readings_of(ranked, options),
            is_part=bool(archive.paths and (options.paths or options.methods)),
            command=about.command(),
            provenance=about.lines(),
            dashboard=address or "",
            paper=paper,
        )
    )
    files = site_files(site)
    write_site(options.directory, files)
    size = significant(sum(map(len, files.values())) / MEGABYTE)
    print(f"{options.directory}: {integer(len(site.pages))} pages, {size} MB", file=sys.stderr)
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve publish",
        "write a static site of an archive or of scores",
        description="Write a site for the supplement of a paper: leaderboard, ranking with its diagram and "
        "all pairs, task-arrays, tasks, datasets, methods and tables. It needs no server: open index.html, "
        "or copy the directory to any host, such as GitHub Pages.",
        note="Each table can be downloaded as CSV, JSON and LaTeX, each figure as SVG. Pages load nothing "
        "from other hosts. The site is written next to DIR and replaces DIR when it is complete. A "
        "directory with files that are not part of a published site is refused.",
        files=(("DIR/index.html", "is the first page."), ("DIR/.delve-site", "lists the files of the site.")),
        examples=(
            ("delve publish site", "Publish the archive."),
            ("delve publish site accuracies.csv --higher-is-better", "Publish a table of scores."),
            (
                "delve publish site --dashboard https://delve.example.org",
                "Add to each page a link to the same view of a dashboard.",
            ),
        ),
    )
    parser.add_argument("directory", metavar="DIR", help="the directory of the site, created if needed")
    add_ranked(parser)
    meaning = "address of a dashboard with the same data, for links from the pages"
    parser.add_argument("--dashboard", metavar="URL", help=meaning)
    return parser
