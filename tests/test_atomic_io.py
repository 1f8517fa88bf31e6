"""Directories for a while go with their process, and the next of their kind removes those that a kill left."""

import itertools
import os
import time
from types import SimpleNamespace

import pyarrow as pa
import pytest

from dashboard.server.uploads import Own
from delvecore import cache
from delvecore.atomic_io import lock_directory, scratch_directory, sweep
from delvecore.writers.files import write_atomically
from tests.archives import write_tree
from tests.reliability.killing import GONE, contents, killed_before

TABLES = {"letters": pa.table({"a": [1, 2]}), "words": pa.table({"b": ["x", "y"]})}


def made(parent, name, *, hours=0):
    path = parent / name
    write_tree(path, {"inside/file": "x"})
    os.utime(path, (time.time() - 3600 * hours,) * 2)
    return path


def test_a_directory_is_removed_after_its_block(tmp_path):
    with scratch_directory("work-", str(tmp_path)) as path:
        write_tree(tmp_path / path, {"a/b": ""})
    assert list(tmp_path.iterdir()) == []


def test_those_of_processes_that_are_gone_are_swept_and_those_of_others_stay(tmp_path):
    gone, old = made(tmp_path, f"work-{GONE}-a"), made(tmp_path, "work-abc", hours=2)
    stays = [
        made(tmp_path, f"work-{os.getpid()}-b"),
        made(tmp_path, "work-def"),
        made(tmp_path, f"other-{GONE}-a", hours=2),
        tmp_path / f"work-{GONE}-link",
    ]
    stays[-1].symlink_to(stays[-2])
    sweep("work-", str(tmp_path))
    assert not gone.exists()
    assert not old.exists()
    assert all((path / "inside/file").exists() for path in stays)


def test_one_that_is_locked_is_in_use_however_old(tmp_path):
    path = made(tmp_path, f"work-{GONE}-a", hours=2)
    with lock_directory(str(path)):
        sweep("work-", str(tmp_path))
        assert path.exists()
    sweep("work-", str(tmp_path))
    assert not path.exists()


@pytest.mark.parametrize("before", [{}, {"first": TABLES}], ids=["empty", "another"])
def test_a_cache_that_is_killed_at_any_moment_has_whole_tables_and_later_no_litter(tmp_path, before):
    for number in itertools.count(1):
        kept = cache.Cache(str(tmp_path / str(number)), ["a"], "form", TABLES)
        for state, tables in before.items():
            kept.store(state, tables)
        with killed_before(number) as changes:
            kept.store("state", TABLES)
        for state in ("first", "state"):
            assert kept.load(state) in (None, TABLES)
        assert kept.load("first") or kept.load("state") or not before
        kept.store("state", TABLES)
        assert os.listdir(kept.directory) == ["state"]
        if len(changes) < number:
            return


def test_a_file_of_the_cache_is_old_or_new_and_later_there_is_no_litter(tmp_path):
    for number in itertools.count(1):
        root = write_tree(tmp_path / str(number), {"file": "old"})
        with killed_before(number) as changes:
            cache.write_whole(str(root / "file"), b"new")
        assert (root / "file").read_bytes() in (b"old", b"new")
        cache.write_whole(str(root / "file"), b"new")
        assert contents(root) == {"file": b"new"}
        if len(changes) < number:
            return


@pytest.mark.slow
def test_what_a_killed_server_kept_of_its_sessions_goes_when_the_next_one_takes_files(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = made(tmp_path, f"delve-session-{GONE}-abc")
    mine = Own()
    mine.take([SimpleNamespace(name="none.tar.gz", size=0, getbuffer=lambda: memoryview(b""))], [])
    assert not left.exists()
    assert [str(path) for path in tmp_path.iterdir()] == [mine.base]


def test_files_are_on_the_disk_before_they_take_their_places(tmp_path, monkeypatch):
    done = []
    for name in ("fsync", "replace"):
        function = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda *given, name=name, function=function: (done.append(name), function(*given))
        )
    write_atomically(str(tmp_path / "loss.S.0"), "1\n")
    cache.write_whole(str(tmp_path / "file"), b"1")
    assert done == ["fsync", "replace", "fsync", "fsync", "replace"]
