"""`delve import`: make a dataset of a file of cases."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import pandas as pd

from delvecore.cli.subcommands import proben1
from delvecore.cli.support.context import print_lines
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.places import data_target
from delvecore.errors import DelveError
from delvecore.importers.attributes import attribute_names
from delvecore.importers.case_files import open_source
from delvecore.importers.dataset_writer import write_import
from delvecore.importers.import_messages import column_rows, notices, order_lines, rare_line, target_line
from delvecore.importers.leaks import signs_of_leaks
from delvecore.importers.plan import ImportOptions, ImportPlan, parse_sizes, plan_import
from delvecore.importers.source import MISSING, Source
from delvecore.model import ORIGINS, TYPES, ImportedOrder
from delvecore.names import one_line
from delvecore.render.numbers import counted
from delvecore.score_tables.names import SERIES, folded
from delvecore.score_tables.table_kind import table_kind

SHOWN = 60
"""How many columns are printed without `--all`."""


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == [proben1.NAME]:
        return proben1.import_main(arguments[1:])
    options = command().parse_args(arguments)
    source = opened_source(options)
    chosen = ImportOptions(
        targets=options.target or (),
        types=column_types(options.type or (), source),
        missing=MISSING if options.missing is None else options.missing,
        seed=options.seed,
        name=options.name,
        origin=options.origin,
        title=options.title,
        guess_target=options.dry_run,
        order=options.order,
        sizes=parse_sizes(options.sizes),
        group=options.group,
    )
    plan = plan_import(source, chosen)
    _tell(plan, all_columns=options.all)
    if options.dry_run:
        return 0
    into = data_target(options.into)
    prototasks = write_import(plan, into)
    print_lines(f"/{plan.name}: {counted(plan.cases, 'case')} in {os.path.join(into, 'data', plan.name)}")
    for one in prototasks:
        sizes = " ".join(map(str, one.training_set_sizes))
        test = f"{counted(one.test_set_size, 'test case')} ({one.test_set_selection})"
        print_lines(f"{one.path}: training sets of {sizes}, {test}")
    return 0


def opened_source(options: Namespace) -> Source:
    """Open the file of a command with the options of `add_csv_options`. Raises DelveError."""
    header = None if options.header is None else options.header == "yes"
    return open_source(options.file, delimiter=options.delimiter, encoding=options.encoding, header=header)


def column_types(words: Iterable[str], source: Source) -> dict[str, str]:
    """Return {column: type} of words `COLUMN=TYPE`; a column's name may hold `=` itself."""
    columns = [column.name for column in source.columns]
    known = {*columns, *attribute_names(columns)}
    types = {}
    for word in words:
        cuts = [place for place, letter in enumerate(word) if letter == "="]
        cut = next((place for place in cuts if word[:place] in known), cuts[0] if cuts else None)
        if cut is None:
            raise DelveError(f"--type: expected COLUMN=TYPE, found {word!r}")
        types[word[:cut]] = word[cut + 1 :]
    return types


def _tell(plan: ImportPlan, *, all_columns: bool) -> None:
    """Print what was taken for what, and the option that changes each."""
    rows = list(column_rows(plan))
    shown = rows if all_columns else rows[:SHOWN]
    widths = [max(len(row[place]) for row in shown) for place in range(2)]
    for name, becomes, why, change in shown:
        print_lines(f"{name:{widths[0]}}  {becomes:{widths[1]}}  {why}" + f"  ({change})" * bool(change))
    if len(rows) > len(shown):
        print_lines(f"... and {counted(len(rows) - len(shown), 'more column')} (--all)")
    print_lines(target_line(plan))
    for said, change in order_lines(plan):
        print_lines(said + f"  ({change})" * bool(change))
    if rare := rare_line(plan):
        print_lines(f"{rare}  (--sizes gives larger ones)")
    if line := _kind_line(plan):
        print_lines(line)
    for said in (*notices(plan), *_leaks(plan)):
        print(f"delve import: notice: {said}", file=sys.stderr)


def _leaks(plan: ImportPlan) -> Iterator[str]:
    """Yield the serious signs that cases are not independent, each with the option that deals with it."""
    remedies = {
        "groups": "--group {} keeps cases with one value together",
        "copies": "a case may train what its copy tests",
        "time": "--order retain keeps the order of the file, for windows",
    }
    for sign in signs_of_leaks(plan):
        if sign.is_serious and not (sign.kind == "time" and plan.is_retained):
            yield f"{one_line(sign.text)}; {remedies[sign.kind].format(one_line(sign.column))}"


