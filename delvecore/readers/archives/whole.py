"""Whole delve directories in one archive file: unpacked into the cache, once for each state of the file."""

import os
from collections.abc import Iterable

from delvecore import locations
from delvecore.atomic_io import scratch_directory, sync
from delvecore.names import hash_of
from delvecore.errors import Fault, ParseError, words_of_system
from delvecore.locations import PARTS
from delvecore.readers.archives.packed import identity_of
from delvecore.readers.archives.tar_index import Content, Index, index_archive, read_content
from delvecore.remote.places import local_paths

ENDINGS = (".tar.gz", ".tgz")
OTHERS = (".zip", ".tar", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z")
ARRIVING, PIECE = ".new-", 1 << 22


def paths_here(paths: Iterable[str], *, anew: bool = False) -> list[str]:
    """Return paths on this machine: of addresses what stands for them, of archive files what is in them, of
    others themselves. anew: as of `local`. Raises DelveError."""
    return [_unpacked(path) for path in local_paths(paths, anew=anew)]


def _unpacked(path: str) -> str:
    """Return where the delve directory lies that an archive file holds, or the directory of several; the path
    itself of anything else. Raises DelveError for an archive that is damaged, not safe or of no such."""
    lower = path.lower()
    if not lower.endswith((*ENDINGS, *OTHERS)) or not os.path.isfile(path):
        return path
    if not lower.endswith(ENDINGS):
        remedy = "give the directory itself, or pack it as tar -czf does"
        raise Fault(
            path, "a delve directory, or one in a .tar.gz file", "another archive", remedy, is_file=True
        )
    own = f"{os.path.basename(path)}-{hash_of([os.path.abspath(path)], size=8)}"
    place = os.path.join(locations.stores_directory(), locations.UNPACKED, own)
    state = os.path.join(place, hash_of([repr(identity_of(os.stat(path)))], size=8))
    if not os.path.isdir(state):
        try:
            _unpack(path, place, state)
        except OSError as error:
            raise Fault(path, "to unpack it into the cache", words_of_system(error), is_file=True) from None
    (top,) = os.listdir(state)
    return os.path.join(state, top)


def _unpack(path: str, place: str, state: str) -> None:
    """Write the files of an archive below a new directory, and remove what other states of it had."""
    content = read_content(path)
    index = index_archive(content, path)
    top = _top(index, path)
    os.makedirs(place, exist_ok=True)
    with scratch_directory(ARRIVING, place) as beside:
        whole = os.path.join(beside, "whole")
        sync(_write(content, index, os.path.join(whole, top)))
        others = [entry.path for entry in os.scandir(place) if entry.name[0] != "."]
        for number, other in enumerate(others):
            os.rename(other, os.path.join(beside, f"old-{number}"))
        os.rename(whole, state)


def _top(index: Index, path: str) -> str:
    """Return what the directory of an archive is to be called. ParseError where it is no delve directory, and
    holds none."""
    if any(part in index.folders for part in PARTS):
        return index.top if index.top.startswith("delve") else f"delve-{index.top}"
    inside = (name for name in index.folders[""] if name.startswith("delve"))
    if not any(f"{name}/{part}" in index.folders for name in inside for part in PARTS):
        expected = "a delve directory in it, with data and methods, or one holding some"
        remedy = "a dataset or a method comes into a delve directory with delve install"
        raise ParseError(path, None, expected, f"{index.top!r}, which is none", remedy, kind="file")
    return index.top


def _write(content: Content, index: Index, directory: str) -> list[str]:
    """Write the files; return their paths. Delve directories have both parts, also where one is empty."""
    for folder in index.folders:
        os.makedirs(os.path.join(directory, folder), exist_ok=True)
        above, part = os.path.split(folder)
        if part in PARTS and "/" not in above:
            for one in PARTS:
                os.makedirs(os.path.join(directory, above, one), exist_ok=True)
    paths = []
    for name, (offset, size) in index.files.items():
        paths.append(os.path.join(directory, name))
        with open(paths[-1], "wb") as file:
            for start in range(0, size, PIECE):
                file.write(content.read(offset + start, min(PIECE, size - start)))
    return paths
