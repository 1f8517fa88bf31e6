"""Files are written completely or not at all."""

import os

import pytest

from delvecore.errors import DelveError
from delvecore.writers.files import StagedFiles, make_directory, write_atomically


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


def test_missing_directory_is_an_error(tmp_path):
    with pytest.raises(DelveError, match="found no such file or directory"):
        write_atomically(str(tmp_path / "gone" / "train.0"), "")


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


def test_file_in_the_way_of_a_directory_is_an_error(tmp_path):
    (tmp_path / "demo").write_text("")
    with pytest.raises(DelveError) as caught:
        make_directory(str(tmp_path / "demo"))
    assert str(caught.value) == f"{tmp_path / 'demo'}: expected to make this directory, found file exists"
