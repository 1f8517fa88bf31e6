"""What visitors send is read by a process with limits, which ends with the visitor or the server."""

import errno
import os
import signal
import tarfile
import threading
import time

import pytest

import delvecore
from dashboard.server import sandbox, uploads
from dashboard.server.own_files import (
    read_own_scores,
    read_own_table,
    unpack_own_archive,
)
from dashboard.server.sandbox import read_in_process
from delvecore.errors import DelveError
from delvecore.parallel.processes import Worker, end_all
from delvecore.score_tables.options import ScoreOptions
from tests.archives import small_archive, write_tree

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def no_process_before_and_after():
    sandbox.end()
    yield
    sandbox.end()


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
    processes = []

    class Recorded(Worker):
        def __init__(self):
            super().__init__()
            processes.append(self)

    monkeypatch.setattr(sandbox, "Worker", Recorded)
    return processes


def exit_code(worker):
    """How the process of a worker ended: another thread may be about to learn it."""
    patience = time.monotonic() + 20
    while worker._exit_status() is None and time.monotonic() < patience:
        time.sleep(0.02)
    return worker._exit_status()


class LeftError(Exception):
    """What ends the run of a page whose visitor has left."""


def tried(archive, tmp_path, **more):
    own = str(write_tree(tmp_path / "delve-own", {"data/.keep": "", "methods/.keep": ""}))
    how = {"into": str(tmp_path / "delve-added"), "own": own, "beside": archive[1], "limits": uploads.LIMITS}
    return read_in_process(unpack_own_archive, archive[0], "mine.tar.gz", **how, **more)


def table(path, text):
    path.write_text(text)
    return str(path), path.name


SCORES = "method,dataset,accuracy\na,d,0.5\nb,d,0.6\n"


def test_files_are_read_by_one_process_until_it_ends_and_then_by_a_new_one(tmp_path, started, monkeypatch):
    empty = table(tmp_path / "0.csv", "")
    sent = table(tmp_path / "1.csv", SCORES)
    monkeypatch.setattr(sandbox, "MEGABYTES", 8)
    with pytest.raises(
        DelveError, match=r"1.csv: expected a file that can be read in 8 MB of memory, found more"
    ):
        read_in_process(read_own_table, *sent)
    monkeypatch.setattr(sandbox, "MEGABYTES", 2048)
    with pytest.raises(DelveError, match="an empty file"):
        read_in_process(read_own_table, *empty)
    assert read_in_process(read_own_table, *sent).methods == ("a", "b")
    assert len(started) == 2
    process = started[-1]._process
    process.kill()  # as by a file before it
    process.wait()
    assert read_in_process(read_own_table, *sent).methods == ("a", "b")
    assert started[-1]._process.pid != process.pid
    sandbox.end()
    assert [exit_code(worker) is None for worker in started] == [False] * len(started)


def test_a_file_is_read_after_all_processes_were_ended(tmp_path):
    sent = table(tmp_path / "1.csv", SCORES)
    read_in_process(read_own_table, *sent)
    end_all()
    assert read_in_process(read_own_table, *sent).methods == ("a", "b")


def test_what_the_process_read_is_what_the_server_would_read(tmp_path):
    scores = table(tmp_path / "1.csv", SCORES)
    cases = table(tmp_path / "2.csv", "size,price\n" + "".join(f"{n}.5,{n % 3}\n" for n in range(40)))
    question = table(tmp_path / "3.csv", "a,b\n1,2\n3,4\n")
    result, direct = read_in_process(read_own_table, *scores), read_own_table(*scores)
    assert result.kind == "scores"
    assert result.file.rows.equals(direct.file.rows)
    assert (result.file.reading, result.methods) == (direct.file.reading, direct.methods)
    result, direct = read_in_process(read_own_table, *cases), read_own_table(*cases)
    assert result.kind == "cases"
    assert (result.plan.columns, result.plan.options) == (direct.plan.columns, direct.plan.options)
    options = ScoreOptions()
    result = read_in_process(read_own_scores, *question, options=options).question
    direct = read_own_scores(*question, options).question
    assert (str(result), result.answers) == (str(direct), direct.answers)


