"""`delve pack`'s archive files: manual, appendix A."""

import gzip
import hashlib
import os
import shutil
import tarfile

import pytest

from delvecore.errors import DelveError, ParseError
from delvecore.packaging.pack import pack_dataset, pack_method
from delvecore.readers.hierarchy import Hierarchy
from tests.archives import small_archive, write_tree


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path)


@pytest.fixture
def out(tmp_path):
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def names(path):
    with tarfile.open(path) as tar:
        return [member.name for member in tar if member.isfile()]


def test_a_method_s_archives_are_named_as_appendix_a_says(root, out):
    files, *_ = pack_method(Hierarchy([str(root)]), "one", str(out))
    assert sorted(os.listdir(out)) == ["one-Source.tar.gz", "one-all.tar.gz", "one-demo.tar.gz"]
    assert os.path.basename(next(iter(files))) == "one-all.tar.gz"
    assert names(out / "one-Source.tar.gz") == ["one/Source/one.txt", "one/Summary"]
    in_demo = names(out / "one-demo.tar.gz")
    assert len(in_demo) == 8  # 2 + 4 loss files and two Test-set-stats
    assert all(name.startswith("one/demo/") for name in in_demo)
    assert names(out / "one-all.tar.gz") == sorted(names(out / "one-Source.tar.gz") + in_demo)


def test_a_dataset_s_archive_has_its_name_and_makes_a_directory_of_that_name(root, out):
    pack_dataset(Hierarchy([str(root)]), "demo", str(out))
    assert os.listdir(out) == ["demo.tar.gz"]
    with tarfile.open(out / "demo.tar.gz") as tar:
        assert tar.getnames()[:2] == ["demo", "demo/Dataset.data"]


def test_the_same_files_give_the_same_bytes_whenever_and_whoever_packs(root, out, tmp_path):
    def digest():
        pack_method(Hierarchy([str(root)]), "one", str(out))
        return hashlib.sha256((out / "one-all.tar.gz").read_bytes()).hexdigest()

    first = digest()
    for path in root.rglob("*"):
        os.utime(path, (7, 7))
        path.chmod(0o700)
    assert digest() == first
    with tarfile.open(out / "one-all.tar.gz") as tar:
        facts = {(m.mtime, m.uid, m.gid, m.uname, m.gname, m.mode & 0o666) for m in tar}
    assert facts == {(0, 0, 0, "", "", 0o644)}
    assert (out / "one-all.tar.gz").read_bytes()[4:8] == bytes(4)  # gzip's own time


def test_the_time_of_members_can_be_given(root, out, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "851990400")
    pack_method(Hierarchy([str(root)]), "one", str(out))
    with tarfile.open(out / "one-all.tar.gz") as tar:
        assert {member.mtime for member in tar} == {851990400}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(DelveError, match="SOURCE_DATE_EPOCH: expected seconds since 1970, found 'yesterday'"):
        pack_method(Hierarchy([str(root)]), "one", str(out))


def test_losses_are_optional_and_encoded_data_left_out(root, out):
    task = root / "methods/one/demo/age/std.8"
    write_tree(
        task, {"train.0": " 1 2\n", "test.0.gz": gzip.compress(b" 1\n"), "targets.0": "2\n", "guess.0": "2\n"}
    )
    write_tree(root / "methods/one", {"Source/a/b/train.0": "kept: no task's file"})
    _, data_files, left_losses = pack_method(Hierarchy([str(root)]), "one", str(out), losses=False)
    assert (data_files, left_losses) == (3, 6)
    kept = ("age/std.8/Test-set-stats", "age/std.8/guess.0", "shade/std.4/Test-set-stats")
    assert names(out / "one-demo.tar.gz") == [f"one/demo/{name}" for name in kept]
    assert "one/Source/a/b/train.0" in names(out / "one-Source.tar.gz")


def test_what_lies_in_several_delve_directories_or_packed_is_packed_together(root, out, tmp_path):
    second = write_tree(tmp_path / "delve-more", {"methods/one/Source/more.txt": "More.\n", "data/.keep": ""})
    pack_method(Hierarchy([str(root), str(second)]), "one", str(out))
    together = names(out / "one-Source.tar.gz")
    assert together == ["one/Source/more.txt", "one/Source/one.txt", "one/Summary"]
    third = write_tree(tmp_path / "delve-packed", {"methods/.keep": "", "data/.keep": ""})
    shutil.copy(out / "one-Source.tar.gz", third / "methods")
    pack_method(Hierarchy([str(third)]), "one", str(out))
    assert names(out / "one-all.tar.gz") == together


def test_where_archives_are_read_in_place_none_is_written(root):
    for place in ("methods", "data", "methods/one"):
        with pytest.raises(DelveError, match="because archives inside it are read in place"):
            pack_method(Hierarchy([str(root)]), "one", str(root / place))
    pack_method(Hierarchy([str(root)]), "one", str(root))


def test_a_link_is_packed_as_what_it_leads_to(root, out, tmp_path):
    write_tree(root, {"methods/two/Source/near.txt": "Near.\n"})
    (root / "methods/one/Source/near.txt").symlink_to(root / "methods/two/Source/near.txt")
    pack_method(Hierarchy([str(root)]), "one", str(out))
    with tarfile.open(out / "one-Source.tar.gz") as tar:
        assert tar.extractfile("one/Source/near.txt").read() == b"Near.\n"


def test_what_a_link_leads_to_outside_is_not_published(root, out, tmp_path):
    write_tree(tmp_path, {"elsewhere.txt": "Far.\n"})
    (root / "methods/one/Source/far.txt").symlink_to(tmp_path / "elsewhere.txt")
    with pytest.raises(ParseError, match=r"far.txt: .*a link that leads out of it"):
        pack_method(Hierarchy([str(root)]), "one", str(out))
    assert os.listdir(out) == []


def test_an_archive_that_could_not_be_installed_is_not_written(root, out):
    write_tree(root, {"methods/one/Source/a\\b": "x"})
    with pytest.raises(ParseError, match="backslashes"):
        pack_method(Hierarchy([str(root)]), "one", str(out))
    assert os.listdir(out) == []


def test_there_must_be_something_to_pack_and_somewhere_to_put_it(root, tmp_path):
    with pytest.raises(DelveError, match="/none: expected files to pack, found none"):
        pack_method(Hierarchy([str(root)]), "none", str(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(DelveError, match="expected a directory, or a new path, found a file"):
        pack_method(Hierarchy([str(root)]), "one", str(tmp_path / "file"))


def test_a_new_directory_is_made_for_the_archives(root, tmp_path):
    pack_method(Hierarchy([str(root)]), "one", str(tmp_path / "new"))
    assert "one-all.tar.gz" in os.listdir(tmp_path / "new")


def test_a_dataset_whose_archive_s_name_is_taken_is_refused(root, out):
    write_tree(root, {"methods/one/all/x/std.4/loss.S.0": "1\n"})
    with pytest.raises(DelveError, match="expected no dataset named all"):
        pack_method(Hierarchy([str(root)]), "one", str(out))
