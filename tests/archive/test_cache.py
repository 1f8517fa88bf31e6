"""The cache: same tables with and without it, only what changed is read again, other content is noticed
whatever looks equal, damage is harmless and no failure is kept."""

import multiprocessing
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import delvecore
from delvecore import locations
from delvecore.archive import dataset_unit, result_unit, snapshot
from delvecore.cli import delve
from tests.archives import contents, losses, small_archive, write_tree


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path)


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


@pytest.mark.parametrize(
    "change",
    [
        lambda root: shutil.rmtree(root / "methods" / "two"),
        lambda root: shutil.rmtree(root / "data" / "demo" / "shade"),
        lambda root: write_tree(root, {"methods/one/demo/age/vague.4/loss.A.0": "1\n2\n"}),
        lambda root: write_tree(root, {"data/demo/Dataset.data": "male 1 2 3 pink\nfemale x 2 3 red\n"}),
        lambda root: write_tree(root, {"data/new/Dataset.spec": "Origin: natural\n"}),
        lambda root: write_tree(root, {"methods/one/Summary": "Another text.\n"}),
    ],
)
def test_after_any_change_the_cache_gives_what_a_new_reading_gives(root, change):
    delvecore.open(root)
    change(root)
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False))


def test_an_unwritable_cache_is_said_and_does_not_stop_reading(root, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    archive = delvecore.open(root)
    assert archive.results.num_rows == 4
    assert "the cache cannot be written" in archive.notice
    assert archive.cases("demo").num_rows == 24


def open_often(root, barrier, queue):
    barrier.wait(60)
    for _ in range(3):
        queue.put(delvecore.open(root).losses.num_rows)


@pytest.mark.slow
def test_processes_that_open_and_change_at_once_see_whole_tables(root):
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(2), context.Queue()
    given = str(root), barrier, queue
    workers = [context.Process(target=open_often, args=given, daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    rows = [queue.get(timeout=60) for _ in range(6)]
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


LOSSES = "methods/one/demo/age/std.8/loss.S.0"


def first_losses(archive: delvecore.Archive) -> list[float]:
    return archive.losses["values"][0].as_py()


def replace_in_place(path: Path) -> None:
    path.write_text(losses(0, 4, 2.0))


def replace_by_another(path: Path) -> None:
    other = path.with_name(".other")
    other.write_text(losses(0, 4, 2.0))
    other.replace(path)


@pytest.mark.slow
@pytest.mark.parametrize("replace", [replace_in_place, replace_by_another])
def test_other_content_of_equal_size_time_and_mode_is_noticed(root, replace):
    path = root / LOSSES
    os.utime(path, ns=(0, 0))
    assert first_losses(delvecore.open(root)) == [1, 2, 3, 4]
    replace(path)
    os.utime(path, ns=(0, 0))
    assert first_losses(delvecore.open(root)) == [2, 4, 6, 8]


@pytest.mark.slow
def test_verify_reads_all_whatever_looks_equal(root, monkeypatch):
    monkeypatch.setattr(snapshot, "identity_of", lambda status: (0, 0, 0, 0))
    delvecore.open(root)
    (root / LOSSES).write_text(losses(0, 4, 2.0))
    assert first_losses(delvecore.open(root)) == [1, 2, 3, 4]
    assert first_losses(delvecore.open(root, verify=True)) == [2, 4, 6, 8]
    assert first_losses(delvecore.open(root)) == [2, 4, 6, 8]
    data = root / "data/demo/Dataset.data"
    data.write_text(data.read_text().replace("female 20.5 0 0", "female 20.5 1 0"))
    assert delve.main(["check", "--verify", str(root)]) == 0
    assert delvecore.open(root).cases("demo")["KIDS"][0].as_py() == 1


@pytest.mark.slow
@pytest.mark.parametrize("place", [LOSSES, "data/demo", "methods/one"])
def test_files_that_are_away_for_a_moment_leave_nothing_behind(root, place, monkeypatch):
    """The place is away while losses or specifications are first read, and back before the second look."""
    of_data = dataset_unit, "check_dataset"
    module, name = of_data if place == "data/demo" else (result_unit, "read_loss_files")
    path, away, original = root / place, root / "away", getattr(module, name)

    def hidden(*arguments, **options):
        shutil.move(path, away)
        monkeypatch.setattr(module, name, original)
        try:
            return original(*arguments, **options)
        finally:
            shutil.move(away, path)

    sound = delvecore.open(root, cache=False)
    monkeypatch.setattr(module, name, hidden)
    archive = delvecore.open(root)
    assert archive.problems.num_rows == 0
    assert first_losses(archive) == first_losses(sound)
    assert delvecore.open(root).results.equals(sound.results)


@pytest.mark.slow
def test_a_failure_that_lasts_is_read_again_by_the_next_opening(root, monkeypatch):
    original, read = result_unit.read_loss_files, []

    def failing(paths, *arguments, **options):
        read.append({os.path.relpath(path, root) for path in paths})
        (root / LOSSES).rename(root / "away")
        try:
            return original(paths, *arguments, **options)
        finally:
            (root / "away").rename(root / LOSSES)

    monkeypatch.setattr(result_unit, "read_loss_files", failing)
    assert delvecore.open(root).problems.num_rows > 0
    monkeypatch.setattr(result_unit, "read_loss_files", original)
    assert delvecore.open(root).problems.num_rows == 0
    assert {path.split("/")[1] for path in read[0]} == {"one", "two"}
    assert {path.split("/")[1] for path in read[1]} == {"one"}
