"""Files are written completely or not at all; a set of files whose writing is killed between any two steps
is old, new, or marked, and the next writer ends it."""

import itertools
import os
import signal
import threading

import pytest

from delvecore.errors import DelveError, Fault
from delvecore.readers.files import UNFINISHED
from delvecore.writers.files import PART, StagedFiles, finish_writing, make_directory, write_atomically
from tests.archives import write_tree
from tests.reliability.killing import contents, killed_before


def test_text_and_bytes_are_written(tmp_path):
    write_atomically(str(tmp_path / "a"), "ä\n")
    write_atomically(str(tmp_path / "b"), b"\0")
    assert (tmp_path / "a").read_bytes() == b"\xc3\xa4\n"
    assert (tmp_path / "b").read_bytes() == b"\0"
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_old_file_stays_when_the_new_one_cannot_be_completed(tmp_path, monkeypatch):
    path = tmp_path / "loss.S.0"
    path.write_text("old")

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(DelveError) as caught:
        write_atomically(str(path), "new")
    monkeypatch.undo()
    message = f"{path}: expected to write it, found no space left on device; the old file stays"
    assert str(caught.value) == message
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["loss.S.0"]


def test_directory_in_the_way_is_an_error(tmp_path):
    (tmp_path / "train.0").mkdir()
    with pytest.raises(DelveError, match="expected to write it, found is a directory"):
        write_atomically(str(tmp_path / "train.0"), "")
    assert os.listdir(tmp_path) == ["train.0"]


def test_compressed_file_of_the_same_plain_name_goes(tmp_path):
    (tmp_path / "loss.S.0.gz").write_bytes(b"")
    write_atomically(str(tmp_path / "loss.S.0"), "1.0\n")
    assert os.listdir(tmp_path) == ["loss.S.0"]


def test_pieces_are_written_one_behind_the_other(tmp_path):
    write_atomically(str(tmp_path / "train.0"), iter([b" 1\n", b"", b" 2\n"]))
    assert (tmp_path / "train.0").read_bytes() == b" 1\n 2\n"


def test_staged_files_take_their_places_together(tmp_path):
    (tmp_path / "a").write_text("old")
    with StagedFiles(str(tmp_path)) as staged:
        staged.write("a", "new")
        staged.write("b", "new")
        assert (tmp_path / "a").read_text() == "old"
        assert not (tmp_path / "b").exists()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new", "b": "new"}


def test_an_error_between_staged_files_leaves_the_old_ones(tmp_path):
    (tmp_path / "a").write_text("old")

    def pieces():
        yield b"half"
        raise DelveError("a value that cannot be encoded")

    def write():
        with StagedFiles(str(tmp_path)) as staged:
            staged.write("a", "new")
            staged.write("b", pieces())

    with pytest.raises(DelveError, match="cannot be encoded"):
        write()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old"}


@pytest.mark.parametrize("lasting", [True, False])
def test_only_files_that_outlive_the_process_wait_for_the_disk(lasting, tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with StagedFiles(str(tmp_path), lasting=lasting) as staged:
        staged.write("a", "1")
    assert (tmp_path / "a").read_text() == "1"
    assert bool(synced) is lasting


def test_file_in_the_way_of_a_directory_is_an_error(tmp_path):
    (tmp_path / "demo").write_text("")
    with pytest.raises(DelveError) as caught:
        make_directory(str(tmp_path / "demo"))
    assert str(caught.value) == f"{tmp_path / 'demo'}: expected to make this directory, found file exists"


OLD = {"a": b"old", "b.gz": b"old", "c": b"old", "d": b"old"}
NEW = {"a": b"new", "b": b"new", "d": b"old", "e": b"new"}


def write_new(directory):
    with StagedFiles(str(directory)) as staged:
        for name in ("a", "b", "e"):
            staged.write(name, "new")
        staged.remove("c")


def moments(tmp_path):
    """Directories in which writing was killed, one for each step."""
    for number in itertools.count(1):
        directory = write_tree(tmp_path / str(number), OLD)
        with killed_before(number) as made:
            write_new(directory)
        yield directory
        if len(made) < number:
            return


def test_at_every_moment_the_set_is_old_or_new_or_marked_and_the_next_writer_ends_it(tmp_path):
    seen = set()
    for directory in moments(tmp_path):
        whole = {name: data for name, data in contents(directory).items() if not name.endswith(PART)}
        seen.add(
            "marked" if UNFINISHED in whole else "old" if whole == OLD else "new" if whole == NEW else "half"
        )
        write_new(directory)
        assert contents(directory) == NEW
    assert seen == {"old", "marked", "new"}


def test_what_was_marked_is_finished_as_it_was_meant(tmp_path):
    for directory in moments(tmp_path):
        marked = (directory / UNFINISHED).exists()
        finish_writing(str(directory))
        assert not marked or contents(directory) == NEW


def test_an_interruption_waits_until_a_set_is_in_its_place(tmp_path, monkeypatch):
    write_tree(tmp_path, OLD)
    replace = os.replace

    def interrupted(source, place):
        os.kill(os.getpid(), 2)
        replace(source, place)

    monkeypatch.setattr(os, "replace", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what runs behind a shell
    try:
        with pytest.raises(KeyboardInterrupt):
            write_new(tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    assert contents(tmp_path) == NEW


@pytest.mark.parametrize(
    "mark",
    ["", "[]", "[" * 200_000, '{"put": {"../a": "b"}, "remove": []}', '{"put": {}, "remove": ["../x"]}'],
)
def test_a_mark_that_says_something_else_is_a_fault_and_moves_nothing(tmp_path, mark):
    write_tree(tmp_path, {"x": "kept", f"in/{UNFINISHED}": mark})
    with pytest.raises(Fault, match="found something else; remove it"):
        finish_writing(str(tmp_path / "in"))
    assert (tmp_path / "x").read_text() == "kept"


def test_two_writers_in_a_directory_take_turns(tmp_path):
    def write():
        with StagedFiles(str(tmp_path)) as second:
            second.write("a", "2")

    other = threading.Thread(target=write)
    with StagedFiles(str(tmp_path)) as first:
        first.write("a", "1")
        other.start()
        other.join(0.2)
        assert other.is_alive()
    other.join(10)
    assert contents(tmp_path) == {"a": b"2"}


def test_a_directory_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Fault, match="gone: expected to write into it, found no such file or directory"):
        StagedFiles(str(tmp_path / "gone")).__enter__()
