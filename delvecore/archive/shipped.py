"""The tables that ship with the archive, so that a first opening need not read its files.

They are in the folder `tables` next to the delve directory: all stored data of an archive except for losses,
and the indexes of its archive files. They are valid while all files of the directory have the content from
which they were made. `python data/build_tables.py` makes them."""

import hashlib
import json
import os
from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from delvecore import locations
from delvecore.errors import DelveError
from delvecore.locations import PARTS
from delvecore.readers.tar_archives import Identity, Index, archives_in, index_of, remember_index
from delvecore.readers.tree_digest import tree_digest
from delvecore.tables import STORED, Tables, rows_of

FOLDER, MANIFEST, INDEXES = "tables", "manifest.json", "indexes"
SHIPPED = tuple(name for name in STORED if name not in ("losses", "units"))
"""The tables that ship. Losses are read at their first use, and the states of units depend on the disk."""
PATHS = {"datasets": "directory", "methods": "directories"}
"""The columns that hold paths, by table; in the files they are relative to the delve directory."""
_LEVEL = 19


def prove_shipped(root: str, folder: str, digest: str) -> dict[str, Identity] | None:
    """Read all files of a delve directory, and register the indexes of its archive files.

    `folder` has its shipped tables, which were made from files with this digest. Returns the identities of
    the files by path; None if they have another digest.
    """
    try:
        actual, identities = tree_digest(root)
    except OSError:
        return None
    if actual != digest:
        return None
    for inside, index in rows_of(_read_table(folder, INDEXES), ("path", "index")):
        path = os.path.join(root, inside)
        remember_index(path, identities[path], Index(*json.loads(index)))
    return identities


def find_shipped(roots: list[str], form: str) -> tuple[str, str] | None:
    """Return the folder of the shipped tables of a delve directory, and the digest of the directory's files.

    None if there are no tables in this format. `roots` are the directories of an archive; the program ships
    tables of one directory only.
    """
    shipped = map(os.path.realpath, locations.default_directories())
    if len(roots) != 1 or os.path.realpath(roots[0]) not in shipped:
        return None
    folder = os.path.join(os.path.dirname(os.path.realpath(roots[0])), FOLDER)
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            manifest = json.load(file)
        tables = _digest_of_tables(folder)
    except (OSError, ValueError):
        return None
    return (
        (folder, manifest["digest"])
        if (manifest.get("form"), manifest.get("tables")) == (form, tables)
        else None
    )


def read_shipped(folder: str, root: str) -> Tables:
    """Return the shipped tables, with the paths of files below root."""
    tables = {name: _read_table(folder, name) for name in SHIPPED}
    return _with_paths(tables, lambda paths: pc.utf8_replace_slice(paths, 0, 0, os.path.join(root, "")))


def write_shipped(tables: Tables, root: str, folder: str, form: str) -> None:
    """Write the tables of a delve directory, to ship with it. Raises DelveError for files with problems."""
    if tables["problems"].num_rows:
        raise DelveError(f"{root}: expected files without problems, found some; run delve check {root}")
    os.makedirs(folder, exist_ok=True)
    inside = len(os.path.join(root, ""))
    for name, table in _with_paths(tables, lambda paths: pc.utf8_slice_codeunits(paths, inside)).items():
        _write_table(folder, name, table)
    paths = sorted(path for part in PARTS for path in archives_in(os.path.join(root, part)))
    indexes = {"path": [os.path.relpath(path, root) for path in paths]}
    indexes["index"] = [json.dumps(index_of(path), separators=(",", ":")) for path in paths]
    _write_table(folder, INDEXES, pa.table(indexes, pa.schema({"path": pa.string(), "index": pa.string()})))
    manifest = {"form": form, "digest": tree_digest(root)[0], "tables": _digest_of_tables(folder)}
    with open(os.path.join(folder, MANIFEST), "w", encoding="utf-8") as file:
        file.write(json.dumps(manifest, indent=1) + "\n")


def _with_paths(tables: Tables, change: Callable[[pa.Array], pa.Array]) -> Tables:
    """Return the shipped tables with other paths in their columns of paths. Arrays are not made from Python
    objects, because that would import pandas."""
    changed_tables = {name: tables[name] for name in SHIPPED}
    for name, column in PATHS.items():
        place, values = (
            changed_tables[name].schema.get_field_index(column),
            changed_tables[name][column].combine_chunks(),
        )
        is_list = pa.types.is_list(values.type)
        changed = change(values.flatten() if is_list else values)
        changed = pa.ListArray.from_arrays(values.offsets, changed) if is_list else changed
        changed_tables[name] = changed_tables[name].set_column(
            place, changed_tables[name].schema.field(place), changed
        )
    return changed_tables


def _read_table(folder: str, name: str) -> pa.Table:
    with pa.OSFile(os.path.join(folder, f"{name}.arrow")) as file:
        return pa.ipc.open_file(file).read_all()


def _write_table(folder: str, name: str, table: pa.Table) -> None:
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", _LEVEL))
    path = os.path.join(folder, f"{name}.arrow")
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table.combine_chunks())


def _digest_of_tables(folder: str) -> str:
    whole = hashlib.sha256()
    for name in (*SHIPPED, INDEXES):
        with open(os.path.join(folder, f"{name}.arrow"), "rb") as file:
            whole.update(file.read())
    return whole.hexdigest()
