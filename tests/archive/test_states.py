"""The cache holds what the files say: other content is noticed whatever looks equal, and no failure is kept."""

import os
import shutil
from pathlib import Path

import pytest

import delvecore
from delvecore.archive import dataset_unit, result_unit, snapshot
from delvecore.cli import delve
from tests.archives import losses, small_archive

pytestmark = pytest.mark.slow

LOSSES = "methods/one/demo/age/std.8/loss.S.0"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_archive(tmp_path)


def first_losses(archive: delvecore.Archive) -> list[float]:
    return archive.losses["values"][0].as_py()


def replace_in_place(path: Path) -> None:
    path.write_text(losses(0, 4, 2.0))


def replace_by_another(path: Path) -> None:
    other = path.with_name(".other")
    other.write_text(losses(0, 4, 2.0))
    other.replace(path)


@pytest.mark.parametrize("replace", [replace_in_place, replace_by_another])
def test_other_content_of_equal_size_time_and_mode_is_noticed(root, replace):
    path = root / LOSSES
    os.utime(path, ns=(0, 0))
    assert first_losses(delvecore.open(root)) == [1, 2, 3, 4]
    replace(path)
    os.utime(path, ns=(0, 0))
    assert first_losses(delvecore.open(root)) == [2, 4, 6, 8]


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


def test_a_dataset_that_goes_away_while_it_is_read_is_gone(root, monkeypatch):
    original = dataset_unit.check_dataset

    def hidden(*arguments, **options):
        monkeypatch.setattr(dataset_unit, "check_dataset", original)
        shutil.move(root / "data/demo", root / "away")
        return original(*arguments, **options)

    monkeypatch.setattr(dataset_unit, "check_dataset", hidden)
    archive = delvecore.open(root)
    assert archive.datasets.num_rows == 0
    assert set(archive.problems["kind"].to_pylist()) == {"hierarchy"}
    shutil.move(root / "away", root / "data/demo")
    assert delvecore.open(root).problems.num_rows == 0
