"""`delve publish`: a static site of an archive or of scores, for the supplement of a paper."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from delvecore.cli.support.places import setting_of
from delvecore.cli.support.ranked import Ranked, analysis_of, find_ranked, provenance_of
from delvecore.cli.support.ranking_options import rank_test
from delvecore.cli.support.score_options import score_options
from delvecore.library.site.files import check_directory, site_files, write_site
from delvecore.render.numbers import integer, significant
from delvecore.render.provenance import reading_words
from delvecore.report.paper.table import PaperRequest
from delvecore.report.ranking.ranking_report import RankingReport
from delvecore.report.verdict_words import shared_case_notes
from delvecore.stats.choose import SINGLE
from delvecore.stats.verdicts import pair_verdicts

MEGABYTE = 1e6


def publish(options: Namespace, arguments: Sequence[str]) -> int:
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
