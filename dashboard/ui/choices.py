"""Names that can be selected in an archive."""

from dataclasses import dataclass

from dashboard.server.archive import rows
from dashboard.server.cache import cached
from delvecore.archive import Archive


@dataclass(frozen=True)
class Choices:
    """Names that can be selected in an archive. Prototasks and tasks are full paths: `/demo/age/std.128`."""

    losses: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    prototasks: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()


def _paths(archive: Archive, table: str, *parts: str) -> tuple[str, ...]:
    """Return the full paths of a table's rows, such as `/demo/age/std.128`."""
    return tuple("/".join(("", *(row[part] for part in parts))) for row in rows(archive, table))


@cached
def choices(archive: Archive) -> Choices:
    """Return the names that can be selected in this archive."""
    return Choices(
        losses=archive.index.losses,
        methods=tuple(row["method"] for row in rows(archive, "methods")),
        tasks=_paths(archive, "tasks", "dataset", "prototask", "task"),
        datasets=tuple(row["dataset"] for row in rows(archive, "datasets")),
        prototasks=_paths(archive, "prototasks", "dataset", "prototask"),
        arrays=tuple(array.name for array in archive.arrays),
    )
