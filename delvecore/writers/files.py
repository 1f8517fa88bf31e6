"""Write files and sets of files completely or not at all. Texts of specifications and descriptions of
methods."""

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Self

from delvecore.atomic_io import SECONDS_UNTIL_STALE, lock_directory, sync
from delvecore.errors import Fault, words_of_system
from delvecore.model import Attribute, Dataset, Prior, PriorLine, Prototask
from delvecore.readers.files import UNFINISHED, find_file, plain_name, read_text
from delvecore.readers.source_files import SETTINGS, settings_text
from delvecore.remote.stores import lies_elsewhere

PART = ".delve-part"
"""End of the name of a file that is incomplete or not yet in its place."""
REMEDY = "the old file stays"


class StagedFiles:
    """Files of one directory that are written next to their places, and moved there when all are complete.

    Use it in a `with` statement. At its end all files take their places, or none after an error. If the
    process is killed between the first and the last move, a mark remains (`readers.files.UNFINISHED`).
    Readers report it, and the next writer in this directory finishes the moves. Other writers wait meanwhile.

    Raises Fault.

    Attributes
    ----------
    lasting : bool
        Whether the files outlive the process. Otherwise there is neither a disk flush nor a mark.
    """

    def __init__(self, directory: str, *, lasting: bool = True) -> None:
        self.directory, self.lasting = directory or ".", lasting
        # Temporary files by the name of their place, and names of files to remove.
        self._put, self._remove = dict[str, str](), list[str]()
        self._written: set[str] = set()
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        _check_place(self.directory)
        with contextlib.ExitStack() as opened:
            try:
                is_locked = opened.enter_context(lock_directory(self.directory, wait=True))
                _finish(self.directory)
                _sweep(self.directory, is_alone=is_locked)
            except OSError as error:
                raise Fault(self.directory, "to write into it", words_of_system(error)) from None
            self._open = opened.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._open:
            if kind is None and (self._put or self._remove):
                self._put_all()
            else:
                self._discard()

    def place(self, name: str) -> str:
        """Return a path for the caller to write a file's content to, before the block ends."""
        self._put[name] = f".{name}.{os.getpid()}{PART}"
        return self._path(self._put[name])

    def write(self, name: str, data: str | bytes | Iterable[bytes], *, alone: bool = True) -> None:
        """Write text, bytes, or pieces. alone: remove a copy of the file with another compression."""
        data = data.encode("utf-8") if isinstance(data, str) else data
        if alone:
            self._written.add(plain_name(name))
        try:
            _write(self.place(name), [data] if isinstance(data, bytes) else data)
        except OSError as error:
            raise Fault(self._path(name), "to write it", words_of_system(error), REMEDY) from None

    def remove(self, name: str) -> None:
        """Remove a file, if it exists, when the others take their places."""
        if os.path.lexists(self._path(name)):
            self._remove.append(name)

    def _put_all(self) -> None:
        try:
            for name in self._put:
                if os.path.isdir(self._path(name)):
                    raise Fault(self._path(name), "to write it", "is a directory", REMEDY)
            others = (name for name in os.listdir(self.directory) if name not in self._put)
            self._remove.extend(name for name in others if plain_name(name) in self._written)
            if self.lasting:
                sync([self._path(part) for part in self._put.values()])
            with uninterrupted():
                if self.lasting and len(self._put) + len(self._remove) > 1:
                    write_mark(self._path(UNFINISHED), {"put": self._put, "remove": self._remove})
                _carry_out(self.directory, self._put, self._remove, lasting=self.lasting)
        except OSError as error:
            place, remedy = self._path(next(iter(self._put), "")), "run it again when that is fixed"
            raise Fault(place, "to write it", words_of_system(error), remedy) from None
        finally:
            if not os.path.lexists(self._path(UNFINISHED)):
                self._discard()

    def _discard(self) -> None:
        for part in self._put.values():
            _unlink(self._path(part))

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name) if self.directory != "." else name


def write_mark(path: str, content: object) -> None:
    """Write planned moves to a new file, completely and synced to disk, or not at all. Raises OSError."""
    directory, name = os.path.split(path)
    part = os.path.join(directory, f".{name}{PART}")
    _write(part, [json.dumps(content).encode()])
    sync([part])
    os.replace(part, path)
    sync([directory or "."])


def finish_writing(directory: str) -> None:
    """Finish the moves of a killed process in a directory, if there are any. Raises Fault."""
    if os.path.lexists(os.path.join(directory, UNFINISHED)):
        with StagedFiles(directory):
            pass


def _finish(directory: str) -> None:
    mark = os.path.join(directory, UNFINISHED)
    try:
        with open(mark, "rb") as file:
            moves = json.load(file)
        if moves.keys() != {"put", "remove"}:
            raise ValueError
        put, remove = moves["put"], moves["remove"]
        if any(os.path.basename(name) != name for name in (*put, *put.values(), *remove)):
            raise ValueError
    except FileNotFoundError:
        return
    except (ValueError, TypeError, AttributeError, RecursionError):
        expected = "the planned moves of mgendata, mloss or delve run"
        raise Fault(mark, expected, "something else", "remove it, and make the files again") from None
    _carry_out(directory, put, remove)


def _carry_out(
    directory: str, put: Mapping[str, str], remove: Iterable[str], *, lasting: bool = True
) -> None:
    """Make the remaining moves of files to their places, remove obsolete files, and finally remove the
    mark."""
    for name, part in put.items():
        with contextlib.suppress(FileNotFoundError):
            os.replace(os.path.join(directory, part), os.path.join(directory, name))
    for name in remove:
        _unlink(os.path.join(directory, name))
    if lasting:
        sync([directory])
    _unlink(os.path.join(directory, UNFINISHED))


