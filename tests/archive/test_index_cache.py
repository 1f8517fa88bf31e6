"""What archive files hold is kept between runs, and counts only while the files are the same."""

import tarfile
from pathlib import Path

import pytest

import delvecore
from delvecore.readers import tar_archives
from tests.archives import small_archive


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive one of whose methods lies in an archive file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = small_archive(tmp_path)
    pack(root, next((root / "methods").iterdir()), tmp_path / "away")
    return root


def pack(root, method, away):
    with tarfile.open(root / "methods" / f"{method.name}.tar.gz", "w:gz") as file:
        file.add(method, method.name)
    method.rename(away)


def forget(monkeypatch):
    """Know nothing of any archive, as a new process."""
    for store in ("_tops", "_indexes", "_contents"):
        monkeypatch.setattr(tar_archives, store, {})


def refuse(*arguments, **options):
    raise AssertionError("an archive file was unpacked")


def test_a_second_opening_unpacks_nothing(root, monkeypatch):
    first = delvecore.open(root)
    forget(monkeypatch)
    for name in ("index_archive", "read_content", "read_top"):
        monkeypatch.setattr(tar_archives, name, refuse)
    second = delvecore.open(root)
    assert second.results.num_rows > 0
    assert second.results.equals(first.results)
    assert second.state == first.state


def test_another_file_is_read_anew(root, monkeypatch, tmp_path):
    before = delvecore.open(root).methods["method"].to_pylist()
    archive = next((root / "methods").glob("*.tar.gz"))
    archive.unlink()
    other = tmp_path / "away"
    with tarfile.open(archive, "w:gz") as file:
        file.add(other, "another")
    forget(monkeypatch)
    assert "another" not in before
    assert "another" in delvecore.open(root).methods["method"].to_pylist()


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": [[1], [2]]}', "\0"])
def test_a_damaged_cache_counts_as_absent(root, monkeypatch, tmp_path, text):
    first = delvecore.open(root)
    kept = next((tmp_path / "cache").glob("delve/indexes/*"))
    sound = kept.read_text()
    kept.write_text(text)
    forget(monkeypatch)
    assert delvecore.open(root).results.equals(first.results)
    assert kept.read_text() == sound