def test_a_file_is_read_together_with_what_the_session_has(archive, tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(delvecore, "open", lambda paths, **how: read.append(list(paths)))
    own = str(write_tree(tmp_path / "delve-own", {"data/.keep": "", "methods/.keep": ""}))
    new = str(tmp_path / "delve-added")
    path, roots = archive
    unpack_own_archive(path, "mine.tar.gz", into=new, own=own, beside=roots, limits=uploads.LIMITS)
    assert read == [[new, own]]


def test_what_takes_too_long_is_refused_in_words(archive, tmp_path, started, monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0)
    with pytest.raises(
        DelveError, match=r"mine.tar.gz: expected a file that can be read in 0 seconds, found more"
    ):
        tried(archive, tmp_path)
    assert exit_code(started[0]) is not None


def test_the_process_ends_when_the_visitor_leaves(archive, tmp_path, started):
    def leave():
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


def fail(path, _name, *, error):
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
    path, name = table(tmp_path / "sent.csv", "a,b\n1,2\n")
    with pytest.raises(DelveError) as raised:
        read_in_process(fail, path, name, error=error)
    assert str(raised.value) == (
        f"sent.csv: expected a file that can be read, found that the reader failed unexpectedly ({error}); "
        "check the file, or tell the operator of this server"
    )
    (record,) = [one for one in caplog.records if one.name == "delvecore"]
    assert record.getMessage().startswith("sent.csv: the reader failed unexpectedly\nTraceback")
    assert "in fail" in record.getMessage()
    assert record.getMessage().count("Traceback") == 1


@pytest.mark.parametrize("error", ["MemoryError", "ENOMEM", "SIGKILL", "SIGABRT"])
def test_too_little_memory_is_what_a_limit_or_the_end_of_the_process_means(error, tmp_path, caplog):
    path, name = table(tmp_path / "sent.csv", "a,b\n1,2\n")
    with pytest.raises(
        DelveError, match=r"sent.csv: expected a file that can be read in 2048 MB of memory, found more"
    ):
        read_in_process(fail, path, name, error=error)
    assert not [one for one in caplog.records if one.name == "delvecore"]


def test_a_file_on_which_a_reader_fails_costs_only_itself(tmp_path, monkeypatch, caplog):
    crash = table(tmp_path / "crash.csv", "a,b\n1,2\n")
    sent = table(tmp_path / "1.csv", SCORES)
    with pytest.raises(DelveError, match=r"failed unexpectedly \(KeyError\)"):
        read_in_process(fail, *crash, error="KeyError")
    assert read_in_process(read_own_table, *sent).methods == ("a", "b")


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
        ("SIGXCPU", "expected a file that can be read in 120 seconds, found more; send less at once"),
    ],
)
def test_the_end_of_the_process_is_told_by_its_cause(error, said, tmp_path):
    path, name = table(tmp_path / "sent.csv", "a,b\n1,2\n")
    with pytest.raises(DelveError, match=f"^sent.csv: {said}"):
        read_in_process(fail, path, name, error=error)


def wait_long(_path, _name, *, seconds):
    time.sleep(seconds)


def test_one_process_reads_for_all_and_ends_when_nobody_needs_it(tmp_path, started, monkeypatch):
    sent = table(tmp_path / "1.csv", "a,b\n1,2\n")
    for _ in range(3):
        read_in_process(wait_long, *sent, seconds=0)
    (worker,) = started
    sandbox.end_idle()
    assert worker._exit_status() is None
    monkeypatch.setattr(sandbox, "IDLE", 0.0)
    with sandbox._using:
        sandbox.end_idle()
    assert worker._exit_status() is None
    sandbox.end_idle()
    assert exit_code(worker) is not None


def test_a_file_waits_for_those_of_others_and_not_for_ever(tmp_path, monkeypatch):
    sent = table(tmp_path / "1.csv", "a,b\n1,2\n")
    calls = []
    first = threading.Thread(target=read_in_process, args=(wait_long, *sent), kwargs={"seconds": 3})
    first.start()
    while not sandbox._using.locked():
        time.sleep(0.01)
    monkeypatch.setattr(sandbox, "WAITING", 0.2)
    with pytest.raises(
        DelveError, match="expected that the server has time to read the file, found that other files"
    ):
        read_in_process(wait_long, *sent, seconds=0, notify=lambda: calls.append(1))
    assert calls
    monkeypatch.setattr(sandbox, "WAITING", 60)
    read_in_process(wait_long, *sent, seconds=0)
    first.join()
