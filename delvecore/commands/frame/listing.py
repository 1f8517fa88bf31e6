"""What `dls` and `mls` have in common: listing the merged entries of one place in the hierarchy."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence

from delvecore.commands.frame.context import Session, run
from delvecore.commands.frame.manual import ClassicParser
from delvecore.errors import DelveError
from delvecore.readers.hierarchy import Location
from delvecore.report.writers.text import columns_text

__all__ = ["add_listing", "show_entries"]


def add_listing(parser: ClassicParser) -> ClassicParser:
    """Add the options to a parser, and return it."""
    parser.flag("l", "Group the names by the true directories that hold them.")
    return parser


def show_entries(parser: ClassicParser, arguments: Sequence[str] | None, *, part: str) -> int:
    """Print the names in the directory that an argument means, or the argument if it is a file's."""

    def show(session: Session, options: Namespace) -> None:
        argument, *_ = options.paths or ["."]
        location = session.locate(argument, part=part)
        directories = session.hierarchy.directories(part, *location.names)
        if not directories:
            return _show_file(session, argument, location, long=options.l)
        entries = session.tolerant.entries(part, *location.names)
        if options.l:
            print("\n\n".join(_groups(directories, entries)))
        elif names := _visible(entries):
            print(columns_text(names))
        return None

    return run(parser, show, arguments)


def _show_file(session: Session, argument: str, location: Location, *, long: bool) -> None:
    path = session.hierarchy.find(location.part, *location.names)
    if path is None:
        raise DelveError(f"{argument}: expected a file or directory of the hierarchy, found nothing")
    directory, _, name = path.rpartition("/")
    print(f"{directory}/:\n{name}" if long else argument)


def _visible(entries: Iterable[str]) -> list[str]:
    return [name for name in entries if name[0] != "."]


def _groups(directories: Iterable[str], entries: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield one text for each true directory, in the order of the hierarchy: its path, then its names."""
    for directory in directories:
        names = [name for name in _visible(entries) if f"{directory}/{name}" in entries[name]]
        yield f"{directory}/:\n{columns_text(names)}".rstrip()
