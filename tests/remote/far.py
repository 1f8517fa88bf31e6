"""What an archive elsewhere is held against: the same archive here."""

import os
from pathlib import Path

import delvecore
from delvecore import locations

TABLES = ("datasets", "prototasks", "tasks", "methods", "results", "codings", "problems")

PLACES = ("directory", "directories")


def tables(archive: delvecore.Archive) -> dict[str, object]:
    """All tables, without the directories of datasets and methods, which differ."""
    by_name = {name: getattr(archive, name) for name in TABLES}
    return {
        name: table.drop_columns([column for column in table.column_names if column in PLACES])
        for name, table in by_name.items()
    }


def fetched() -> set[str]:
    """The names of all objects with a copy in the cache."""
    base = Path(locations.stores_directory()) / "names"
    return {os.path.basename(path) for path in base.rglob("*") if path.is_file()}


def kept_text() -> str:
    """All that the cache holds, names and contents."""
    base = Path(os.environ["XDG_CACHE_HOME"])
    files = [path for path in base.rglob("*") if path.is_file()]
    contents = [path.read_bytes().decode(errors="replace") for path in files if path.stat().st_mode & 0o400]
    return "\n".join([*map(str, base.rglob("*")), *contents])
