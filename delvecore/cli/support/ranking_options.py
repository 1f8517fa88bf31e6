"""Options of `delve rank` and `delve report`, the table that they rank, and its analysis."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import NamedTuple

from delvecore.archive import Archive
from delvecore.archive.score_tables import (
    archive_combined,
    content_state,
    infinite_losses,
    measure_ranked,
    methods_under,
    ranked_scores,
    readings_of,
)
from delvecore.cli.support.archives import (
    add_scores,
    faults_of,
    open_archive,
    open_scores,
    with_loss,
)
from delvecore.cli.support.manual import ManualParser, add_follow_links
from delvecore.cli.support.places import add_setting, add_unit, chosen_names, setting_of
from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.render.numbers import parameter
from delvecore.render.provenance import Provenance, digest_of
from delvecore.report.ranking.sentences import SINGLE_PLACES, refused_adjustment
from delvecore.score_tables.score_file import Reading
from delvecore.stats.choose import FlipStatistic, Setting
from delvecore.stats.ranking.analysis import Analysis, TooFewResultsError, analyse
from delvecore.stats.ranking.random_effects import CombinedPairs
from delvecore.stats.ranking.score_table import DROPS, ScoreTable
from delvecore.stats.verdicts import DEFAULT_TEST, PLACES, SIMULTANEOUS, SINGLE, RankTest

CONTROL = "Bonferroni-Dunn, all against --control"
SAID = (
    *("unit", "control", "level", "adjust", "zeros", "missing"),
    *("rope", "test_share", "test", "statistic", "places"),
)
"""The choices that provenance tells, besides the loss."""


class Ranked(NamedTuple):
    """What is ranked. table: results on the archive's tasks, or scores as files have them; readings: how
    files of scores were read."""

    archive: Archive
    measure: Measure
    table: ScoreTable
    readings: tuple[Reading, ...] = ()

    @property
    def is_tested(self) -> bool:
        """Are there several training sets of some task, so that it can be tested by itself?"""
        return self.archive.has_training_sets


def check_ranked(options: Namespace, parser: ManualParser) -> None:
    """End the command where the options of `add_ranked` mean nothing."""
    if options.rope is not None and not 0 <= options.rope < float("inf"):
        parser.error(f"--rope: expected a width of at least 0, found {parameter(options.rope)}")
    if not 0 <= options.test_share < 1:
        share = options.test_share
        parser.error(f"--test-share: expected a share of at least 0 and below 1, found {parameter(share)}")
    if options.top is not None and options.top < 2:
        raise DelveError(f"--top: expected at least 2 methods, found {options.top}")
    if rank_test(options) == RankTest.CONTROL and options.control is None:
        raise DelveError("--test control: expected the method that others are held against, as --control M")


def rank_test(options: Namespace) -> RankTest:
    return RankTest[options.test.upper()] if options.test else DEFAULT_TEST


def find_ranked(options: Namespace, *, command: str) -> Ranked:
    """Return what is to be ranked."""
    scored = open_scores(options.paths, options, loss=options.loss)
    archive, places = scored or open_archive(options.paths, follow_links=options.follow_links)
    if scored is None and (faults := faults_of(archive)):
        print(f"{command}: {faults}", file=sys.stderr)
    archive, loss = with_loss(archive, options.loss, places, command=command)
    names = _chosen_methods(methods_under(archive, places, loss=loss), options)
    keep = (*(names or ()), *filter(None, [options.control]))
    measure = measure_ranked(archive, loss)
    whole = ranked_scores(archive, measure, places, methods=names, keep=keep)
    table = whole.select(methods=names) if names else whole
    for sentence in infinite_losses(archive, table, measure.key):
        print(f"{command}: {sentence}", file=sys.stderr)
    return Ranked(archive, measure, table, readings_of(archive, whole, None if loss else measure.key))


def _chosen_methods(known: Sequence[str], options: Namespace) -> Sequence[str] | None:
    """Return the methods asked for, None for all. Raises DelveError for one that is not known."""
    names = chosen_names(options.methods, known)
    for name in names:
        if name not in known:
            there = ", ".join(known[:12])
            raise DelveError(f"--methods: expected methods with results, found {name!r}; there are {there}")
    return names or None


def analysis_of(table: ScoreTable, options: Namespace, *, adjusts: bool = False) -> Analysis:
    """Return the analysis of a table. adjusts: does the answer use `--adjust`, whatever the test?

    Raises DelveError if it has too few tasks or methods, and for an option without effect."""
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
        return analyse(table, **facts)
    except ValueError as error:
        worst = "say --failed worst to give failed runs the worst value of their dataset"
        is_curable = isinstance(error, TooFewResultsError) and error.are_failed
        said = f"{error}; {worst}" if is_curable else str(error)
        raise DelveError(f"{' '.join(options.paths) or '/'}: {said}") from None


def combined_of(ranked: Ranked, analysis: Analysis, setting: Setting) -> CombinedPairs | None:
    """Return what the tests of single tasks say together; None where no task can be tested by itself."""
    if not ranked.is_tested:
        return None
    return archive_combined(
        ranked.archive, analysis.table, unit=analysis.unit, loss=ranked.measure.key, setting=setting
    )


def provenance_of(ranked: Ranked, options: Namespace, words: Sequence[str]) -> Provenance:
    """Return where a file made of a ranking is from. words: of the command, behind `delve`."""
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


def add_ranked(parser: ManualParser) -> None:
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="a file of scores, or places of tasks")
    add("--loss", metavar="S", help="the loss or metric, such as S or F (default: S)")
    meaning = "rank these methods only; one argument, with blanks or commas between: 'lin-1 gp-1'"
    add("--methods", action="append", metavar="NAMES", help=meaning)
    meaning = "show this many methods, those of the best mean ranks; all are ranked"
    add("--top", type=int, metavar="N", help=meaning)
    add(
        "--reference",
        "--control",
        dest="control",
        metavar="M",
        help="the method that the others are compared with",
    )
    meaning = (
        "by which the first line, verdicts and groups go: flips (default), a permutation test by sign flips "
        f"adjusted for all pairs, or for those with --control; wilcoxon; nemenyi; control: {CONTROL}"
    )
    add("--test", choices=[test.word for test in RankTest], help=meaning)
    meaning = (
        "what is flipped: differences divided by the scale of their unit (scaled, the default), signed ranks "
        "(default for two methods), or means (default for results of 0 and 1)"
    )
    add("--statistic", choices=list(FlipStatistic), help=meaning)
    meaning = "confidence sets of places hold for all methods at once, or for a single method (narrower)"
    add("--places", choices=PLACES, default=SIMULTANEOUS, help=f"{meaning} (default: {SIMULTANEOUS})")
    add_unit(add)
    add_setting(add)
    parser.set_defaults(adjust=None)
    add_scores(parser)
    _add_choices(parser)
    add_follow_links(parser)


def _add_choices(parser: ManualParser) -> None:
    meaning = "what Wilcoxon's test does with equal values: drop them, or rank them with the others"
    parser.add_argument("--zeros", choices=("drop", "pratt"), default="drop", help=meaning)
    meaning = (
        "what is left out where values are missing (default: methods without results on most tasks, and then "
        "tasks)"
    )
    parser.add_argument("--missing", choices=DROPS, help=meaning)
    meaning = (
        "differences up to this are practically none, for the Bayesian tests (default: 0) and those of "
        "--show (default: 0.01)"
    )
    parser.add_argument("--rope", type=float, metavar="WIDTH", help=meaning)
    meaning = (
        "share of cases in a test set, where the lines of the table are overlapping training sets: 0.1 for "
        "10 folds. The t-test of Nadeau and Bengio and the correlated Bayesian test use it"
    )
    parser.add_argument("--test-share", type=float, default=0.0, metavar="SHARE", help=meaning)
