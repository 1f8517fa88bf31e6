"""What `dls` and `mls` have in common: listing the merged entries of one place in the hierarchy."""

from delvecore.commands.options import Option
from delvecore.errors import DelveError
from delvecore.report.columns import columns_text

__all__ = ["OPTIONS", "show_entries"]

OPTIONS = (Option("l", "", "Group the names by the true directories that hold them."),)


def show_entries(session, argument, *, part, long):
    """Print the names in the directory that an argument means, or the argument if it is a file's."""
    location = session.locate(argument, part=part)
    if not session.hierarchy.directories(part, *location.names):
        _show_file(session, argument, location, long)
    elif long:
        print("\n\n".join(_groups(session.tolerant.entries(part, *location.names))))
    else:
        _print_columns(_visible(session.tolerant.entries(part, *location.names)))


def _show_file(session, argument, location, long):
    path = session.hierarchy.find(location.part, *location.names)
    if path is None:
        raise DelveError(f"{argument}: expected a file or directory of the hierarchy, found nothing")
    directory, _, name = path.rpartition("/")
    print(f"{directory}/:\n{name}" if long else argument)


def _visible(entries):
    return [name for name in entries if name[0] != "."]


def _print_columns(names):
    if names:
        print(columns_text(names))


def _groups(entries):
    """Yield one text for each true directory: its path, then its names in columns."""
    directories = {}
    for name in _visible(entries):
        for path in entries[name]:
            directories.setdefault(path.rpartition("/")[0], []).append(name)
    for directory, names in directories.items():
        yield f"{directory}/:\n{columns_text(names)}"
