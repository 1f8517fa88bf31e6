"""`mstats`: estimate a method's expected losses, or compare them. Source: manual, section 8.3, appendix C."""

import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import LOSSES as LOSS_FILES
from delvecore.cli.support.manual import PREDICTIONS, SPECIFICATIONS, STATISTICS, ClassicParser
from delvecore.losses.standard_losses import LOSSES

ALL = "all"
"""Argument of -l for all losses that the targets of a task allow."""
BASE = "loss"


def command() -> ClassicParser:
    parser = ClassicParser(
        "mstats",
        "calculate or compare statistics of losses",
        "[-c METHODS] [-i BASE] [-l LOSSES] [--safe] [--plan] [MPATH]",
        description="Estimate the expected losses of a method on a task, or compare them with those of other "
        "methods. If the path is above a task, all tasks below it are shown. The default is the "
        "current directory. If there are no loss files, losses are computed from the prediction files "
        "and not stored; mloss stores them.",
        files=(*SPECIFICATIONS, LOSS_FILES, *PREDICTIONS, STATISTICS),
        examples=(
            ("mstats -l S /lin-1/demo/age/std.128", "Estimate a method's squared error."),
            ("mstats -c knn-cv-1 -l S /lin-1/demo/age/std.128", "Compare it with another method's."),
            ("mstats -l auc -c knn-cv-1 /lin-1/titanic/survived/std.160", "Compare them by a metric."),
            ("mstats --safe -c knn-cv-1 /lin-1/demo/age/std.128", "Also compare them by the safe test."),
        ),
    )
    meaning = (
        "Compare with these methods. METHODS is one argument, separated by blanks or commas. A "
        "method's name may contain blanks, unless each of its words is a method too. In that case, "
        "write '/a b/' for the method with the blank."
    )
    parser.add_argument("-c", metavar="METHODS", help=meaning)
    meaning = "Read loss files whose names start with BASE instead of 'loss'."
    parser.add_argument("-i", metavar="BASE", default=BASE, help=meaning)
    meaning = (
        f"Show these losses, in this order, instead of all that have files: letters of {LOSSES}, "
        "specialized losses and metrics such as auc, separated by blanks. In Z0.2N a missing guess "
        "costs 0.2, and Mcosts names a file with a loss matrix. Specialized losses are divided by the "
        f"loss of the best constant guess on the test targets, or of no guess if that is lower. {ALL!r} "
        "means all losses "
        "that the targets allow; those without files are computed from predictions."
    )
    parser.add_argument("-l", metavar="LOSSES", help=meaning)
    meaning = (
        "If -c is set: print one more line for each comparison, with the p of a test that is safe with "
        "few training sets. The line also has the 95 % interval of the raw difference. On a common "
        "test set with two training sets, the F-test has an error rate of up to 14 % at a level of 5 "
        "%; tables use the safe test. If every training set has its own test set, it is the t-test. "
        "If instances share cases, as in cross-validation, the line is always printed and corrected "
        "for that. A further line shows the correction."
    )
    parser.add_argument("--safe", action="store_true", help=meaning)
    meaning = (
        "If -c is set: print below each comparison which sizes would give 80 % power for a difference "
        "of 1 % of the baseline's loss, and what limits the error."
    )
    parser.add_argument("--plan", action="store_true", help=meaning)
    return parser


def _show(session: Session, options: Namespace) -> None:
    from delvecore.cache import kept_indexes
    from delvecore.cli.actions.mstats import show
    from delvecore.locations import cache_directory

    with kept_indexes(session.hierarchy.roots, cache_directory()):
        show(session, options)


main = partial(run, command, _show)

if __name__ == "__main__":
    sys.exit(main())
