"""`delve import proben1` and `delve export proben1`: import and export of PROBEN1 data files."""

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
        "Each file is a permutation of the same examples and becomes a prototask. Each partition "
        "into training, validation and test set becomes a task: std (partition a), and b to f. "
        "Training sets include the validation set, and methods know which cases these are. Numbers are "
        "not changed or encoded.",
        note="Columns that encode one category (exactly one of them is 1 in each example) become "
        "one nominal attribute, which is encoded as the same columns. Numbers outside the range of the "
        "format are kept, with a notice. Without --into, datasets go into the delve directory around "
        "the current directory, or into the first writable one of DELVE_PATH.",
        files=(
            ("DELVE_DIRECTORY/data/proben1-NAME", "is the new dataset. After an error, nothing is written."),
        ),
        examples=(
            ("delve import proben1 proben1/ --into delve-proben1", "Make a dataset from each problem."),
            ("delve import proben1 glass1.dt glass2.dt", "Import only two permutations."),
            ("delve import proben1 proben1/ --runs 60", "Train each network sixty times."),
        ),
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        metavar="DIRECTORY|FILE.dt",
        help="data files, compressed or not, or their directory",
    )
    add(
        "--into",
        metavar="DELVE_DIRECTORY",
        help="the delve directory that the datasets go into, created if needed",
    )
    meaning = "number of instances of the task std: runs with different seeds on the same sets (default: 1)"
    add("--runs", type=int, default=1, metavar="NUMBER", help=meaning)
    add("--origin", choices=ORIGINS, default="natural", help="origin of the datasets (default: natural)")
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
        description="Write a permutation that delve import proben1 read. The file equals the "
        "original byte for byte.",
        files=(("NAME.dt", "is the new file. An existing file is never replaced."),),
        examples=(("delve export proben1 glass1", "Write glass1.dt."),),
    )
    add = parser.add_argument
    add("name", metavar="NAME", help="name of the file, such as glass1")
    meaning = "the file to write, or - for standard output (default: NAME.dt in the current directory)"
    add("-o", "--output", metavar="FILE", help=meaning)
    return parser
