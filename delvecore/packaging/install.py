"""Install datasets and methods from archive files in a delve directory, all of them or none.

Source: DELVE manual, appendix A. Existing files are left as they are."""

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from delvecore.errors import DelveError, Fault, ParseError, words_of_system
from delvecore.packaging.staging import move_in, staging_directory
from delvecore.readers.files import SUFFIXES, plain_name, read_bytes, read_pieces, read_raw
from delvecore.readers.hierarchy import SOURCE_DIRECTORY, Hierarchy
from delvecore.readers.regular_files import is_delve_directory
from delvecore.readers.specifications import parse_task_name
from delvecore.readers.tar_archives import (
    IN_PLACE,
    Index,
    Limits,
    index_archive,
    pieces_of,
    read_content,
)
from delvecore.remote.stores import StoreFault

TASK_DEPTH = 4
READING = 0.5
"""Share of unpacking in the work; the rest is writing."""

Notify = Callable[[str, float], None]
Report = Callable[[float], None]


@dataclass(frozen=True)
class Installed:
    """Files of one archive.

    Attributes
    ----------
    part : str
        `data` or `methods`.
    added : int
        Files that are new.
    present : int
        Files that existed with the same content.
    hidden : int
        Omitted files, whose names start with a dot.
    """

    source: str
    part: str
    name: str
    added: int
    present: int
    hidden: int

    @property
    def kind(self) -> str:
        return "dataset" if self.part == "data" else "method"


def install_archives(
    paths: Sequence[str],
    into: str,
    *,
    beside: Sequence[str] = (),
    limits: Limits = IN_PLACE,
    notify: Notify | None = None,
    names: Sequence[str] | None = None,
) -> list[Installed]:
    """Unpack archive files into a delve directory; all of them or, after an error or interruption, none.

    `beside` are delve directories that are read together with it; their files count as existing. `names` are
    those of the archive files in messages and results, by default their paths. Raises DelveError for an
    archive that is unsafe, damaged, too large or neither a dataset nor a method, and for a different file in
    the same place."""
    if not is_delve_directory(into):
        raise DelveError(f"{into}: expected a delve directory, found none; make one with data and methods")
    hierarchy = Hierarchy(list(dict.fromkeys([into, *beside])))
    installed: list[Installed] = []
    with staging_directory(into) as staging:
        for path, name in zip(paths, names or paths, strict=True):
            done = len(installed)

            def report(share: float, name: str = name, done: int = done) -> None:
                if notify:
                    notify(name, (done + share) / len(paths))

            installed.append(_stage(path, name, staging, hierarchy, limits, report))
        move_in(staging, into)
    return installed


def _stage(
    path: str, name: str, staging: str, hierarchy: Hierarchy, limits: Limits, report: Report
) -> Installed:
    """Unpack one archive into the staging directory, without files that exist already."""
    try:
        content = read_content(path, limits, shown=name, notify=lambda share: report(share * READING))
    except OSError as error:
        raise Fault(name, "a readable archive", words_of_system(error), "check the path") from None
    index = index_archive(content, name, limits)
    part = _part_of(index, name)
    is_new = not hierarchy.directories(part, index.top)
    present, room = 0, limits.total_bytes
    for number, (file, place) in enumerate(sorted(index.files.items()), start=1):
        names = (part, index.top, *file.split("/"))
        target = os.path.join(staging, *names)
        if os.path.lexists(target):
            if not os.path.isfile(target) or read_raw(target) != b"".join(pieces_of(content, *place)):
                expected = f"{'/'.join(names)} to be the same as in the previous archive"
                raise Fault(name, expected, "another", "install them one by one")
            present += 1
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "xb") as out:
                out.writelines(pieces_of(content, *place))
            room -= _measured(target, file, name, limits, room)
            if not is_new and _is_present(hierarchy, names, target, name):
                os.unlink(target)
                present += 1
        report(READING + (1 - READING) * number / len(index.files))
    for directory, _, _ in os.walk(os.path.join(staging, part, index.top), topdown=False):
        if not os.listdir(directory):
            os.rmdir(directory)
    return Installed(name, part, index.top, len(index.files) - present, present, index.hidden)


