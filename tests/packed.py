"""Archives in `.tar.gz` files for tests: sound ones, and ones that nobody honest would make."""

import bz2
import gzip
import io
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow

ROOT = Path(__file__).resolve().parents[1]
Member = tuple[str, bytes | str]


def zipped(data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", data)
    return buffer.getvalue()


PACKED = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zip": zipped,
    ".zst": lambda data: pyarrow.compress(data, "zstd", asbytes=True),
}
"""How to compress bytes, by the end of a file's name."""


def pack_tree(directory: Path, into: Path) -> Path:
    """Pack a directory as tar -czf does, under its own name; return the archive's path."""
    with tarfile.open(into, "w:gz") as tar:
        tar.add(directory, arcname=directory.name)
    return into


def pack_members(into: Path, members: Iterable[Member], *, top: str = "") -> Path:
    """Write an archive of files given by name and content, whatever the names are."""
    with tarfile.open(into, "w:gz") as tar:
        for name, content in members:
            data = content if isinstance(content, bytes) else content.encode()
            member = tarfile.TarInfo(top + name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return into


def pack_special(into: Path, change: Callable[[tarfile.TarInfo], None], *, name: str = "demo/evil") -> Path:
    """Write an archive with one good file and one member that `change` makes special."""
    with tarfile.open(into, "w:gz") as tar:
        good = tarfile.TarInfo("demo/Dataset.spec")
        good.size = 1
        tar.addfile(good, io.BytesIO(b"x"))
        member = tarfile.TarInfo(name)
        change(member)
        tar.addfile(member)
    return into


def sound_archive(parent: Path, name: str = "delve-sound") -> Path:
    """A delve directory in which nothing is wrong: the shipped `demo`, and as method `one` what the shipped
    `base-1` has for one of its tasks."""
    root, shipped = parent / name, ROOT / "data" / "delve"
    shutil.copytree(shipped / "data" / "demo", root / "data" / "demo")
    for place in ("Summary", "Source", "demo/sex/std.32"):
        source, target = shipped / "methods" / "base-1" / place, root / "methods" / "one" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    return root
