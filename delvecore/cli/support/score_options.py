"""Options of files of scores, shared by all commands that read one."""

import argparse

from delvecore.cli.support.manual import ManualParser
from delvecore.score_tables.options import ScoreOptions
from delvecore.stats.designs import RUN_DESIGNS

FAILED = ("left out", "worst", "method out")
DECIMALS = (".", ",")
SCALES = ("as written", "fractions")
LISTS = ("fold", "value", "where", "keep", "drop")
OPTIONS = (
    *("dataset", "method_column", "metric", *LISTS, "higher_is_better", "failed", "design", "share"),
    *("transpose", "sheet", "decimal", "scale", "case", "group"),
)


def add_scores(parser: ManualParser, *, method: str | None = "--method") -> None:
    """Add the options of files of scores to a parser. method: the short option of the column of methods, None
    where it is taken."""
    add = parser.add_argument
    add("--dataset", metavar="COL", help="of a file of scores: the column of datasets (default: guessed)")
    names = ("--method-column",) if method is None else (method, "--method-column")
    add(*names, dest="method_column", metavar="COL", help="its column of methods")
    add("--fold", action="append", metavar="COL", help="a column of folds or seeds; may be repeated")
    add("--metric", metavar="COL", help="its column of metrics, or the name of its only metric")
    add("--value", action="append", metavar="COL", help="a column of values; may be repeated")
    meaning = "its scores are better the higher, such as accuracy (default: by the metric's name)"
    add("--higher-is-better", action="store_true", default=None, help=meaning)
    meaning = "its scores are better the lower, such as errors"
    add("--lower-is-better", dest="higher_is_better", action="store_false", help=meaning)
    add("--failed", choices=FAILED, default=FAILED[0], help="what becomes of runs without a value")
    meaning = "how its runs depend on each other (default: by its columns of folds, resamples or seeds)"
    add("--design", choices=RUN_DESIGNS, metavar="NAME", help=f"{meaning}: {', '.join(RUN_DESIGNS)}")
    add("--share", type=_share, metavar="SHARE", help="the share of cases in a test set, 0.1 for 10 folds")
    meaning = "only the rows with one of these texts in a column; may be repeated"
    add("--where", type=_where, action="append", metavar="COL=TEXT,...", help=meaning)
    meaning = "keep this method, dataset or column, whatever speaks against it; may be repeated"
    add("--keep", action="append", metavar="NAME", help=meaning)
    add(
        "--drop",
        action="append",
        metavar="NAME",
        help="leave it out, whatever speaks for it; may be repeated",
    )
    meaning = "the rows of a wide table are methods, or with --no-transpose datasets (default: by its names)"
    add("--transpose", action=argparse.BooleanOptionalAction, default=None, help=meaning)
    add("--sheet", metavar="NAME", help="the sheet of an Excel file (default: the only one with a table)")
    add("--decimal", choices=DECIMALS, help="the sign before decimals (default: as the numbers show)")
    meaning = "of values up to 1 beside values up to 100: one scale, or the larger ones in per cent"
    add("--scale", choices=SCALES, help=meaning)
    add("--case", metavar="COL", help="the column of test cases, of which each has its own score")
    add("--group", metavar="COL", help="the column of groups of test cases that are kept together")


def _share(text: str) -> float:
    """Return a share. Raises ArgumentTypeError for what is none."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"expected a share of at least 0 and below 1, found {text!r}")
    return share


def _where(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a column and the texts that are asked for. Raises ArgumentTypeError for what names none."""
    column, _, values = text.partition("=")
    if not column.strip() or not values.strip():
        raise argparse.ArgumentTypeError(f"expected a column and texts, such as metric=auc, found {text!r}")
    return column.strip(), tuple(value.strip() for value in values.split(","))


def score_options(options: argparse.Namespace) -> ScoreOptions:
    """Return what the options say of files of scores."""
    said = {name: getattr(options, name) for name in OPTIONS}
    said["method"] = said.pop("method_column")
    return ScoreOptions(**{**said, **{name: tuple(said[name] or ()) for name in LISTS}})
