"""`delve export`: write the cases of a dataset or prototask, and its instances, into a file of another
format."""

from collections.abc import Sequence

from delvecore.cli.subcommands import proben1
from delvecore.cli.support.context import active_hierarchy, check_new, current_directory, write_new
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.places import path_text
from delvecore.errors import DelveError
from delvecore.readers.specifications import dataset_names
from delvecore.render.numbers import counted

EXTENSIONS = {"csv": "csv", "parquet": "parquet", "arff": "arff", "frame": "feather"}


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == [proben1.NAME]:
        return proben1.export_main(arguments[1:])
    options = command().parse_args(arguments)
    here = current_directory()
    hierarchy = active_hierarchy(here)
    is_name = options.path in dataset_names(hierarchy)
    names = (options.path,) if is_name else hierarchy.locate(options.path, here, part="data")
    if len(names) not in (1, 2):
        raise DelveError(
            f"{options.path}: expected the path of a dataset or prototask, found {path_text(names)}"
        )
    path = options.output or f"{'-'.join(names)}.{EXTENSIONS[options.format]}"
    check_new(path)
    from delvecore.importers.export import export_bytes, export_table

    table = export_table(hierarchy, names, task=options.task)
    content = export_bytes(table, options.format, name="-".join(names))
    size = f"{counted(table.num_rows, 'case')}, {counted(table.num_columns, 'column')}"
    write_new(content, path, summary=size)
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve export",
        "write the cases of a dataset into a CSV, Parquet, ARFF or Feather file",
        description="Write the cases of a dataset, or those of a prototask in its order, into a CSV, "
        "Parquet, ARFF or Feather file (frame). The option --task adds a column per instance, instance_0 "
        "and so on, with train or test for each case that the instance uses. Missing values are empty (? in "
        "ARFF). Parquet keeps ranges and types, so that delve import gives the same attributes. "
        "delve export proben1 NAME writes data files of PROBEN1.",
        files=(("DATASET.csv", "the cases. An existing file is never replaced."),),
        examples=(
            ("delve export /demo", "Write all cases into demo.csv."),
            ("delve export /demo/age --task std.128 --format parquet", "Write folds too."),
        ),
    )
    add = parser.add_argument
    add("path", metavar="DATASET|/DATASET/PROTOTASK", help="what to export")
    add("--format", choices=tuple(EXTENSIONS), default="csv", help="the format of the file (default: csv)")
    add("--task", metavar="PRIOR.SIZE", help="task whose instances become columns, such as std.128")
    meaning = (
        "the file to write, or - for standard output (default: DATASET.csv or "
        "DATASET-PROTOTASK.csv in the current directory)"
    )
    add("-o", "--output", metavar="FILE", help=meaning)
    return parser