def _sweep(directory: str, *, is_alone: bool) -> None:
    """Remove temporary files of killed processes: all of them if no other process is writing, otherwise only
    old ones."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(".") and entry.name.endswith(PART):
                age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if is_alone or age > SECONDS_UNTIL_STALE:
                    _unlink(entry.path)


def _unlink(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay termination signals until the block is done. Python delivers them to the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for late in came:
            signal.raise_signal(late)


def write_atomically(path: str, data: str | bytes | Iterable[bytes], *, alone: bool = True) -> None:
    """Write text (as UTF-8), bytes, or bytes in pieces next to a path, then rename. Raises DelveError."""
    directory, name = os.path.split(path)
    with StagedFiles(directory) as staged:
        staged.write(name, data, alone=alone)


def _write(path: str, pieces: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        for piece in pieces:
            view = memoryview(piece)
            while view:
                view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def _check_place(directory: str) -> None:
    if lies_elsewhere(os.path.abspath(directory)):
        raise Fault(
            directory,
            "to write into it",
            "a store or an archive file, which is only read",
            "name a local directory",
        )


def make_directory(path: str) -> bool:
    """Make a directory inside an existing one; return whether it is new. Raises DelveError."""
    _check_place(path)
    try:
        os.mkdir(path)
    except OSError as error:
        if isinstance(error, FileExistsError) and os.path.isdir(path):
            return False
        raise Fault(path, "to make this directory", words_of_system(error)) from None
    return True


def dataset_text(dataset: Dataset) -> str:
    """Return `Dataset.spec`. Raises ValueError for a text of several lines."""
    lines = [f"Title: {plain_line(dataset.title)}"] if dataset.title else []
    lines += [f"Origin: {dataset.origin}", f"Usage: {dataset.usage}", f"Order: {dataset.order}"]
    lines += ["Commonality indexes are present"] if dataset.commonality else []
    lines += ["Attributes:", *map(_attribute_line, dataset.attributes)]
    return joined(lines)


def _attribute_line(attribute: Attribute) -> str:
    description = f"  # {plain_line(attribute.description)}" if attribute.description else ""
    return f"{attribute.number} {attribute.name} {attribute.control} {attribute.range.text}{description}"


def prototask_text(prototask: Prototask) -> str:
    """Return `Prototask.spec`; attributes by number."""
    facts = [
        ("Origin", prototask.origin),
        ("Cases", prototask.cases),
        ("Order", prototask.order),
        ("Maximum-Dependency-Range", prototask.maximum_dependency_range),
        ("Inputs", _numbers(prototask.inputs)),
        ("Targets", _numbers(prototask.targets)),
        (
            "Transformations",
            " ".join(f"{number} {name}" for number, name in prototask.transformations) or None,
        ),
        ("Stratified", "yes" if prototask.stratified else None),
        ("Test-Set-Size", prototask.test_set_size),
        ("Training-Set-Sizes", _numbers(prototask.training_set_sizes)),
        ("Test-Set-Selection", prototask.test_set_selection),
        ("Maximum-Number-Of-Instances", prototask.maximum_instances),
    ]
    return joined(f"{key}: {value}".rstrip() for key, value in facts if value is not None)


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def prior_text(prior: Prior) -> str:
    """Return a `.prior` file: the dependencies, if any, then a line per attribute."""
    lines: list[str] = []
    if prior.dependency_strength is not None:
        lines.append(f"Dependency-Strength: {prior.dependency_strength}")
    if prior.dependency_range is not None:
        lines.append(f"Dependency-Range: {prior.dependency_range}")
    return joined([*lines, *map(_prior_line, prior.lines)])


def _prior_line(line: PriorLine) -> str:
    options = [f"{name}={value}" for name, value in line.options]
    return " ".join([str(line.attribute), line.levels, line.type, *options])


def plain_line(text: str) -> str:
    """Return a text of one line. Raises ValueError for one that would continue on the next line."""
    if "\n" in text or text.rstrip().endswith("\\"):
        raise ValueError(f"one line that does not end with a backslash, got {text!r}")
    return text


def joined(lines: Iterable[str]) -> str:
    """Return lines as a text, each with its end."""
    return "".join(f"{line}\n" for line in lines)


def describe_method(
    directory: str, settings: Mapping[str, str], *, summary: str, sources: Mapping[str, str], remedy: str
) -> None:
    """Write `Summary`, `Source/Settings` and further files of `Source` of a method.

    directory: the method's; sources: text by name. Raises Fault, with a remedy, if there are results with
    other settings."""
    source = os.path.join(directory, "Source")
    text, path = settings_text(settings), find_file(os.path.join(source, SETTINGS))
    if path or os.path.isdir(directory):
        written = read_text(path) if path else ""
        if written != text:
            _refuse(directory, written, text, remedy)
    os.makedirs(source, exist_ok=True)
    for place, files in ((directory, {"Summary": summary}), (source, {**sources, SETTINGS: text})):
        with StagedFiles(place) as staged:
            for name, content in files.items():
                staged.write(name, content)


def _refuse(directory: str, written: str, settings: str, remedy: str) -> None:
    before, now = set(written.splitlines()), settings.splitlines()
    others = [line for line in now if line not in before]
    expected = f"no results of settings other than {', '.join(others) or 'these'}"
    had = [line for line in written.splitlines() if line not in now]
    raise Fault(directory, expected, ", ".join(had) or "results without settings", remedy)
