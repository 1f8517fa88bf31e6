"""`delve pack`: write a method, or a dataset, into archive files that others can install."""

import os
import sys
from collections.abc import Sequence

from delvecore.cli.support.context import active_hierarchy, current_directory, print_lines
from delvecore.cli.support.manual import ManualParser, add_follow_links, used
from delvecore.cli.support.places import name_of
from delvecore.progress import Progress
from delvecore.render.numbers import counted, integer


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    hierarchy = active_hierarchy(current_directory(), follow_links=options.follow_links)
    part = "data" if options.data else "methods"
    name = name_of(hierarchy, options.name, current_directory(), part=part)
    from delvecore.packaging.pack import pack_dataset, pack_method, review

    problems = review(hierarchy, part, name)
    for problem in problems:
        print_lines(problem.message)
    if problems and not options.anyway:
        print("delve pack: nothing was written; correct these faults, or pack with --anyway", file=sys.stderr)
        return 1
    progress = Progress(sys.stderr, quiet=options.quiet)
    how = hierarchy, name, options.into
    data_files = losses = 0
    if options.data:
        files = pack_dataset(*how, notify=progress.show)
    else:
        has_losses = not options.without_losses
        files, data_files, losses = pack_method(*how, losses=has_losses, notify=progress.show)
    progress.clear()
    for path, count in files.items():
        size = integer(os.path.getsize(path))
        print_lines(f"{os.path.normpath(path)}: {counted(count, 'file')}, {size} bytes")
    left_out = ((data_files, "mgendata", "encoded data"), (losses, "mloss", "losses"))
    for number, program, what in left_out:
        if number:
            print_lines(f"left out: {counted(number, 'file')} with {what}, which {program} makes again")
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve pack",
        "write a method or dataset into archive files",
        description="Check a method and write its archive files: METHOD-all.tar.gz, METHOD-DATASET.tar.gz "
        "for each dataset, and METHOD-Source.tar.gz. The same files give the same bytes. Encoded "
        "data are omitted, since mgendata can make them again. `delve install` installs such files.",
        note="The files in an archive get the time of SOURCE_DATE_EPOCH, or 0.",
        files=(
            ("METHOD-all.tar.gz", "is the method with all results."),
            ("METHOD-DATASET.tar.gz", "has its results on one dataset."),
            ("METHOD-Source.tar.gz", "has its documentation."),
            ("DATASET.tar.gz", "is a dataset, written by --data."),
        ),
        examples=(
            ("delve pack lin-1 --into archives", "Pack a method."),
            ("delve pack --data demo", "Pack a dataset."),
        ),
        statuses=used(fails="The files to pack have faults."),
    )
    parser.add_argument(
        "name", metavar="METHOD", help="name or path of a method, or of a dataset with --data"
    )
    parser.add_argument(
        "--into", metavar="DIRECTORY", default=".", help="output directory, created if needed (default: here)"
    )
    parser.add_argument("--data", action="store_true", help="pack a dataset instead, as DATASET.tar.gz")
    meaning = "leave out the losses, which mloss can compute again"
    parser.add_argument("--without-losses", action="store_true", help=meaning)
    parser.add_argument("--anyway", action="store_true", help="pack even if there are faults")
    add_follow_links(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    return parser
