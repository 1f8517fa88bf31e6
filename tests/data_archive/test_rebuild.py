"""The committed datasets are what the generators make, and the check notices when they are not."""

import shutil
import sys
from pathlib import Path

import pytest
import rebuild_datasets

from tests.data_archive.archive import DATASETS

NAMES = rebuild_datasets.all_datasets()
BUNDLED = {"breast-cancer", "diabetes", "digits", "wine"}


def test_every_dataset_has_a_generator():
    assert sorted(path.name for path in DATASETS.iterdir()) == NAMES
    assert NAMES == [
        "breast-cancer", "demo", "diabetes", "digits",
        "kin-8fh", "kin-8fm", "kin-8nh", "kin-8nm", "titanic", "wine",
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_committed_files_equal_what_is_generated(name: str):
    if name in BUNDLED:
        pytest.importorskip("sklearn", reason="the generator takes the cases from scikit-learn")
    made = rebuild_datasets.generated_files(name)
    assert list(rebuild_datasets.differences(name, made)) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_dataset_is_described(name: str):
    made_or_written = {path.relative_to(DATASETS / name).as_posix() for path in _files(DATASETS / name)}
    assert {"Summary", "Dataset.data", "Dataset.spec", "Source/Notes"} <= made_or_written
    assert "Licence." in (DATASETS / name / "Source" / "Notes").read_text()


def test_the_datasets_stay_small():
    # The whole archive has to stay under 25 MB, most of it results.
    assert sum(path.stat().st_size for path in _files(DATASETS)) < 4_000_000


def test_a_changed_a_missing_and_a_stray_file_are_named(tmp_path: Path):
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


def test_rebuilding_writes_what_the_check_accepts(tmp_path: Path):
    made = rebuild_datasets.generated_files("demo")
    rebuild_datasets.write_files("demo", made, tmp_path)
    assert list(rebuild_datasets.differences("demo", made, tmp_path)) == []


def test_the_check_command_succeeds_and_says_nothing(capsys: pytest.CaptureFixture[str]):
    assert rebuild_datasets.main(["--check", "titanic", "demo"]) == 0
    assert capsys.readouterr() == ("", "")


def test_without_scikit_learn_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert rebuild_datasets.main(["--check", "wine"]) == 1
    message = "wine: scikit-learn is needed to rebuild this dataset: pip install scikit-learn\n"
    assert capsys.readouterr() == ("", message)


def test_an_unknown_dataset_is_refused(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        rebuild_datasets.main(["iris"])
    assert "no generator for iris" in capsys.readouterr().err


def _files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
