"""`delve check`: every fault in the files of archives, one a line."""

from collections.abc import Sequence

from delvecore.commands.frame.completers import directories
from delvecore.commands.frame.manual import ManualParser, used
from delvecore.report.writers.text import counted

__all__ = ["command", "main"]


def main(arguments: Sequence[str]) -> int:
    """Print `file:line: fault` for every fault and a count; return 1 if there are any, 0 if none."""
    import delvecore
    from delvecore.errors import DelveError

    options = command().parse_args(arguments)
    archive = delvecore.open(options.paths or None, cache=options.cache)
    if not archive.paths:
        raise DelveError("expected an archive to check, found none; give a PATH or set DELVE_PATH")
    messages = archive.problems["message"].to_pylist()
    for message in messages:
        print(message)
    print(_count(len(messages), archive.datasets.num_rows, archive.methods.num_rows))
    return 1 if messages else 0


def _count(problems: int, datasets: int, methods: int) -> str:
    read = f"{counted(datasets, 'dataset')} and {counted(methods, 'method')} read"
    return f"{read}, {counted(problems, 'problem') if problems else 'no problems'} found"


def command() -> ManualParser:
    """Return what the command takes and tells of itself."""
    parser = ManualParser(
        "delve check",
        "list everything that is wrong with the files of archives",
        description="List what is wrong with archives' files.",
        examples=(("delve check ~/delve", "Check all datasets and results of a delve directory."),),
        statuses=used(good="Nothing is wrong.", fails="A fault was found, or an error happened."),
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a delve directory, or one holding some",
    )
    parser.add_argument(
        "--no-cache", dest="cache", action="store_false", help="neither read nor write the cache"
    )
    parser.complete(paths=directories)
    return parser
