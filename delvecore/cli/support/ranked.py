"""The table that `delve rank`, `report` and `publish` rank, and its analysis."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from delvecore.archive import score_tables
from delvecore.archive.questions import TaskData
from delvecore.archive.score_tables import (
    content_state,
    infinite_losses,
    measure_ranked,
    methods_under,
    ranked_scores,
)
from delvecore.cli.support.archives import faults_of, open_archive, open_scores, with_loss
from delvecore.cli.support.places import chosen_names, setting_of
from delvecore.cli.support.ranking_options import rank_test
from delvecore.errors import DelveError
from delvecore.render.provenance import Provenance, digest_of
from delvecore.report.ranking.sentences import SINGLE_PLACES, refused_adjustment
from delvecore.score_tables.score_file import Reading
from delvecore.stats.ranking.analysis import Analysis, TooFewResultsError, analyze
from delvecore.stats.ranking.score_table import ScoreTable
from delvecore.stats.verdicts import SINGLE, RankTest

SAID = (
    *("unit", "control", "level", "adjust", "zeros", "missing"),
    *("rope", "test_share", "test", "statistic", "places"),
)
"""Options in the provenance, in addition to the loss."""


def find_ranked(options: Namespace, *, command: str) -> TaskData:
    """Return the data to rank, before the analysis."""
    scored = open_scores(options.paths, options, loss=options.loss)
    archive, places = scored or open_archive(options.paths, follow_links=options.follow_links)
    if scored is None and (faults := faults_of(archive)):
        print(f"{command}: {faults}", file=sys.stderr)
    archive, loss = with_loss(archive, options.loss, places, command=command)
    known = methods_under(archive, places, loss=loss)
    names = chosen_names(options.methods, known)
    if unknown := [name for name in names if name not in known]:
        there = f"{unknown[0]!r}; there are {', '.join(known[:12])}"
        raise DelveError(f"--methods: expected methods with results, found {there}")
    keep = (*names, *filter(None, [options.control]))
    measure = measure_ranked(archive, loss)
    table = ranked_scores(archive, measure, places, methods=names or None, keep=keep)
    table = table.select(methods=names) if names else table
    for sentence in infinite_losses(archive, table, measure.key):
        print(f"{command}: {sentence}", file=sys.stderr)
    return TaskData(archive, table, None, measure, setting_of(options))


def readings_of(ranked: TaskData, options: Namespace) -> tuple[Reading, ...]:
    """Return how the files of scores were read, and what the ranking leaves out."""
    key = None if options.loss else ranked.measure.key
    return score_tables.readings_of(ranked.archive, ranked.table, key)


def analysis_of(table: ScoreTable, options: Namespace, *, adjusts: bool = False) -> Analysis:
    """Return the analysis of a table. adjusts: whether the answer uses `--adjust` with every test.

    Raises DelveError for too few tasks or methods, and for an option without effect."""
    test = rank_test(options)
    if options.adjust and test.adjusts_by_itself and not adjusts:
        raise DelveError(f"--adjust {options.adjust}: {refused_adjustment(test)}")
    if options.places == SINGLE and (test != RankTest.FLIPS or options.control is not None):
        raise DelveError(f"--places {SINGLE}: {SINGLE_PLACES}")
    names = ("unit", "control", "zeros", "test_share", "statistic")
    facts = {name: getattr(options, name) for name in names}
    facts["drop"] = options.missing
    setting = setting_of(options)
    facts |= {"alpha": setting.alpha, "adjustment": setting.adjust, "rope": options.rope or 0.0}
    try:
        return analyze(table, **facts)
    except ValueError as error:
        worst = "say --failed worst to give failed runs the worst value of their dataset"
        is_curable = isinstance(error, TooFewResultsError) and error.are_failed
        message = f"{error}; {worst}" if is_curable else str(error)
        raise DelveError(f"{' '.join(options.paths) or '/'}: {message}") from None


def provenance_of(ranked: TaskData, options: Namespace, words: Sequence[str]) -> Provenance:
    """Return the provenance of a file made from a ranking. words: the command after `delve`."""
    archive, table = ranked.archive, ranked.table
    rows = zip(table.tasks, *table.values.T.tolist(), strict=True)
    chosen = [(name.replace("_", " "), str(getattr(options, name))) for name in SAID]
    return Provenance(
        ", ".join(os.path.basename(path) for path in archive.sources),
        content_state(archive),
        digest_of([("task", *table.methods), *rows]),
        (("loss", ranked.measure.key), *chosen),
        ("delve", *words),
    )
