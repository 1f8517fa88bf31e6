"""Regular files below a delve directory.

They are opened without blocking, and read no further than their length. No link that leads out of the
directory is followed unless requested, because it could expose any file that the user may read. `data`,
`methods` and the delve directory may be links themselves.
"""

import errno
import os
import stat
from collections.abc import Iterable

from delvecore.errors import ParseError
from delvecore.locations import PARTS

CHUNK = 1 << 16
FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Flags with which opening a file never waits and changes nothing."""
MOST_BYTES, GROWTH = 1 << 36, 1 << 24
"""Largest size of a file in bytes, and how much it may grow while it is read."""
SPECIAL = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFLNK: "a broken link",
}
SPECIAL |= {stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
FOLLOW_LINKS = "--follow-links"
"""The option with which commands follow links that lead out of a delve directory."""


def is_delve_directory(path: str) -> bool:
    """Does the name start with `delve`, and are `data` and `methods` inside?"""
    name = os.path.basename(os.path.abspath(path))
    return name.startswith("delve") and all(os.path.isdir(os.path.join(path, part)) for part in PARTS)


def enclosing_directory(path: str) -> str | None:
    """Return the delve directory that a path lies in, or None."""
    path = os.path.abspath(path)
    while not is_delve_directory(path):
        path, below = os.path.dirname(path), path
        if path == below:
            return None
    return path


def bases_of(roots: Iterable[str]) -> tuple[str, ...]:
    """Return the true paths of delve directories and of their parts. Links may lead to places below these."""
    places = (place for root in roots for place in (root, *(os.path.join(root, part) for part in PARTS)))
    return tuple(dict.fromkeys(map(os.path.realpath, places)))


def leads_out(path: str, bases: Iterable[str]) -> bool:
    """Does a path lead to a place outside of all bases?"""
    true = os.path.realpath(path) + os.sep
    return not any(true.startswith(base.rstrip(os.sep) + os.sep) for base in bases)


def outside(path: str) -> ParseError:
    """Return the error for a link that leads out of its delve directory, and is not followed."""
    remedy = f"put a copy there, or allow links ({FOLLOW_LINKS})"
    return ParseError(
        path, None, "a target inside the delve directory", "a link that leads out of it", remedy, kind="file"
    )


def no_regular_file(path: str, mode: int | None = None) -> ParseError:
    """Return the error for a file that is never opened: a device, a pipe, a socket. `mode`: mode in the
    file's status."""
    if mode is None:
        mode = os.lstat(path).st_mode
    actual = SPECIAL.get(stat.S_IFMT(mode), "something else")
    remedy = "" if stat.S_ISDIR(mode) else "remove it"
    return ParseError(path, None, "a regular file", actual, remedy, kind="file")


def open_regular(path: str) -> int:
    """Return the descriptor of a regular file to read; the caller closes it.

    Raises ParseError for anything else, for a link that leads out of a delve directory, and for a file of
    more than MOST_BYTES. Raises OSError if the file cannot be opened.
    """
    try:
        descriptor = os.open(path, FLAGS | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno != errno.ELOOP or not os.path.islink(path):
            raise
        root = enclosing_directory(os.path.dirname(path))
        if root is not None and leads_out(path, bases_of([root])):
            raise outside(path) from None
        descriptor = os.open(path, FLAGS)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_size <= MOST_BYTES:
        return descriptor
    os.close(descriptor)
    if stat.S_ISREG(status.st_mode):
        raise too_large(path, f"one of {status.st_size:,}")
    raise no_regular_file(path, status.st_mode)


def most_bytes(descriptor: int) -> int:
    """Return the number of bytes to read from an open file, with an allowance for a little growth."""
    return os.fstat(descriptor).st_size + GROWTH


def too_large(path: str, actual: str) -> ParseError:
    """Return the error for a file with more bytes than allowed."""
    expected = f"a file of at most {MOST_BYTES:,} bytes"
    return ParseError(path, None, expected, actual, "leave something out", kind="file")


def read_plain(path: str) -> bytes:
    """Return the bytes on disk, in as few system calls as the size needs. A file that yields more bytes than
    its size is refused; some system files never end. Raises as `open_regular` does."""
    descriptor = open_regular(path)
    try:
        parts = [os.read(descriptor, CHUNK)]
        if len(parts[0]) < CHUNK:
            return parts[0]
        left = most_bytes(descriptor)
        while parts[-1]:
            parts.append(os.read(descriptor, 1 << 20))
            left -= len(parts[-1])
            if left < 0:
                raise too_large(path, "more bytes than its stated size")
        return b"".join(parts)
    finally:
        os.close(descriptor)
