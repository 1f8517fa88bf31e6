"""`delve check`: every fault in the files of archives, one per line."""

from collections.abc import Sequence

import delvecore
from delvecore.cli.support.context import print_lines
from delvecore.cli.support.manual import ManualParser, add_follow_links, used
from delvecore.errors import DelveError, Fault
from delvecore.render.numbers import counted


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    from delvecore.archive import sources  # loaded late, since help does not need its libraries

    _, files = sources(options.paths)
    if files:
        cure = f"delve rank {files[0]} reads it and reports its faults"
        raise Fault(files[0], "a delve directory", "a file of scores", cure, is_file=True)
    archive = delvecore.open(
        options.paths or None, cache=options.cache, verify=options.verify, follow_links=options.follow_links
    )
    if not archive.paths:
        raise DelveError("expected an archive to check, found none; give a PATH or set DELVE_PATH")
    messages = archive.problems["message"].to_pylist()
    for message in messages:
        print_lines(message)
    datasets, methods = archive.datasets.num_rows, archive.methods.num_rows
    problems = counted(len(messages), "problem") if messages else "no problems"
    print_lines(f"{counted(datasets, 'dataset')} and {counted(methods, 'method')} read, {problems} found")
    return 1 if archive.faults else 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve check",
        "list everything that is wrong with the files of archives",
        description="List the faults in the files of archives.",
        examples=(("delve check ~/delve", "Check all datasets and results of a delve directory."),),
        statuses=used(good="Nothing is wrong.", fails="A fault was found, or an error happened."),
    )
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="a delve directory, or a directory that contains some"
    )
    meaning = "do not read or write the cache"
    parser.add_argument("--no-cache", dest="cache", action="store_false", help=meaning)
    meaning = "ignore the cache, read all files, and update the cache"
    parser.add_argument("--verify", action="store_true", help=meaning)
    add_follow_links(parser)
    return parser
