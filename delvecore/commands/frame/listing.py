"""What `dls` and `mls` have in common: listing the merged entries of one place in the hierarchy."""

from delvecore.commands.frame.options import Option
from delvecore.errors import DelveError
from delvecore.report.writers.text import columns_text

__all__ = ["OPTIONS", "show_entries"]

OPTIONS = (Option("l", "", "Group the names by the true directories that hold them."),)


def show_entries(session, argument, *, part, long):
    """Print the names in the directory that an argument means, or the argument if it is a file's."""
    location = session.locate(argument, part=part)
    directories = session.hierarchy.directories(part, *location.names)
    if not directories:
        return _show_file(session, argument, location, long)
    entries = session.tolerant.entries(part, *location.names)
    if long:
        print("\n\n".join(_groups(directories, entries)))
    elif names := _visible(entries):
        print(columns_text(names))
    return None


def _show_file(session, argument, location, long):
    path = session.hierarchy.find(location.part, *location.names)
    if path is None:
        raise DelveError(f"{argument}: expected a file or directory of the hierarchy, found nothing")
    directory, _, name = path.rpartition("/")
    print(f"{directory}/:\n{name}" if long else argument)


def _visible(entries):
    return [name for name in entries if name[0] != "."]


def _groups(directories, entries):
    """Yield one text for each true directory, in the order of the hierarchy: its path, then its names."""
    for directory in directories:
        names = [name for name in _visible(entries) if f"{directory}/{name}" in entries[name]]
        yield f"{directory}/:\n{columns_text(names)}".rstrip()