def _part_of(index: Index, name: str) -> str:
    """Is it a dataset (`data`) or a method (`methods`)? ParseError if it is neither."""
    places = [tuple(map(plain_name, file.split("/"))) for file in index.files]
    if any(file[-1] == "Dataset.spec" and len(file) == 1 for file in places):
        return "data"
    if any(file[-1] == "Prototask.spec" and len(file) == 2 for file in places):
        return "data"
    results = (file for file in places if len(file) == TASK_DEPTH and parse_task_name(file[-2]))
    if any(file == ("Summary",) or file[0] == SOURCE_DIRECTORY for file in places) or any(results):
        return "methods"
    expected = "a dataset (with Dataset.spec) or a method (with Summary, Source or results)"
    raise ParseError(name, None, expected, f"neither in {index.top!r}", kind="file")


def _measured(target: str, file: str, name: str, limits: Limits, room: int) -> int:
    """Return the uncompressed size of a file; for a damaged one, the size that can be read. Raises
    ParseError for too large a file."""
    packed = os.path.getsize(target)
    most = min(limits.file_bytes, room, max(limits.free_bytes, limits.ratio * packed))
    size = 0 if target.endswith(SUFFIXES) else packed
    if not size:
        with contextlib.suppress(ParseError):
            for piece in read_pieces(target):
                size += len(piece)
                if size > most:
                    break
    if size > most:
        expected = f"compressed files that unpack to at most {most:,} bytes"
        raise ParseError(name, None, expected, f"{file!r}, which unpacks to more", kind="file")
    return size


def _is_present(hierarchy: Hierarchy, names: tuple[str, ...], staged: str, source: str) -> bool:
    """Does a file with this plain name and content exist already? DelveError if it differs."""
    existing = hierarchy.find(*names[:-1], plain_name(names[-1]))
    if existing is None:
        return False
    try:
        is_same = read_bytes(existing) == read_bytes(staged)
    except ParseError:  # one of them is damaged
        is_same = False
    if not is_same:
        raise DelveError(
            f"{source}: expected {'/'.join(names)} to be new or the same as {existing}, found a difference; "
            "nothing was installed: move that file away, or ask for an archive with another name"
        )
    return True


MOST_BYTES = 1 << 31
REMEDY = "check the address and the network, or download the file and give its path"


def has_scheme(text: str) -> bool:
    """Is this an address of any scheme, rather than the path of a file?"""
    scheme, colon, rest = text.partition("://")
    return bool(colon and rest) and scheme.isalnum()


def fetch(
    address: str, path: str, *, most: int = MOST_BYTES, notify: Callable[[float], None] | None = None
) -> None:
    """Write the content of an http or https address to a new file.

    `most` is the largest number of bytes. `notify` is called with the completed share, if the server
    announces the size. Raises DelveError without an answer, for another scheme (even after a redirection), an
    error of the server, too many bytes, fewer bytes than announced, and a file that cannot be written."""
    scheme = address.partition(":")[0].lower()
    if scheme not in ("http", "https"):
        raise DelveError(f"{address}: expected an address with http or https, found {scheme}")
    from delvecore.remote import web

    answer, _ = web.followed("GET", address, REMEDY)
    taken = 0
    if answer.status >= 300:
        expected, actual = "an archive file", f"the answer {answer.status} {answer.reason}"
        raise StoreFault(address, expected, actual, "check the address")
    announced = web.length_of(answer, address)
    _check_size(announced or 0, address, most)
    try:
        with open(path, "xb") as file:
            for piece in web.pieces_of(answer, address, REMEDY):
                taken += len(piece)
                _check_size(taken, address, most)
                file.write(piece)
                if announced and notify:
                    notify(min(1.0, taken / announced))
    except OSError as error:
        raise Fault(path, "to write it", words_of_system(error)) from None


def _check_size(size: int, address: str, most: int) -> None:
    if size > most:
        raise DelveError(f"{address}: expected at most {most:,} bytes, found more; download it yourself")
