"""The content of files: fetched where it is read next, and watched where others trust what is said of it.

Have files another content, though their numbers, sizes and times, which all readers trust, are the same?

What was found is kept in the user's cache; a later check of the same state of a file is compared with it."""

import hashlib
import os
import time
from collections.abc import Callable, Iterable

from delvecore.archive.snapshot import Snapshot, Unit
from delvecore.checked_files import read_checked, write_checked
from delvecore.losses.predictions import parse_prediction_name
from delvecore.readers.archives.packed import archive_of, identity_of
from delvecore.readers.dataset import DATA
from delvecore.readers.files import read_raw
from delvecore.readers.hidden_datasets import SOURCE_DIRECTORY
from delvecore.remote.contents import fetch_all, is_stand_in

__all__ = ["content_path", "digests_of", "fetch_units", "other_contents"]

RESTS = 2
"""How many times as long as reading a unit takes nothing is read then, so that nobody has to wait."""
Kept = dict[str, tuple[str, str]]
"""By unit, or archive file: its state and the digest of its content."""


def fetch_units(units: Iterable[Unit], *, cases: bool = True) -> None:
    """Have the files of units here that are read when an archive is opened, where they lie in a store: no
    documents, and no predictions where there are losses. cases: those of datasets, too."""
    far = (unit for unit in units if any(map(is_stand_in, unit.directories)))
    fetch_all(path for unit in far for path in _files_read(unit, cases))


def _files_read(unit: Unit, cases: bool) -> list[str]:
    left_out = (SOURCE_DIRECTORY + "/", *(() if cases else (DATA,)))
    files = {name: path for name, path in unit.files.items() if not name.startswith(left_out)}
    if any(name.startswith("loss.") for name in files):
        files = {name: path for name, path in files.items() if parse_prediction_name(name) is None}
    return list(files.values())


def content_path(base: str, roots: list[str]) -> str:
    """Return where the digests of these delve directories are kept, in a cache directory."""
    name = hashlib.blake2b("\n".join(roots).encode(errors="surrogateescape"), digest_size=16).hexdigest()
    return os.path.join(base, "contents", name)


def digests_of(snapshot: Snapshot, *, rest: Callable[[float], object]) -> Kept:
    """Read all files and return their digests; units that cannot be read are left out. rest: called between
    units with the seconds to wait, so that it goes on in the background."""
    units = [*snapshot.datasets.values(), *snapshot.arrays.values(), *snapshot.methods.values()]
    found: Kept = {}
    for unit in [*units, *snapshot.results.values()]:
        for key, (state, paths) in _files(unit).items():
            if key in found:
                continue
            begin = time.monotonic()
            try:
                found[key] = state, _digest(paths)
            except OSError:
                continue
            rest(RESTS * (time.monotonic() - begin))
    return found


def _files(unit: Unit) -> dict[str, tuple[str, list[str]]]:
    """Return (state, paths) of the unit's own files, and of each archive file that it lies in; not of those
    in a store, which says itself when something is another."""
    inside = {path: archive_of(path) for path in unit.files.values() if not is_stand_in(path)}
    plain = sorted(path for path, archive in inside.items() if archive is None)
    found = {f"/{unit.key}": (unit.state, plain)} if plain else {}
    for archive in sorted({archive for archive, _ in filter(None, inside.values())}):
        found[archive] = str(identity_of(os.stat(archive))), [archive]
    return found


def _digest(paths: list[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        content = read_raw(path)
        digest.update(f"{path}\0{len(content)}\0".encode(errors="surrogateescape"))
        digest.update(content)
    return digest.hexdigest()


def other_contents(path: str, found: Kept) -> list[str]:
    """Return what has another digest than is kept for the same state, sorted, and keep the digests of what is
    new. path: of the kept digests. Raises OSError where they cannot be written."""
    kept = {key: (state, digest) for key, (state, digest) in (read_checked(path) or {}).items()}
    same = {key for key, (state, _) in found.items() if key in kept and kept[key][0] == state}
    write_checked(path, found | {key: kept[key] for key in same})
    return sorted(key for key in same if kept[key] != found[key])
