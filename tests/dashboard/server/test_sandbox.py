"""What visitors send is read by a process with limits first, which ends with the visitor or the server."""

import errno
import os
import signal
import tarfile
import threading
import time

import pytest

import delvecore
from dashboard.server import sandbox, uploads
from dashboard.server.sandbox import read_archive_of, try_file
from delvecore.errors import DelveError
from delvecore.parallel.processes import Worker
from tests.archives import small_archive, write_tree

pytestmark = pytest.mark.slow


@pytest.fixture
def archive(tmp_path):
    """(path of a method in an archive file, roots)."""
    root = small_archive(tmp_path)
    with tarfile.open(tmp_path / "mine.tar.gz", "w:gz") as file:
        file.add(root / "methods/one", "mine")
    return str(tmp_path / "mine.tar.gz"), [str(root)]


@pytest.fixture
def started(monkeypatch):
    """The workers that the test started, with a process each."""
    found = []

    class Recorded(Worker):
        def __init__(self):
            super().__init__()
            found.append(self)

    monkeypatch.setattr(sandbox, "Worker", Recorded)
    return found


def exit_code(worker):
    """How the process of a worker ended: another thread may be about to learn it."""
    patience = time.monotonic() + 20
    while worker._exit_status() is None and time.monotonic() < patience:
        time.sleep(0.02)
    return worker._exit_status()


class LeftError(Exception):
    """What ends the run of a page whose visitor has left."""


def tried(archive, tmp_path, **more):
    place = tmp_path / "place"
    place.mkdir()
    try:
        own = str(write_tree(tmp_path / "delve-own", {"data/.keep": "", "methods/.keep": ""}))
        how = {"own": own, "beside": archive[1], "limits": uploads.LIMITS, **more}
        try_file(read_archive_of, archive[0], "mine.tar.gz", str(place), **how)
    finally:
        assert os.listdir(place) == []


def table(path, text):
    path.write_text(text)
    return str(path), path.name, str(path.parent)


def test_files_are_read_by_one_process_until_it_ends_and_then_by_a_new_one(tmp_path, started, monkeypatch):
    empty = table(tmp_path / "0.csv", "")
    sent = table(tmp_path / "1.csv", "method,dataset,accuracy\na,d,0.5\nb,d,0.6\n")
    with sandbox.Reader() as reader:
        monkeypatch.setattr(sandbox, "MEGABYTES", 8)
        with pytest.raises(
            DelveError, match=r"1.csv: expected what can be read in 8 MB of memory, found more"
        ):
            sandbox.try_table(*sent, has_cases=True, reader=reader)
        monkeypatch.setattr(sandbox, "MEGABYTES", 2048)
        assert "an empty file" in sandbox.try_table(*empty, has_cases=True, reader=reader)[0]
        assert sandbox.try_table(*sent, has_cases=True, reader=reader)[0] == ""
        assert len(started) == 2
        process = started[-1]._process
        process.kill()  # as by a file before it
        process.wait()
        assert sandbox.try_table(*sent, has_cases=True, reader=reader)[0] == ""
        assert started[-1]._process.pid != process.pid
    assert [exit_code(worker) is None for worker in started] == [False] * len(started)


