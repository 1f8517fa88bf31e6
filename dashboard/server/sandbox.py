"""Read what a visitor sent in a process of its own, with limits of memory and time, before the server does.

What a file does to that process it does to nobody else. Files that are sent together are read by one, until a
file ends it. It ends with the visitor, or with the server. What
the visitor has sent before is read together with it, as the server will read it."""

import contextlib
import functools
import json
import math
import os
import queue
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from dashboard.server.own_cases import read_own_cases
from delvecore.errors import DelveError, Fault
from delvecore.importers.plan import ImportOptions
from delvecore.locations import package_root
from delvecore.readers.archives.tar_index import Limits
from delvecore.readers.hierarchy import PARTS, Hierarchy
from delvecore.score_tables.options import Question, ScoreOptions

__all__ = ["MEGABYTES", "SECONDS", "Reader", "try_archive", "try_cases", "try_scores", "try_table"]

MEGABYTES, SECONDS = 2048, 120
PAUSE = 0.05
MOST_AT_ONCE = 1 << 16
Wait = Callable[[], object]


def _go_on() -> None:
    """Nobody waits."""


def try_archive(
    path: str,
    name: str,
    parent: str,
    *,
    own: str,
    beside: Sequence[str],
    limits: Limits,
    wait: Wait = _go_on,
    reader: "Reader | None" = None,
) -> None:
    """Unpack an archive file and check what is in it, in a process and a directory of its own below parent.

    name: what messages call the file; own: the delve directory with what was sent before; beside: others
    that it will be shown with; wait: called again and again meanwhile, and whatever it raises ends the
    process; reader: the process, None for one of its own. Raises DelveError for an archive that cannot be
    installed, or takes more than MEGABYTES of memory or SECONDS to read."""
    _try(path, name, parent, {"own": own, "beside": list(beside), "limits": list(limits)}, (reader, wait))


def try_scores(
    path: str,
    name: str,
    parent: str,
    *,
    options: ScoreOptions,
    wait: Wait = _go_on,
    reader: "Reader | None" = None,
) -> None:
    """Read a file of scores in a process of its own, see `try_archive`. Raises DelveError for what is none; a
    file that can be read in two ways is one."""
    _try(path, name, parent, {"options": asdict(options)}, (reader, wait))


def try_cases(
    path: str,
    name: str,
    parent: str,
    *,
    options: ImportOptions | None = None,
    into: str | None = None,
    wait: Wait = _go_on,
    reader: "Reader | None" = None,
) -> None:
    """Read a file of cases in a process of its own, see `try_archive`, and make its dataset there. options:
    None to guess; into: the delve directory that gets the dataset, None for none. Raises DelveError for what
    is no file of cases, or takes too much."""
    said = None if options is None else options._asdict() | {"types": dict(options.types)}
    _try(path, name, parent, {"cases": said, "into": into}, (reader, wait))


def try_table(
    path: str,
    name: str,
    parent: str,
    *,
    has_cases: bool,
    wait: Wait = _go_on,
    reader: "Reader | None" = None,
) -> tuple[str, str]:
    """Read a table as scores and, where it may hold them, as cases in a process of its own: see above.
    Return what is wrong with the scores and with the cases, an empty text for nothing."""
    wrong = _asked(path, name, parent, {"has_cases": has_cases}, (reader, wait))
    return wrong[0], wrong[1]


