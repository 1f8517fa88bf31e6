"""A visitor's own file of cases: tried in a process with limits, then previewed as `delve import` does it."""

from collections.abc import Mapping
from dataclasses import dataclass

from delvecore.importers.attribute_kinds import LEFT_OUT
from delvecore.importers.plan import ColumnPlan, ImportOptions, ImportPlan, Role, plan_import
from delvecore.importers.sources import open_source

__all__ = ["ENDINGS", "OwnCases", "read_own_cases", "with_changes"]

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".pq", ".arff")
"""Of files that may be cases; such an ending is kept, for it says how the file is read."""


@dataclass(frozen=True, eq=False)
class OwnCases:
    """A file of cases that becomes a dataset when the visitor says so. name: as it was sent; path: where it
    lies; plan: what would become of it; may_be_scores: can it be read as those, too?"""

    name: str
    path: str
    plan: ImportPlan
    may_be_scores: bool = False


def read_own_cases(path: str, name: str, options: ImportOptions | None = None) -> OwnCases:
    """Return what would become of a file of cases. options: None to guess all. Raises DelveError."""
    return OwnCases(name, path, plan_import(open_source(path), options or _guessing(name)))


def _guessing(name: str) -> ImportOptions:
    stem = name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    asked = "".join(letter for letter in stem if letter.isascii() and (letter.isalnum() or letter in "-_"))
    return ImportOptions(name=asked[:60] or "cases", guess_target=True)


def with_changes(plan: ImportPlan, changes: Mapping[int, Mapping[str, str]]) -> ImportOptions:
    """Return the options by which a plan becomes what a visitor made of its columns. changes: by number of
    the column, its new `role`, `type`, or both."""
    types = dict(plan.options.types)
    targets = [name for group in plan.targets for name in group]
    for number, change in changes.items():
        column = plan.columns[number]
        role = change.get("role") or (Role.INPUT if column.role is Role.LEFT_OUT else column.role)
        targets = [name for name in targets if name != column.name]
        if role == Role.LEFT_OUT:
            types[column.name] = LEFT_OUT
            continue
        if role == Role.TARGET:
            targets.append(column.name)
        kind = change.get("type") or types.get(column.name) or column.guess.type
        if change.get("type") or kind == LEFT_OUT:
            types[column.name] = usual_type(column) if kind == LEFT_OUT else kind
    return plan.options._replace(targets=tuple(targets), types=types, guess_target=not targets)


def usual_type(column: ColumnPlan) -> str:
    """Return the type that a column has which was left out and is not to be."""
    if not column.profile.is_numeric:
        return "nominal"
    return "integer" if column.profile.is_whole else "real"
