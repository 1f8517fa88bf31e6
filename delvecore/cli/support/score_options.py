"""Options of commands that read files of scores."""

import argparse
from dataclasses import fields
from typing import get_args

from delvecore.cli.support.manual import ManualParser
from delvecore.score_tables.options import SEVERAL, Decimal, Failed, Scale, ScoreOptions, Steps
from delvecore.stats.designs import RUN_DESIGNS


def add_summary(parser: ManualParser, what: str) -> None:
    """Add the option of a custom summary. what: its subject."""
    meaning = (
        f"a function of a file, run here, of an array of scores: a summary {what}; its further parameters "
    )
    meaning += "may follow, as in mine.py:trimmed:share=0.1"
    parser.add_argument("--summary", metavar="FILE.py:NAME", help=meaning)


def add_scores(parser: ManualParser, *, method: str | None = "--method") -> None:
    """Add the options of files of scores; method: the short one of methods, None if it is taken."""
    add = parser.add_argument
    add("--dataset", metavar="COL", help="of a file of scores: the column of datasets (default: guessed)")
    names = ("--method-column",) if method is None else (method, "--method-column")
    add(*names, dest="method_column", metavar="COL", help="its column of methods")
    add("--fold", action="append", metavar="COL", help="a column of folds or seeds; may be repeated")
    add("--metric", metavar="COL", help="its column of metrics, or the name of its only metric")
    add("--value", action="append", metavar="COL", help="a column of values; may be repeated")
    meaning = "its scores are better the higher, such as accuracy (default: by the metric's name)"
    direction = parser.add_mutually_exclusive_group().add_argument
    direction("--higher-is-better", action="store_true", default=None, help=meaning)
    meaning = "its scores are better the lower, such as errors"
    direction("--lower-is-better", dest="higher_is_better", action="store_false", help=meaning)
    add("--failed", choices=get_args(Failed), default="left out", help="how to treat runs without a value")
    meaning = "how its runs depend on each other (default: by its columns of folds, resamples or seeds)"
    add("--design", choices=RUN_DESIGNS, metavar="NAME", help=f"{meaning}: {', '.join(RUN_DESIGNS)}")
    add("--share", type=_share, metavar="SHARE", help="the share of cases in a test set, 0.1 for 10 folds")
    meaning = "only the rows with one of these texts in a column; may be repeated"
    add("--where", type=_where, action="append", metavar="COL=TEXT,...", help=meaning)
    meaning = "always keep this method, dataset or column; may be repeated"
    add("--keep", action="append", metavar="NAME", help=meaning)
    meaning = "always omit this method, dataset or column; may be repeated"
    add("--drop", action="append", metavar="NAME", help=meaning)
    meaning = "the rows of a wide table are methods, or with --no-transpose datasets (default: by its names)"
    add("--transpose", action=argparse.BooleanOptionalAction, default=None, help=meaning)
    add("--sheet", metavar="NAME", help="the sheet of an Excel file (default: the only one with a table)")
    meaning = "the sign before decimals (default: as the numbers show)"
    add("--decimal", choices=get_args(Decimal), help=meaning)
    meaning = "of values up to 1 next to values up to 100: one scale, or the larger ones in per cent"
    add("--scale", choices=get_args(Scale), help=meaning)
    add(
        "--failed-words",
        action="append",
        metavar="WORD",
        help="a word in place of a score for a failed run; may be repeated",
    )
    add("--steps", choices=get_args(Steps), help="which of the rows of epochs or steps of a run counts")
    add("--case", metavar="COL", help="the column of test cases, if each has its own score")
    add("--group", metavar="COL", help="the column of groups of test cases that are kept together")


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"expected a share of at least 0 and below 1, found {text!r}")
    return share


def _where(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a column and the requested texts. Raises ArgumentTypeError without a column."""
    column, _, values = text.partition("=")
    if not column.strip() or not values.strip():
        raise argparse.ArgumentTypeError(f"expected a column and texts, such as metric=auc, found {text!r}")
    return column.strip(), tuple(value.strip() for value in values.split(","))


def score_options(options: argparse.Namespace) -> ScoreOptions:
    names = {one.name: one.name for one in fields(ScoreOptions)} | {"method": "method_column"}
    answers = {field: getattr(options, name) for field, name in names.items()}
    return ScoreOptions(**{**answers, **{name: tuple(answers[name] or ()) for name in SEVERAL}})
