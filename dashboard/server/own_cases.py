"""A visitor's own file of cases: tried in a process with limits, then previewed as `delve import` does it."""

from dataclasses import dataclass

from delvecore.importing.plan import ImportOptions, ImportPlan, plan_import
from delvecore.importing.sources import open_source

__all__ = ["ENDINGS", "OwnCases", "read_own_cases"]

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arff")
"""Of files that may be cases; such an ending is kept, for it says how the file is read."""


@dataclass(frozen=True, eq=False)
class OwnCases:
    """A file of cases that becomes a dataset when the visitor says so. name: as it was sent; path: where it
    lies; plan: what would become of it."""

    name: str
    path: str
    plan: ImportPlan


def read_own_cases(path: str, name: str, target: str | None = None) -> OwnCases:
    """Return what would become of a file of cases. target: a column, None to guess. Raises DelveError."""
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    asked = "".join(letter for letter in stem if letter.isascii() and (letter.isalnum() or letter in "-_"))
    options = ImportOptions(
        targets=(target,) if target else (), name=asked[:60] or "cases", guess_target=target is None
    )
    return OwnCases(name, path, plan_import(open_source(path), options))
