"""The committed datasets are what the generators make, and the check notices when they are not."""

import shutil
from pathlib import Path

import pytest
import rebuild_datasets
from generators import families

from delvecore.simulators import FAMILIES, SIMULATORS
from tests.data_archive.archive import DATASETS

NAMES = rebuild_datasets.all_datasets()
STORED = [name for name in NAMES if name not in {*SIMULATORS, *FAMILIES}]
SAMPLE = ["kin-8fm", "pumadyn-32nh", pytest.param("bank-8nm", marks=pytest.mark.wide)]
"""Simulated datasets whose cases are made again here. `simulators/test_families.py` does it for a bank."""
BUNDLED = {"breast-cancer", "diabetes", "digits", "wine"}


def test_every_dataset_has_a_generator():
    assert sorted(path.name for path in DATASETS.iterdir()) == NAMES
    generated = ["clinic", "demo", "harbour", "orchard"]
    assert sorted(["breast-cancer", "diabetes", "digits", "titanic", "wine", *generated]) == STORED


@pytest.mark.parametrize("name", [*STORED, *SAMPLE, *FAMILIES])
def test_committed_files_equal_what_is_generated(name):
    if name in BUNDLED:
        pytest.importorskip("sklearn", reason="the generator takes the cases from scikit-learn")
    made = rebuild_datasets.generated_files(name)
    assert list(rebuild_datasets.differences(name, made)) == []


@pytest.mark.parametrize("name", SIMULATORS)
def test_the_files_of_a_simulated_dataset_are_those_that_are_generated(name: str):
    # Without its cases, of which the checksum in `Dataset.generator` speaks.
    kept = (DATASETS / name / "Dataset.generator").read_text()
    files = {"Dataset.generator": kept, **families.described_files(name)}
    made = {file: text.encode("ascii") for file, text in files.items()}
    assert list(rebuild_datasets.differences(name, made)) == []


@pytest.mark.parametrize("name", [*STORED, *SIMULATORS])
def test_every_dataset_is_described(name):
    made_or_written = {path.relative_to(DATASETS / name).as_posix() for path in _files(DATASETS / name)}
    cases = "Dataset.generator" if name in SIMULATORS else "Dataset.data"
    assert {"Summary", cases, "Dataset.spec", "Source/Notes", "Source/Contributor"} <= made_or_written
    assert "License." in (DATASETS / name / "Source" / "Notes").read_text()


def test_the_datasets_stay_small():
    # The whole archive has to stay under 60 MB, most of it results.
    assert sum(path.stat().st_size for path in _files(DATASETS)) < 2_000_000


def test_a_changed_a_missing_and_a_stray_file_are_named(tmp_path):
    shutil.copytree(DATASETS / "titanic", tmp_path / "titanic")
    made = rebuild_datasets.generated_files("titanic", tmp_path)
    (tmp_path / "titanic" / "Dataset.data").write_text("1st child female no\n")
    (tmp_path / "titanic" / "survived" / "std.prior").unlink()
    (tmp_path / "titanic" / "survived" / "Prototask.data").write_text("")
    assert list(rebuild_datasets.differences("titanic", made, tmp_path)) == [
        "titanic/Dataset.data: differs from what is generated",
        "titanic/survived/std.prior: is missing",
        "titanic/survived/Prototask.data: is neither generated nor documentation",
    ]


def _files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
