"""A delve directory in one archive file is opened as the directory itself."""

import os
import shutil
import tarfile
import zipfile

import pytest

import delvecore
from delvecore.archive import sources
from delvecore.cli.dinfo import main as dinfo
from delvecore.cli.support.archives import open_archive
from delvecore.errors import DelveError, Fault
from delvecore.locations import cache_directory
from delvecore.readers import tar_archives
from delvecore.writers.files import write_atomically
from tests.archives import small_archive
from tests.cli.running import Runner
from tests.remote.far import tables


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return small_archive(tmp_path / "small")


@pytest.fixture
def packed(tmp_path, root):
    return pack(tmp_path / "mine.tar.gz", {root.name: root})


def pack(path, directories):
    with tarfile.open(path, "w:gz") as archive:
        for name, directory in directories.items():
            archive.add(directory, arcname=name)
    return path


def test_an_archive_file_has_the_tables_of_the_directory_in_it(packed, root, monkeypatch):
    far, near = delvecore.open(packed), delvecore.open(root)
    assert tables(far) == tables(near)
    monkeypatch.setattr(tar_archives, "read_content", lambda path: pytest.fail("unpacked again"))
    assert delvecore.open(packed).state == far.state


def test_a_changed_archive_file_is_another_and_nothing_of_the_old_one_stays(packed, root):
    (before,) = sources([packed]).directories
    shutil.rmtree(root / "methods" / "two")
    pack(packed, {root.name: root})
    assert delvecore.open(packed).methods["method"].to_pylist() == ["one"]
    assert not os.path.exists(before)
    assert len(os.listdir(os.path.dirname(os.path.dirname(before)))) == 1


@pytest.mark.parametrize("name", ["archive-1.0", "all/delve-small"])
def test_the_directory_may_be_called_otherwise_or_hold_delve_directories(tmp_path, root, name):
    packed = pack(tmp_path / "other.tgz", {name: root})
    assert delvecore.open(packed).methods["method"].to_pylist() == ["one", "two"]


def test_both_parts_are_there_where_an_archive_file_has_one(tmp_path, root):
    packed = pack(tmp_path / "data.tar.gz", {"delve/data": root / "data"})
    archive = delvecore.open(packed)
    assert archive.datasets["dataset"].to_pylist() == ["demo"]
    assert archive.problems.num_rows == 0


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (
            {"demo": "data/demo"},
            "expected a delve directory in it, .*found 'demo', which is none; .*delve install",
        ),
        ({"delve/data": "data", "other": "methods"}, "expected"),
        ({"delve/../out": "data"}, "expected"),
    ],
)
def test_an_archive_file_of_something_else_is_one_clear_line(tmp_path, root, content, found):
    packed = pack(tmp_path / "other.tar.gz", {name: root / part for name, part in content.items()})
    with pytest.raises(DelveError, match=rf"^{packed}: {found}"):
        delvecore.open(packed)
    assert not list((tmp_path / "cache").rglob("Dataset.spec"))


def test_an_archive_of_another_kind_and_a_damaged_one_are_one_clear_line(tmp_path, packed, root):
    other = tmp_path / "mine.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.write(root / "data" / "demo" / "Dataset.spec", "delve/data/demo/Dataset.spec")
    with pytest.raises(
        Fault, match="found another archive; give the directory itself, or pack it as tar -czf"
    ):
        delvecore.open(other)
    packed.write_bytes(packed.read_bytes()[:-100])
    with pytest.raises(DelveError, match=f"^{packed}: expected a whole archive, found it cut short"):
        delvecore.open(packed)


def test_nothing_is_written_into_what_an_archive_file_holds(packed):
    (place,) = sources([packed]).directories
    assert place.startswith(cache_directory())
    with pytest.raises(
        Fault, match="expected to write into it, found that stores and archive files are only"
    ):
        write_atomically(os.path.join(place, "data", "new"), "text")


def test_commands_take_archive_files(packed, root, monkeypatch, capfdbinary):
    run = Runner(monkeypatch, capfdbinary)
    monkeypatch.setenv("DELVE_PATH", str(packed))
    assert "age" in run(dinfo, "/demo").out
    archive, places = open_archive([str(packed)], follow_links=False)
    assert tables(archive) == tables(delvecore.open(root))
    assert not places
