"""`delve examples`: write the example files of the tutorials."""

import os
import shutil
from collections.abc import Sequence

from delvecore.cli.support.context import print_lines
from delvecore.cli.support.manual import ManualParser
from delvecore.errors import Fault, words_of_system
from delvecore.locations import example_files


def main(arguments: Sequence[str]) -> int:
    directory = command().parse_args(arguments).directory
    files = example_files()
    taken = [name for name in files if os.path.lexists(os.path.join(directory, name))]
    if taken:
        raise Fault(directory, f"no {taken[0]} yet", "one", "name another directory, or move this one away")
    try:
        os.makedirs(directory, exist_ok=True)
        for name, path in files.items():
            shutil.copy(path, os.path.join(directory, name))
    except OSError as error:
        raise Fault(directory, "to write into it", words_of_system(error)) from None
    print_lines(f"{os.path.join(directory, '')}: {', '.join(files)}")
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve examples",
        "write the example files of the tutorials",
        description="Write the example files of the tutorials into a directory: tables of cases, tables of "
        "scores, a program that is a method, and notebooks. The directory is created if needed. Existing "
        "files are never replaced.",
        files=(
            ("cars.csv, sales.csv", "are tables of cases."),
            ("scores.csv, cases.csv", "are tables of scores."),
            ("my-method", "is a learning method for delve run --command."),
            ("NAME.ipynb", "are notebooks, which Jupyter opens."),
        ),
        examples=(
            ("delve examples .", "Write them here."),
            ("delve examples tutorial", "Write the files into a new directory."),
        ),
    )
    parser.add_argument("directory", metavar="DIRECTORY", help="where to write them")
    return parser
