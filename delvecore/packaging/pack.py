"""Write a method or a dataset into the archive files of the manual's appendix A, the same bytes each time."""

import gzip
import io
import os
import re
import tarfile
from collections.abc import Callable, Collection, Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from delvecore.checks.datasets import dataset_problems
from delvecore.checks.methods import method_problems
from delvecore.errors import DelveError, Problem, words_of_system
from delvecore.locations import PARTS
from delvecore.readers.files import plain_name, read_raw
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.regular_files import enclosing_directory
from delvecore.readers.tar_archives import index_archive, read_content
from delvecore.writers.files import StagedFiles, make_directory

DATA_FILE = re.compile(r"(train|test|targets|model)\.[0-9]+")
LOSS_FILE = re.compile(r"loss\..+")
LEVELS = 4
"""Depth of the hierarchy below a method, and of sources below their directory."""
TASK_LEVEL = 3
ALL = "all"

Notify = Callable[[str, float], None]
Files = dict[str, str]
"""The paths of files by their names below the directory that is packed."""


def review(hierarchy: Hierarchy, part: str, name: str) -> list[Problem]:
    """Return the problems that `dcheck` finds in a dataset (part `data`), or `mcheck` in a method."""
    return (dataset_problems if part == "data" else method_problems)(hierarchy, name)


def pack_method(
    hierarchy: Hierarchy, method: str, into: str, *, losses: bool = True, notify: Notify | None = None
) -> tuple[dict[str, int], int, int]:
    """Write METHOD-all, METHOD-DATASET for each dataset, and METHOD-Source, in the directory `into`.

    `losses` False leaves out the loss files. Encoded data are always left out. Returns the paths of the
    archive files with the number of files in each, and the numbers of omitted data files and loss files,
    which mgendata and mloss can make again. Raises DelveError if a file is in two places, if the method has
    no files, or if `into` is inside a delve directory, where archives are read in place."""
    _check_directory(into)
    files = _files_below(hierarchy, "methods", method)
    kept = {name: path for name, path in files.items() if not _is_data(name)}
    packed = {name: path for name, path in kept.items() if losses or not _is_loss(name)}
    parts: dict[str, Files] = {}
    for name, path in packed.items():
        first, inside, _ = name.partition("/")
        parts.setdefault(first if inside else SOURCE_DIRECTORY, {})[name] = path
    if ALL in parts:
        why = "one; its archive would have the same name as the archive of all files"
        raise DelveError(f"/{method}: expected no dataset named {ALL}, found {why}")
    written = _write_all({ALL: packed, **parts}, method, into, notify)
    return written, len(files) - len(kept), len(kept) - len(packed)


def pack_predictions(hierarchy: Hierarchy, method: str, datasets: Collection[str], path: str) -> None:
    """Write a method's results on some datasets without data and losses. Raises DelveError."""
    files = _files_below(hierarchy, "methods", method)
    chosen = {name: file for name, file in files.items() if name.partition("/")[0] in datasets}
    kept = {name: file for name, file in chosen.items() if not _is_data(name) and not _is_loss(name)}
    if not kept:
        raise DelveError(f"/{method}: expected results on {', '.join(datasets)}, found none")
    _write_archive(path, method, kept)


def pack_dataset(
    hierarchy: Hierarchy, dataset: str, into: str, *, notify: Notify | None = None
) -> dict[str, int]:
    """Write DATASET.tar.gz in the directory `into`; return its path with the number of files in it. Raises
    DelveError as `pack_method` does."""
    _check_directory(into)
    files = _files_below(hierarchy, "data", dataset)
    return _write_all({"": files}, dataset, into, notify)


def _check_directory(into: str) -> None:
    if os.path.exists(into) and not os.path.isdir(into):
        raise DelveError(f"{into}: expected a directory, or a new path, found a file")
    root = enclosing_directory(into)
    inside = os.path.relpath(os.path.abspath(into), root).split(os.sep) if root else [""]
    if inside[0] in PARTS:
        expected = f"a directory outside {root}, because archives inside it are read in place"
        raise DelveError(f"{into}: expected {expected}, found one inside; name another with --into")


def _files_below(hierarchy: Hierarchy, part: str, name: str) -> Files:
    files = dict(_walk(hierarchy, part, name, ()))
    if not files:
        raise DelveError(f"/{name}: expected files to pack, found none")
    return files


def _walk(hierarchy: Hierarchy, part: str, top: str, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for path in hierarchy.files(part, top, *names).values():
        file = os.path.basename(path)
        if file[0] != ".":
            yield "/".join((*names, file)), path
    deepest = LEVELS + (SOURCE_DIRECTORY in names[:1])
    for name in hierarchy.subdirectories(part, top, *names) if len(names) < deepest else ():
        yield from _walk(hierarchy, part, top, (*names, name))


def _is_data(name: str) -> bool:
    return _is_result(name) and bool(DATA_FILE.fullmatch(plain_name(os.path.basename(name))))


def _is_loss(name: str) -> bool:
    return _is_result(name) and bool(LOSS_FILE.fullmatch(os.path.basename(name)))


def _is_result(name: str) -> bool:
    return name.count("/") == TASK_LEVEL and not name.startswith(SOURCE_DIRECTORY + "/")


def _write_all(parts: dict[str, Files], top: str, into: str, notify: Notify | None) -> dict[str, int]:
    make_directory(into)
    written, done = dict[str, int](), 0
    count = sum(map(len, parts.values()))
    for end, files in parts.items():
        path = os.path.join(into, f"{top}-{end}.tar.gz" if end else f"{top}.tar.gz")
        _write_archive(path, top, files)
        written[path] = len(files)
        done += len(files)
        if notify:
            notify(os.path.basename(path), done / count)
    return written


def _write_archive(path: str, top: str, files: Files) -> None:
    """Write one archive under a temporary name, check that it can be installed, and rename it."""
    directory, name = os.path.split(path)
    with StagedFiles(directory) as staged:
        beside = staged.place(name)
        try:
            with open(beside, "wb") as raw:
                _write_members(raw, top, files)
            index_archive(read_content(beside, shown=path), path)
        except OSError as error:
            raise DelveError(f"{path}: expected to write it, found {words_of_system(error)}") from None


def _write_members(raw: BinaryIO, top: str, files: Files) -> None:
    """Write sorted members with fixed times, owners and modes: equal files make equal archives."""
    time = os.environ.get("SOURCE_DATE_EPOCH", "0")
    if not time.isascii() or not time.isdecimal() or len(time) > 11:
        raise DelveError(f"SOURCE_DATE_EPOCH: expected seconds since 1970, found {time!r}")
    packer = gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=raw, mtime=0)
    with packer, tarfile.open(fileobj=packer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        folders = {str(folder) for name in files for folder in PurePosixPath(name).parents}
        for name in sorted({f"{top}/{name}" for name in (*files, *folders - {"."}, "")}):
            member = tarfile.TarInfo(name.rstrip("/"))
            member.mtime = int(time)
            path = files.get(name[len(top) + 1 :])
            if path is None:
                member.type, member.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(member)
                continue
            data = read_raw(path)
            member.size, member.mode = len(data), 0o644
            tar.addfile(member, io.BytesIO(data))
