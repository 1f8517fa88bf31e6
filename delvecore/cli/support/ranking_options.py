"""Options of `delve rank`, `delve report` and `delve publish`."""

from argparse import Namespace

from delvecore.cli.support.manual import ManualParser, add_follow_links
from delvecore.cli.support.places import add_setting, add_unit
from delvecore.cli.support.score_options import add_scores
from delvecore.errors import DelveError
from delvecore.render.numbers import parameter
from delvecore.stats.choose import DEFAULT_TEST, DROPS, PLACES, SIMULTANEOUS, FlipStatistic, RankTest

CONTROL = "Bonferroni-Dunn, all against --control"


def check_ranked(options: Namespace, parser: ManualParser) -> None:
    """End the command with a message if options of `add_ranked` are invalid."""
    if options.rope is not None and not 0 <= options.rope < float("inf"):
        parser.error(f"--rope: expected a width of at least 0, found {parameter(options.rope)}")
    if not 0 <= options.test_share < 1:
        share = options.test_share
        parser.error(f"--test-share: expected a share of at least 0 and below 1, found {parameter(share)}")
    if options.top is not None and options.top < 2:
        raise DelveError(f"--top: expected at least 2 methods, found {options.top}")
    if rank_test(options) == RankTest.CONTROL and options.control is None:
        raise DelveError("--test control: expected the method that others are compared with, as --control M")


def rank_test(options: Namespace) -> RankTest:
    return RankTest[options.test.upper()] if options.test else DEFAULT_TEST


def add_ranked(parser: ManualParser) -> None:
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="a file of scores, or tasks, prototasks or datasets")
    add("--loss", metavar="S", help="the loss or metric, such as S or F (default: S)")
    meaning = "rank these methods only, as one argument separated by blanks or commas: 'lin-1 gp-1'"
    add("--methods", action="append", metavar="NAMES", help=meaning)
    meaning = "show this many methods, those with the best mean ranks; all are ranked"
    add("--top", type=int, metavar="N", help=meaning)
    add(
        "--reference",
        "--control",
        dest="control",
        metavar="M",
        help="the method that the others are compared with",
    )
    meaning = (
        "test for the headline, verdicts and groups. flips (default): a permutation test by sign "
        f"flips, adjusted for all pairs or for those with --control; wilcoxon; nemenyi; control: {CONTROL}"
    )
    add("--test", choices=[test.word for test in RankTest], help=meaning)
    meaning = (
        "statistic of the flips test. scaled (the default): differences divided by the scale of "
        "their unit; signed ranks (default for two methods); means (default for results of 0 and 1)"
    )
    add("--statistic", choices=list(FlipStatistic), help=meaning)
    meaning = "do confidence sets of places hold for all methods at once, or each for one method (narrower)?"
    add("--places", choices=PLACES, default=SIMULTANEOUS, help=f"{meaning} (default: {SIMULTANEOUS})")
    add_unit(add)
    add_setting(add)
    parser.set_defaults(adjust=None)
    add_scores(parser)
    _add_choices(parser)
    add_follow_links(parser)


def _add_choices(parser: ManualParser) -> None:
    meaning = "how Wilcoxon's test treats equal values: drop them, or rank them with the others"
    parser.add_argument("--zeros", choices=("drop", "pratt"), default="drop", help=meaning)
    meaning = (
        "what to omit if values are missing (default: methods without results on most tasks, and then tasks)"
    )
    parser.add_argument("--missing", choices=DROPS, help=meaning)
    meaning = (
        "differences up to this width are treated as equivalent in the Bayesian tests (default: 0) "
        "and in those of --show (default: 0.01)"
    )
    parser.add_argument("--rope", type=float, metavar="WIDTH", help=meaning)
    meaning = (
        "share of cases in a test set, if the rows of the table are overlapping training sets: 0.1 "
        "for 10 folds. The t-test of Nadeau and Bengio and the correlated Bayesian test use it"
    )
    parser.add_argument("--test-share", type=float, default=0.0, metavar="SHARE", help=meaning)
