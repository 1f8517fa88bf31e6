"""Options of commands that read files of scores."""

import argparse
from dataclasses import fields
from typing import get_args

from delvecore.cli.support.manual import ManualParser
from delvecore.score_tables.options import SEVERAL, Decimal, Failed, Scale, ScoreOptions, Steps
from delvecore.stats.designs import RUN_DESIGNS


def add_summary(parser: ManualParser, what: str) -> None:
    """Add the option for a custom summary. what: what it summarizes."""
    meaning = (
        f"a function in a file: from an array, it computes a summary {what}. It is run on this machine. "
    )
    meaning += "Parameters may follow, as in mine.py:trimmed:share=0.1"
    parser.add_argument("--summary", metavar="FILE.py:NAME", help=meaning)


def add_scores(parser: ManualParser, *, method: str | None = "--method") -> None:
    """Add the options of files of scores. method: short option for the column of methods, None if in use."""
    add = parser.add_argument
    add("--dataset", metavar="COL", help="files of scores: the column of datasets (default: guessed)")
    names = ("--method-column",) if method is None else (method, "--method-column")
    add(*names, dest="method_column", metavar="COL", help="files of scores: the column of methods")
    add(
        "--fold",
        action="append",
        metavar="COL",
        help="files of scores: a column of folds or seeds; may be repeated",
    )
    add(
        "--metric",
        metavar="COL",
        help="files of scores: the column of metrics, or the name of the only metric",
    )
    add(
        "--value", action="append", metavar="COL", help="files of scores: a column of values; may be repeated"
    )
    meaning = "higher scores are better, as for accuracy (default: by the metric's name)"
    direction = parser.add_mutually_exclusive_group().add_argument
    direction("--higher-is-better", action="store_true", default=None, help=meaning)
    meaning = "lower scores are better, as for errors"
    direction("--lower-is-better", dest="higher_is_better", action="store_false", help=meaning)
    add(
        "--failed",
        choices=get_args(Failed),
        default="left out",
        help="how to treat failed runs, which have no value",
    )
    meaning = (
        "how runs depend on each other (default: inferred from the columns of folds, resamples or seeds)"
    )
    add("--design", choices=RUN_DESIGNS, metavar="NAME", help=f"{meaning}: {', '.join(RUN_DESIGNS)}")
    add(
        "--share",
        type=_share,
        metavar="SHARE",
        help="share of the cases in a test set, such as 0.1 for 10 folds",
    )
    meaning = "read only rows that have one of these texts in a column; may be repeated"
    add("--where", type=_where, action="append", metavar="COL=TEXT,...", help=meaning)
    meaning = "always keep this method, dataset or column; may be repeated"
    add("--keep", action="append", metavar="NAME", help=meaning)
    meaning = "always omit this method, dataset or column; may be repeated"
    add("--drop", action="append", metavar="NAME", help=meaning)
    meaning = (
        "rows of a wide table are methods; with --no-transpose, they are datasets (default: "
        "inferred from names)"
    )
    add("--transpose", action=argparse.BooleanOptionalAction, default=None, help=meaning)
    add("--sheet", metavar="NAME", help="the sheet of an Excel file (default: the only one with a table)")
    meaning = "the decimal separator (default: inferred from the numbers)"
    add("--decimal", choices=get_args(Decimal), help=meaning)
    meaning = (
        "how to read values up to 1 next to values up to 100: all as written, or the larger "
        "ones as percentages"
    )
    add("--scale", choices=get_args(Scale), help=meaning)
    add(
        "--failed-words",
        action="append",
        metavar="WORD",
        help="a word that stands for the score of a failed run; may be repeated",
    )
    add(
        "--steps",
        choices=get_args(Steps),
        help="which row counts if a run has several, one per epoch or step",
    )
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
