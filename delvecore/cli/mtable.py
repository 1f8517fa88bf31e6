"""`mtable`: a table of methods x tasks, with standardized losses, their errors, and tests."""

import sys
from argparse import Namespace
from functools import partial

from delvecore.cli.support.context import Session, run
from delvecore.cli.support.manual import LOSSES as LOSS_FILES
from delvecore.cli.support.manual import SPECIFICATIONS, STATISTICS, ClassicParser
from delvecore.cli.support.score_options import add_scores
from delvecore.render.verdicts import NOT_WORSE, SIGNIFICANTLY
from delvecore.stats.choose import DEFAULT_LEVEL, significance

FORMATS = ("text", "csv", "latex", "html", "markdown")
ALPHA = significance(DEFAULT_LEVEL)


def command() -> ClassicParser:
    parser = ClassicParser(
        "mtable",
        "print a table of methods and tasks",
        "[-l LOSSES] [-m METHODS] [-r REFERENCE] [-a ALPHA] [-f FORMAT] [--dataset COL] "
        "[--method-column COL] [--fold COL] [--metric COL] [--value COL] "
        "[--higher-is-better | --lower-is-better] [--failed left out|worst|method out] [--design NAME] "
        "[--share SHARE] [--where COL=TEXT,...] [--keep NAME] [--drop NAME] [--transpose | --no-transpose] "
        "[--sheet NAME] [--decimal .|,] [--scale as written|fractions] [--case COL] [--group COL] "
        "[DPATH|FILE ...]",
        description="Print a table of the standardized losses of methods (columns) on tasks (rows), with "
        "standard errors. Marks are those of delve table: the best of a row, and those "
        f"{NOT_WORSE}. A path means all tasks below it with results. The default is the current "
        "directory if it is in a delve directory, otherwise all tasks (/). For a file of scores, or - "
        "for standard input, rows are datasets.",
        paths="*",
        files=(*SPECIFICATIONS, LOSS_FILES, STATISTICS),
        examples=(
            ("mtable /demo", "Compare all methods on the tasks of a dataset."),
            ("mtable scores.csv -r svm", "Print a table of scores with one column per method."),
            ("mtable -l S -m 'lin-1 gp-1' -f latex /demo/age", "Compare two methods side by side in LaTeX."),
        ),
    )
    meaning = (
        "Tables for these losses or metrics only, such as 'A Z0.2N auc'. The default is all with results."
    )
    parser.add_argument("-l", metavar="LOSSES", help=meaning)
    meaning = "These methods only, in this order, as one argument separated by blanks."
    parser.add_argument("-m", metavar="METHODS", help=meaning)
    parser.add_argument(
        "-r", metavar="REFERENCE", help=f"Also mark which methods differ {SIGNIFICANTLY} from this one."
    )
    parser.add_argument("-a", metavar="ALPHA", help=f"The significance level (default: {ALPHA}).")
    meaning = (
        f"One of {', '.join(FORMATS[:-1])} or {FORMATS[-1]}. csv has one line for each task and "
        "method, all digits, and words instead of marks."
    )
    parser.add_argument("-f", metavar="FORMAT", help=meaning)
    add_scores(parser, method=None)
    return parser


def _show(session: Session, options: Namespace) -> None:
    from delvecore.cli.actions.mtable import show

    show(session, options)


main = partial(run, command, _show)

if __name__ == "__main__":
    sys.exit(main())