class Reader:
    """A process that reads what a visitor sends, one file after the other; the file after one that ended it
    has a new one. A context manager: the process ends with it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def ask(self, asked: Mapping[str, object], name: str, wait: Wait) -> list[str]:
        """Return what is wrong with a file, see `_asked`. Raises DelveError for one that takes too much."""
        is_new = self._process is None
        self._process = self._process or _started()
        with contextlib.ExitStack() as without_answer:
            without_answer.callback(self.end)
            if (said := _answer(self._process, json.dumps(asked), name, wait)) is not None:
                without_answer.pop_all()
                return [str(wrong) for wrong in json.loads(said)]
        if not is_new:  # what it had read before may have left too little room
            return self.ask(asked, name, wait)
        raise Fault(name, f"what can be read in {MEGABYTES} MB of memory", "more", "send less at once")


def _try(path: str, name: str, parent: str, more: dict[str, object], how: tuple[Reader | None, Wait]) -> None:
    if wrong := _asked(path, name, parent, more, how)[0]:
        raise DelveError(wrong)


def _asked(
    path: str, name: str, parent: str, more: dict[str, object], how: tuple[Reader | None, Wait]
) -> list[str]:
    """Return what is wrong with a file, an empty text for nothing, for each way in which it was read."""
    reader, wait = how
    with tempfile.TemporaryDirectory(prefix="trial-", dir=parent) as place, contextlib.ExitStack() as stack:
        asked: dict[str, object] = {"path": path, "name": name, "place": place, **more}
        asked |= {"megabytes": MEGABYTES, "seconds": SECONDS}
        answer = (reader or stack.enter_context(Reader())).ask(asked, name, wait)
    shown = {place + os.sep: "", path: name}
    for text, instead in shown.items():
        answer = [wrong.replace(text, instead) for wrong in answer]
    return answer


def _started() -> subprocess.Popen[bytes]:
    """Start the process. `-P`: it must not import what lies in the working directory."""
    paths = os.pathsep.join(filter(None, [os.path.dirname(package_root()), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "dashboard.server.sandbox"],
        env=os.environ | {"PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _answer(process: subprocess.Popen[bytes], asked: str, name: str, wait: Wait) -> bytes | None:
    """Return the line that the process answers, None where it ends without one."""
    to_it, from_it = process.stdin, process.stdout
    if to_it is None or from_it is None:
        raise ValueError("expected a process with pipes, found none")
    with contextlib.suppress(BrokenPipeError):
        to_it.write(asked.encode() + b"\n")
        to_it.flush()  # and left open: where it closes, the process ends
    end, said = time.monotonic() + SECONDS, b""
    while not said.endswith(b"\n"):
        wait()
        if time.monotonic() > end:
            raise Fault(name, f"what can be read in {SECONDS} seconds", "more", "send less at once")
        if select.select([from_it], [], [], PAUSE)[0]:
            part = os.read(from_it.fileno(), MOST_AT_ONCE)
            if not part:
                return None
            said += part
    return said


def _main() -> None:
    import resource
    import threading

    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    with contextlib.suppress(MemoryError):  # then it ends without an answer
        while True:
            one = json.loads(asked.get())
            resource.setrlimit(resource.RLIMIT_DATA, (one["megabytes"] << 20,) * 2)
            seconds = math.ceil(time.process_time()) + one["seconds"]
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            print(json.dumps([_wrong(read) for read in _ways(one)]), flush=True)
    os._exit(1)


def _ways(asked: dict[str, Any]) -> Iterator[Callable[[], None]]:
    """Yield the ways in which a file is to be read."""
    path, name = asked["path"], asked["name"]
    if "cases" in asked:
        yield functools.partial(_read_cases, path, name, asked["cases"], into=asked["into"])
    elif "options" in asked:
        yield functools.partial(_read_scores, path, name, asked["options"])
    elif "has_cases" in asked:
        yield functools.partial(_read_scores, path, name, {})
        if asked["has_cases"]:
            yield functools.partial(_read_cases, path, name, None, into=None)
        else:
            yield functools.partial(_refuse, name)
    else:
        limits = Limits(*asked["limits"])
        places = {"own": asked["own"], "beside": asked["beside"]}
        yield functools.partial(_read, path, name, asked["place"], limits=limits, **places)


def _wrong(read: Callable[[], None]) -> str:
    try:
        read()
    except DelveError as error:
        return str(error)
    return ""


def _refuse(name: str) -> None:
    raise Fault(name, "a file whose ending is one of cases", "another")


def _listen(asked: "queue.SimpleQueue[str]") -> None:
    """Take what the server asks, a line each; end with the server."""
    for line in sys.stdin:
        asked.put(line)
    os._exit(1)


def _read(path: str, name: str, place: str, *, own: str, beside: Sequence[str], limits: Limits) -> None:
    """Install an archive file in a new delve directory; look at all that is in it and in the session's."""
    import delvecore
    from delvecore.packaging.install import install_archives
    from delvecore.packaging.pack import review

    root = os.path.join(place, "delve-added")
    for part in PARTS:
        os.makedirs(os.path.join(root, part))
    (installed,) = install_archives([path], root, beside=[own, *beside], limits=limits, names=[name])
    delvecore.open([root, own], cache=False)
    with contextlib.suppress(DelveError):  # the page tells it
        review(Hierarchy([root, own, *beside], report=lambda fault: None), installed.part, installed.name)


def _read_cases(path: str, name: str, options: dict[str, Any] | None, *, into: str | None) -> None:
    from delvecore.importers.dataset_writer import write_import

    plan = read_own_cases(path, name, ImportOptions(**options) if options else None).plan
    if into:
        write_import(plan, into)


def _read_scores(path: str, name: str, options: dict[str, Any]) -> None:
    from delvecore.archive.scores.opening import group_of
    from delvecore.score_tables.reading import read_scores

    said: dict[str, Any] = {
        field: tuple(value) if isinstance(value, list) else value for field, value in options.items()
    }
    with contextlib.suppress(Question), open(path, "rb") as content:  # the page asks
        group_of([read_scores(content, name=name, options=ScoreOptions(**said))])


if __name__ == "__main__":
    _main()
