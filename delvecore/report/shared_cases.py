"""What a table or a sentence says of tasks whose instances share cases, such as those of cross-validation."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from delvecore.report.writers.text import counted
from delvecore.stats.notes import Note, parsed, words_of

_MOST_NAMED = 3
_PLACE = ("dataset", "prototask", "task")


def shared_case_notes(results: pa.Table, tasks: Collection[str] | None = None) -> tuple[str, ...]:
    """Return a sentence for each way in which numbers were corrected, with the tasks that it is about.

    results: of an archive, or some of its rows. tasks: paths such as `/demo/age/std.8`, only of these; None
    for all."""
    rows = results.filter(pc.greater(pc.list_value_length(results["notes"]), 0))
    columns = (rows[name].to_pylist() for name in (*_PLACE, "notes"))
    found: dict[Note, dict[str, None]] = {}
    for *place, notes in zip(*columns, strict=True):
        path = "/" + "/".join(place)
        for note in parsed(notes) if tasks is None or path in tasks else ():
            found.setdefault(note, {})[path] = None
    return tuple(f"{_named(list(paths))}: {words_of([note])}." for note, paths in found.items())


def _named(paths: list[str]) -> str:
    return ", ".join(paths) if len(paths) <= _MOST_NAMED else counted(len(paths), "task")
