"""Files of the user's cache directory: each holds all that was written, or counts as absent. They are written
beside and renamed, and have a checksum."""

import functools
import hashlib
import json
import logging
import mmap
import os
import zlib
from collections.abc import Iterable
from typing import Any

from delvecore.atomic_io import scratch_directory, sync

NEW = ".new-"
"""How directories are named that are being written."""
MAPS = "DELVE_MEMORY_MAPS"
"""The variable of the environment that says `no` where files of the cache are read whole."""


class DamagedError(ValueError):
    """What is kept is not what was written."""


@functools.cache
def say_damaged(path: str) -> None:
    """Say, once, that a file of the cache is not what was written and is made anew."""
    logging.getLogger("delvecore").warning("%s: expected what was kept here, found damage; made again", path)


def sealed_content(path: str, size: int | None = None) -> mmap.mmap | bytes:
    """Return the content of a file of the cache, mapped into memory, or read whole where MAPS says `no`.

    Only files are mapped that this program writes once, replaces and never cuts: a process ends at once that
    reads what was cut from a file which it has mapped. size: the bytes that it had when it was written, None
    if it was written just now. Raises OSError, ValueError for an empty file and DamagedError."""
    with open(path, "rb") as file:
        is_read = os.environ.get(MAPS, "").lower() == "no"
        content = file.read() if is_read else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if size not in (None, len(content)):
        raise DamagedError("the file has not the size that was written")
    return content


def write_whole(path: str, data: bytes) -> None:
    """Write a file of the cache, and the directories to it, so that it is there whole or not at all. Several
    processes may do so at once. Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with scratch_directory(NEW, os.path.dirname(path)) as beside:
        inside = os.path.join(beside, os.path.basename(path))
        with open(inside, "wb") as file:
            file.write(data)
        sync([inside])
        os.replace(inside, path)


def write_bytes(path: str, data: bytes) -> None:
    """Write a file of the cache with its checksum. Raises OSError."""
    write_whole(path, checksum(data).encode() + b"\n" + data)


def read_bytes(path: str) -> bytes | None:
    """Return what `write_bytes` wrote, None where there is none; a damaged file counts as absent."""
    try:
        with open(path, "rb") as file:
            told, data = file.read().split(b"\n", 1)
        expect(checksum(data), told.decode())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        say_damaged(path)
        return None
    return data


def write_checked(path: str, data: object) -> None:
    """Write what JSON can hold as a file of the cache, with its checksum. Raises OSError."""
    write_bytes(path, json.dumps(data, separators=(",", ":")).encode())


def read_checked(path: str) -> Any:
    """Return what `write_checked` wrote, None where there is none; a damaged file counts as absent."""
    text = read_bytes(path)
    return None if text is None else json.loads(text)


def hash_of(texts: Iterable[str], *, size: int = 16) -> str:
    """Return a hash of some texts, of so many bytes, as hexadecimal digits: a name or a state."""
    data = "\n".join(texts).encode(errors="surrogateescape")
    return hashlib.blake2b(data, digest_size=size).hexdigest()


def expect(found: str, told: str) -> None:
    """Raise DamagedError where a checksum is not that of what was written."""
    if found != told:
        raise DamagedError("the file is not what was written")


def checksum(content: mmap.mmap | bytes) -> str:
    """Return what tells later whether a file of the cache is what was written. What is mapped takes no memory
    then until it is used."""
    found = f"{zlib.crc32(content):08x}"
    if isinstance(content, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        content.madvise(mmap.MADV_DONTNEED)
    return found