def _kind_line(plan: ImportPlan) -> str:
    """Say that a file holds scores, or may hold them where nobody said what is to be predicted."""
    names, first = [column.name for column in plan.source.columns], next(iter(plan.source.batches()))
    frame = pd.DataFrame({name: one.to_pandas() for name, one in zip(names, first, strict=True)})
    kind, why = table_kind(frame)
    if kind == "cases" or (kind == "unclear" and plan.options.targets):
        return ""
    said = "its lines look like scores" if kind == "scores" else "its lines may be scores or cases"
    series = next((f" --dataset {name}" for name in names if folded(name) in SERIES), "")
    return f"{said}: {why}  (delve rank {plan.source.place}{series} ranks scores)"


def command() -> ManualParser:
    parser = ManualParser(
        "delve import",
        "make a dataset of a file of cases",
        description="Make a dataset of a CSV, Parquet or ARFF file. "
        "The dataset has its specification, its cases, and a description of where it comes from. Each target "
        "has a prototask with a random order, standard sizes and a prior. What each column was taken for is "
        "printed, with the option that changes it. Nothing that is there is replaced.",
        note="Data files of PROBEN1 have a command of their own: delve import proben1 --help. "
        "Without --into it is the delve directory around the working directory, else the first one of "
        "DELVE_PATH that can be written. A line that ends with a remark in brackets shows the option that "
        "changes it. Words without blanks stand for categories; dates and texts are left out.",
        files=(("DELVE_DIRECTORY/data/NAME", "is made: the dataset, or nothing of it."),),
        examples=(
            ("delve import cars.csv --target price --into delve-mine", "Make a dataset and a prototask."),
            ("delve import cars.csv --target price --dry-run", "Only show what would be made."),
            ("delve import cars.csv --target price --type doors=ordinal:2,3,4,5", "Say what a column is."),
        ),
    )
    add = parser.add_argument
    meaning = "a CSV or ARFF file, compressed or not, or a Parquet file"
    add("file", metavar="FILE", help=meaning)
    meaning = "what is to be predicted; may be repeated, a prototask each; A,B for one that predicts both"
    add("--target", action="append", metavar="COLUMN", help=meaning)
    add("--name", help="of the dataset (default: that of the file)")
    add("--into", metavar="DELVE_DIRECTORY", help="the delve directory it goes into, made where it is new")
    meaning = (
        f"what a column is: {', '.join(TYPES)}, or ignore to leave it out; ordinal:low,high gives the order "
        "of values, angular:360 the whole circle; may be repeated"
    )
    add("--type", action="append", metavar="COLUMN=TYPE", help=meaning)
    meaning = (
        "a word that means no value, in place of the usual ones (nothing, ?, NA, NaN ...); may be repeated"
    )
    add("--missing", action="append", metavar="WORD", help=meaning)
    _add_facts(parser)
    add_csv_options(parser)
    add("--dry-run", action="store_true", help="write nothing; the target may be guessed")
    add("--all", action="store_true", help=f"print every column, not the first {SHOWN} only")
    return parser


def _add_facts(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "the column of groups, such as patients: cases with the same value stay together in all instances"
    )
    add("--group", metavar="COLUMN", help=meaning)
    meaning = "retain that of the file, or draw a random one (default: random)"
    add("--order", choices=get_args(ImportedOrder), help=meaning)
    meaning = "of training sets, as in 64,128 (default: doubled from a smallest size, see the documentation)"
    add("--sizes", default="", metavar="NUMBERS", help=meaning)
    add("--seed", type=int, default=1, metavar="NUMBER", help="of the random order of cases (default: 1)")
    add("--origin", choices=ORIGINS, default="natural", help="of the dataset (default: natural)")
    add("--title", default="", help="of the dataset (default: that of its source)")


def add_csv_options(parser: ManualParser) -> None:
    add = parser.add_argument
    add("--delimiter", metavar="CHARACTER", help="between the values of a CSV file (default: seen from it)")
    meaning = "of a CSV file (default: UTF-8, or Latin-1 where it is not)"
    add("--encoding", help=meaning)
    meaning = "does a CSV file begin with names? (default: seen from it)"
    add("--header", choices=("yes", "no"), help=meaning)
