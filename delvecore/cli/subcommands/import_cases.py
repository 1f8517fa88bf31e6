"""`delve import`: make a dataset from a file of cases."""

from collections.abc import Sequence
from typing import get_args

from delvecore.cli.subcommands import proben1
from delvecore.cli.support.manual import ManualParser
from delvecore.model import ORIGINS, TYPES, ImportedOrder

SHOWN = 60
"""How many columns are printed without `--all`."""


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == [proben1.NAME]:
        return proben1.import_main(arguments[1:])
    options = command().parse_args(arguments)
    from delvecore.cli.actions.import_cases import import_cases

    return import_cases(options)


def command() -> ManualParser:
    parser = ManualParser(
        "delve import",
        "make a dataset from a file of cases",
        description="Make a dataset from a CSV, Parquet or ARFF file. The dataset has a "
        "specification, the cases, and a description of its source. Each target gets a prototask with "
        "a random order of cases, standard training sizes and a prior. The type of each column is "
        "printed, with the option that changes it. Existing files are never replaced.",
        note="Data files of PROBEN1 have a separate command: delve import proben1 --help. "
        "Without --into, the dataset goes into the delve directory around the current directory, "
        "or into the first writable one of DELVE_PATH. A remark in parentheses at the end of a line "
        "shows the option that changes it. Columns of words without blanks are "
        "categories. Columns of dates and texts are omitted.",
        files=(("DELVE_DIRECTORY/data/NAME", "is the new dataset. After an error, nothing is written."),),
        examples=(
            ("delve import cars.csv --target price --into delve-mine", "Make a dataset and a prototask."),
            ("delve import cars.csv --target price --dry-run", "Only show what would be made."),
            (
                "delve import cars.csv --target price --type doors=ordinal:2,3,4,5",
                "Set the type of a column.",
            ),
        ),
    )
    add = parser.add_argument
    meaning = "a CSV or ARFF file, compressed or not, or a Parquet file"
    add("file", metavar="FILE", help=meaning)
    meaning = (
        "column to predict; may be repeated for one prototask each; A,B makes one prototask with both targets"
    )
    add("--target", action="append", metavar="COLUMN", help=meaning)
    add("--name", help="name of the dataset (default: that of the file)")
    add(
        "--into",
        metavar="DELVE_DIRECTORY",
        help="the delve directory that the dataset goes into, created if needed",
    )
    meaning = (
        f"type of a column: {', '.join(TYPES)}, or ignore to leave it out; ordinal:low,high gives "
        "the order of values, angular:360 gives the period; may be repeated"
    )
    add("--type", action="append", metavar="COLUMN=TYPE", help=meaning)
    meaning = (
        "a word that marks a missing value, instead of the usual ones (empty, ?, NA, NaN ...); may "
        "be repeated"
    )
    add("--missing", action="append", metavar="WORD", help=meaning)
    _add_facts(parser)
    add_csv_options(parser)
    add("--dry-run", action="store_true", help="write nothing; --target is optional then, and is guessed")
    add("--all", action="store_true", help=f"print all columns, not only the first {SHOWN}")
    return parser


def _add_facts(parser: ManualParser) -> None:
    add = parser.add_argument
    meaning = (
        "the column of groups, such as patients: cases with the same value stay together in all instances"
    )
    add("--group", metavar="COLUMN", help=meaning)
    meaning = "order of the cases: retain that of the file, or draw a random one (default: random)"
    add("--order", choices=get_args(ImportedOrder), help=meaning)
    meaning = (
        "sizes of the training sets, such as 64,128 (default: each twice as large as the one "
        "before; see the documentation)"
    )
    add("--sizes", default="", metavar="NUMBERS", help=meaning)
    add(
        "--seed", type=int, default=1, metavar="NUMBER", help="seed of the random order of cases (default: 1)"
    )
    add("--origin", choices=ORIGINS, default="natural", help="origin of the dataset (default: natural)")
    add("--title", default="", help="title of the dataset (default: that of its source)")


def add_csv_options(parser: ManualParser) -> None:
    add = parser.add_argument
    add(
        "--delimiter",
        metavar="CHARACTER",
        help="character between the values of a CSV file (default: detected)",
    )
    meaning = "encoding of a CSV file (default: UTF-8, or Latin-1 if that fails)"
    add("--encoding", help=meaning)
    meaning = "does a CSV file begin with column names? (default: detected)"
    add("--header", choices=("yes", "no"), help=meaning)
