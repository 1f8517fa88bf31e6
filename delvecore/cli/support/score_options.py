"""How a file of scores is read: the options that all commands share which take one."""

import argparse
import os
from collections.abc import Sequence
from typing import NamedTuple

import delvecore
from delvecore.archive import Archive
from delvecore.archive.scores.opening import group_of, holds_scores
from delvecore.cli.support.completers import score_columns, score_names, score_sheets
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.places import Names
from delvecore.errors import DelveError
from delvecore.model import place_names
from delvecore.readers.archives.whole import paths_here
from delvecore.readers.files import no_such_file
from delvecore.score_tables.directories import looks_like_scores
from delvecore.score_tables.options import Question, ScoreOptions
from delvecore.stats.designs import RUN_DESIGNS

FAILED = ("left out", "worst", "method out")
DECIMALS = (".", ",")
SCALES = ("as written", "fractions")
LISTS = ("fold", "value", "where", "keep", "drop")
OPTIONS = (
    *("dataset", "method_column", "metric", *LISTS, "higher_is_better", "failed", "design", "share"),
    *("transpose", "sheet", "decimal", "scale", "case", "group"),
)
STANDARD_INPUT = "-"


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
    known = ("dataset", "method_column", "fold", "metric", "value", "case", "group")
    columns = dict.fromkeys(known, score_columns)
    parser.complete(**columns, keep=score_names, drop=score_names, sheet=score_sheets)


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
    """Return what the options say of files of scores; they are taken out."""
    said = {name: vars(options).pop(name) for name in OPTIONS}
    said["method"] = said.pop("method_column")
    return ScoreOptions(**{**said, **{name: tuple(said[name] or ()) for name in LISTS}})


class Scored(NamedTuple):
    """An archive with files of scores, and the places in it that are meant, none for all."""

    archive: Archive
    places: list[Names]

    @property
    def is_alone(self) -> bool:
        """Are there no delve directories beside the scores?"""
        return not self.archive.paths


def open_scores(
    paths: Sequence[str],
    options: ScoreOptions,
    *,
    follow_links: bool = False,
    loss: str | None = None,
) -> Scored | None:
    """Return the archive of paths of which one is of scores, a file or a directory, or is `-` for standard
    input; None where none is. loss: the only one that is wanted. Raises DelveError for options of scores
    without any, and for a file that is not there; Question where the scores can be read in two ways."""
    paths = paths_here(paths)
    absent = [path for path in paths if looks_like_scores(path) and not os.path.lexists(path)]
    if absent:
        raise no_such_file(absent[0])
    of_scores = [path for path in paths if path == STANDARD_INPUT or holds_scores(path)]
    if not of_scores:
        if options != ScoreOptions():
            raise DelveError("expected a file of scores with the options of one, found none")
        return None
    from delvecore.score_tables.reading import read_scores

    opened = [path for path in paths if path != STANDARD_INPUT and (path in of_scores or os.path.isdir(path))]
    try:
        archive = delvecore.open(opened, scores=options, follow_links=follow_links, loss=loss)
        if STANDARD_INPUT in of_scores:
            archive = archive.joined(group_of([read_scores(STANDARD_INPUT, options=options)]))
    except Question as question:
        raise question.in_command from None
    places = [path for path in paths if path not in opened and path not in of_scores]
    return Scored(archive, list(map(place_names, places)))
