"""The cache: same tables with and without it, only what changed is read again, damage is harmless."""

import multiprocessing
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import delvecore
from delvecore import locations, tables
from delvecore.archive import dataset_unit, result_unit
from tests.archives import losses, small_archive, write_tree


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path)


def contents(archive):
    return {name: getattr(archive, name).to_pylist() for name in tables.SCHEMAS}


def cache_files():
    return sorted(Path(locations.cache_directory()).rglob("*.arrow"))


def test_the_cache_changes_nothing(root):
    without = delvecore.open(root, cache=False)
    assert cache_files() == []
    cold, warm = delvecore.open(root), delvecore.open(root)
    assert contents(cold) == contents(without)
    assert contents(warm) == contents(without)
    assert warm.state == without.state
    assert warm.cases("demo").equals(without.cases("demo"))


def test_a_warm_open_reads_no_file_of_the_archive(root, monkeypatch):
    delvecore.open(root)
    monkeypatch.setattr(dataset_unit, "check_dataset", pytest.fail)
    monkeypatch.setattr(result_unit, "read_loss_files", pytest.fail)
    assert delvecore.open(root).results.num_rows == 4


def test_only_changed_files_are_read_again(root, monkeypatch):
    delvecore.open(root)
    write_tree(root, {"methods/two/demo/age/std.8/loss.S.1": losses(1, 4, 2.0)})
    read, original = [], result_unit.read_loss_files
    monkeypatch.setattr(
        result_unit, "read_loss_files", lambda paths, *a, **o: read.extend(paths) or original(paths, *a, **o)
    )
    changed = delvecore.open(root)
    assert {os.path.relpath(path, root) for path in read} == {
        f"methods/two/demo/age/std.8/loss.S.{instance}" for instance in range(2)
    }
    assert contents(changed) == contents(delvecore.open(root, cache=False))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: shutil.rmtree(root / "methods" / "two"),
        lambda root: shutil.rmtree(root / "data" / "demo" / "shade"),
        lambda root: (root / "methods/one/demo/age/std.8/loss.S.1").unlink(),
        lambda root: write_tree(root, {"methods/one/demo/age/vague.4/loss.A.0": "1\n2\n"}),
        lambda root: write_tree(root, {"data/demo/Dataset.data": "male 1 2 3 pink\nfemale x 2 3 red\n"}),
        lambda root: write_tree(root, {"data/demo/age/std.prior": "1 NLMH binary\n"}),
        lambda root: write_tree(root, {"data/new/Dataset.spec": "Origin: natural\n"}),
        lambda root: write_tree(root, {"methods/one/Summary": "Another text.\n"}),
    ],
)
def test_after_any_change_the_cache_gives_what_a_new_reading_gives(root, change):
    delvecore.open(root)
    change(root)
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False))


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b""), lambda path: path.unlink()])
def test_a_damaged_cache_is_rebuilt(root, damage):
    expected = contents(delvecore.open(root))
    for path in cache_files():
        damage(path)
    assert contents(delvecore.open(root)) == expected
    assert contents(delvecore.open(root)) == expected
    assert len(cache_files()) == len(set(cache_files()))


def test_a_cache_with_a_foreign_manifest_is_rebuilt(root):
    expected = contents(delvecore.open(root))
    for path in Path(locations.cache_directory()).rglob("manifest.json"):
        path.write_text("[]")
    assert contents(delvecore.open(root)) == expected


def test_an_unwritable_cache_is_said_and_does_not_stop_reading(root, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    archive = delvecore.open(root)
    assert archive.results.num_rows == 4
    assert "the cache cannot be written" in archive.notice
    assert archive.cases("demo").num_rows == 24


def open_often(root, barrier, queue):
    barrier.wait(60)
    for _ in range(5):
        queue.put(delvecore.open(root).losses.num_rows)


@pytest.mark.slow
def test_processes_that_open_and_change_at_once_see_whole_tables(root):
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(2), context.Queue()
    given = str(root), barrier, queue
    workers = [context.Process(target=open_often, args=given, daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    rows = [queue.get(timeout=60) for _ in range(10)]
    for worker in workers:
        worker.join(timeout=60)
    assert set(rows) == {12}
    assert [worker.exitcode for worker in workers] == [0, 0]


def test_old_generations_are_removed(root):
    for scale in (1.0, 2.0, 3.0):
        write_tree(root, {"methods/one/demo/age/std.8/loss.S.0": losses(0, 4, scale)})
        delvecore.open(root)
    generations = list((Path(locations.cache_directory()) / "archives").glob("*/*"))
    assert len({path.parent for path in generations}) == len(generations)


def test_tables_outlive_their_generation(root):
    archive = delvecore.open(root)
    archive = delvecore.open(root)
    values = archive.losses["values"].to_pylist()
    shutil.rmtree(locations.cache_directory())
    assert archive.losses["values"].to_pylist() == values
    assert isinstance(archive.losses, pa.Table)