def test_a_file_is_read_together_with_what_the_session_has(archive, tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(delvecore, "open", lambda paths, **how: read.append(list(paths)))
    own = str(write_tree(tmp_path / "delve-own", {"data/.keep": "", "methods/.keep": ""}))
    place = tmp_path / "place"
    place.mkdir()
    path, roots = archive
    read_archive_of(path, "mine.tar.gz", str(place), own=own, beside=roots, limits=uploads.LIMITS)
    assert read == [[str(place / "delve-added"), own]]


def test_what_takes_too_long_is_refused_in_words(archive, tmp_path, started, monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    with pytest.raises(DelveError, match=r"mine.tar.gz: expected what can be read in 0 seconds, found more"):
        tried(archive, tmp_path)
    assert exit_code(started[0]) is not None


def test_the_process_ends_when_the_visitor_leaves(archive, tmp_path, started):
    def leave(_name, _share):
        raise LeftError

    with pytest.raises(LeftError):
        tried(archive, tmp_path, notify=leave)
    assert exit_code(started[0]) == -signal.SIGTERM


def test_all_files_of_a_session_share_one_limit(archive, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(uploads, "MOST_TOGETHER", 100)

    class Sent:
        name, size = "mine.tar.gz", os.path.getsize(archive[0])

    own = uploads.Own()
    own.take([Sent()], archive[1])
    assert own.refused == [
        "mine.tar.gz: expected at most 0 MB in all files together, found more; remove some"
    ]


def test_what_visitors_added_is_read_one_after_the_other(tmp_path):
    together, most = [], []

    class Served:
        state = "served"

        def beside(self, roots):
            together.append(roots)
            most.append(len(together))
            time.sleep(0.05)
            together.remove(roots)
            return archive

    archive = delvecore.open(small_archive(tmp_path), cache=False)
    owns = [uploads.Own() for _ in range(4)]
    for own in owns:
        own.added["data", "demo"] = uploads.Added("data", "demo")
    visitors = [threading.Thread(target=own.archive, args=(Served(),)) for own in owns]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert most == [1] * 4


class OddError(Exception):
    """An error of a reader that cannot be sent from one process to another."""

    def __init__(self, place, fault):
        super().__init__(f"{place}: {fault}")


def fail(path, _name, _place, *, error):
    """A reader that fails in a way that nobody foresaw."""
    if error == "OddError":
        raise OddError(path, "odd")
    if error == "MemoryError":
        raise MemoryError
    if error == "ENOMEM":
        raise OSError(errno.ENOMEM, "Cannot allocate memory")
    if error.startswith("SIG"):
        os.kill(os.getpid(), signal.Signals[error])
    if error == "exit":
        os._exit(3)
    raise {"KeyError": KeyError, "RecursionError": RecursionError, "ValueError": ValueError}[error]("x")


@pytest.mark.parametrize("error", ["KeyError", "RecursionError", "ValueError", "OddError"])
def test_an_unexpected_error_of_a_reader_is_named_and_its_traceback_logged_once(error, tmp_path, caplog):
    path, name, parent = table(tmp_path / "sent.csv", "a,b\n1,2\n")
    with pytest.raises(DelveError) as raised:
        try_file(fail, path, name, parent, error=error)
    assert str(raised.value) == (
        f"sent.csv: expected a file that can be read, found that the reader failed on it unexpectedly ({error}); "
        "check the file, or tell who runs this server"
    )
    (record,) = [one for one in caplog.records if one.name == "delvecore"]
    assert record.getMessage().startswith("sent.csv: the reader failed unexpectedly\nTraceback")
    assert "in fail" in record.getMessage()
    assert record.getMessage().count("Traceback") == 1


@pytest.mark.parametrize("error", ["MemoryError", "ENOMEM", "SIGKILL", "SIGABRT"])
def test_too_little_memory_is_what_a_limit_or_the_end_of_the_process_means(error, tmp_path, caplog):
    path, name, parent = table(tmp_path / "sent.csv", "a,b\n1,2\n")
    with pytest.raises(
        DelveError, match=r"sent.csv: expected what can be read in 2048 MB of memory, found more"
    ):
        try_file(fail, path, name, parent, error=error)
    assert not [one for one in caplog.records if one.name == "delvecore"]


def test_a_file_on_which_a_reader_fails_costs_only_itself(tmp_path, monkeypatch, caplog):
    crash = table(tmp_path / "crash.csv", "a,b\n1,2\n")
    sent = table(tmp_path / "1.csv", "method,dataset,accuracy\na,d,0.5\nb,d,0.6\n")
    with sandbox.Reader() as reader:
        with pytest.raises(DelveError, match=r"failed on it unexpectedly \(KeyError\)"):
            try_file(fail, *crash, error="KeyError", reader=reader)
        assert sandbox.try_table(*sent, has_cases=True, reader=reader)[0] == ""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            "SIGSEGV",
            "expected a file that can be read, found that the reader was ended by SIGSEGV; check the file",
        ),
        (
            "exit",
            "expected a file that can be read, found that the reader was ended by an exit; check the file",
        ),
        ("SIGXCPU", "expected what can be read in 120 seconds, found more; send less at once"),
    ],
)
def test_the_end_of_the_process_is_told_by_its_cause(error, said, tmp_path):
    path, name, parent = table(tmp_path / "sent.csv", "a,b\n1,2\n")
    with pytest.raises(DelveError, match=f"^sent.csv: {said}"):
        try_file(fail, path, name, parent, error=error)


def wait_long(_path, _name, _place, *, seconds):
    time.sleep(seconds)


def test_one_process_reads_for_all_sessions_at_a_time(tmp_path, started):
    sent = table(tmp_path / "1.csv", "a,b\n1,2\n")
    with sandbox.Reader() as one, sandbox.Reader() as other:
        for reader in (one, other, one):
            try_file(wait_long, *sent, seconds=0, reader=reader)
            assert [exit_code(process) is None for process in started[:-1]] == [False] * (len(started) - 1)
        try_file(wait_long, *sent, seconds=0, reader=one)
    assert len(started) == 3


def test_a_file_waits_for_those_of_others_and_not_for_ever(tmp_path, monkeypatch):
    sent = table(tmp_path / "1.csv", "a,b\n1,2\n")
    told = []
    with sandbox.Reader() as one:
        first = threading.Thread(
            target=try_file, args=(wait_long, *sent), kwargs={"seconds": 3, "reader": one}
        )
        first.start()
        while not sandbox._using.locked():
            time.sleep(0.01)
        monkeypatch.setattr(sandbox, "WAITING", 0.2)
        with pytest.raises(
            DelveError, match="expected that the server has time to read it, found that files of"
        ):
            try_file(wait_long, *sent, seconds=0, notify=lambda name, share: told.append(name))
        assert told
        monkeypatch.setattr(sandbox, "WAITING", 60)
        try_file(wait_long, *sent, seconds=0)
        first.join()
