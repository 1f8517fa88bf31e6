"""`delve import proben1` and `delve export proben1`: data files of PROBEN1 in and out."""

import sys
from collections.abc import Sequence

from delvecore.cli.support.context import (
    active_hierarchy,
    check_new,
    current_directory,
    print_lines,
    write_new,
)
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.places import data_target
from delvecore.model import ORIGINS
from delvecore.render.numbers import counted, integer

NAME = "proben1"
"""The word after `delve import` and `delve export`."""


def import_main(arguments: Sequence[str]) -> int:
    options = import_command().parse_args(arguments)
    from delvecore.importers.proben1 import example_files, notices, problem_of, write_problem

    read = example_files(options.paths).values()
    problems = [problem_of(files, origin=options.origin, runs=options.runs) for files in read]
    into = data_target(options.into)
    for problem in problems:
        prototasks = write_problem(problem, into)
        sizes = ", ".join(f"{integer(size)} {kind}" for kind, size in problem.first.sizes.items())
        names = " ".join(prototask.name for prototask in prototasks)
        print_lines(f"/{problem.dataset_name}: {sizes} cases; prototasks {names}")
        for notice in notices(problem):
            print(f"delve import: notice: {notice}", file=sys.stderr)
    return 0


def import_command() -> ManualParser:
    parser = ManualParser(
        "delve import proben1",
        "make datasets from data files of PROBEN1",
        description="Make a dataset, proben1-glass, from the files glass1.dt, glass2.dt and glass3.dt. "
        "Each file is a prototask, a permutation of the same examples. Each partition into training, "
        "validation and test set is a task: std, which is a, and b to f. Training sets hold the validation "
        "set, and methods know which cases these are. Every number is kept, and coded as it is.",
        note="Columns of ones and zeros, one of them 1 in each example, become one nominal attribute, which "
        "is coded as the same columns. Numbers outside of the range of the format are kept, with "
        "a notice. Without --into it is the delve directory around the working directory, else the first one "
        "of DELVE_PATH that can be written.",
        files=(("DELVE_DIRECTORY/data/proben1-NAME", "is made: the complete dataset, or nothing."),),
        examples=(
            ("delve import proben1 proben1/ --into delve-proben1", "Make a dataset of each problem."),
            ("delve import proben1 glass1.dt glass2.dt", "Two permutations only."),
            ("delve import proben1 proben1/ --runs 60", "Train each network sixty times."),
        ),
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="DIRECTORY|FILE.dt", help="where the files are, compressed or not")
    add("--into", metavar="DELVE_DIRECTORY", help="the delve directory it goes into, created if needed")
    meaning = "how many instances the task std has, with the same sets and other seeds (default: 1)"
    add("--runs", type=int, default=1, metavar="NUMBER", help=meaning)
    add("--origin", choices=ORIGINS, default="natural", help="of the datasets (default: natural)")
    return parser


def export_main(arguments: Sequence[str]) -> int:
    options = export_command().parse_args(arguments)
    path = options.output or f"{options.name}.dt"
    check_new(path)
    from delvecore.importers.export import export_examples

    content = export_examples(active_hierarchy(current_directory()), options.name)
    write_new([content], path, summary=counted(len(content), "byte"))
    return 0


def export_command() -> ManualParser:
    parser = ManualParser(
        "delve export proben1",
        "write a data file of PROBEN1",
        description="Write a permutation that delve import proben1 read, byte for byte as its file.",
        files=(("NAME.dt", "is made. An existing file is never replaced."),),
        examples=(("delve export proben1 glass1", "Write glass1.dt."),),
    )
    add = parser.add_argument
    add("name", metavar="NAME", help="of the file, such as glass1")
    meaning = "the file to write, - for standard output (default: NAME.dt here)"
    add("-o", "--output", metavar="FILE", help=meaning)
    return parser
