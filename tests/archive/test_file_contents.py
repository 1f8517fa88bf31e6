"""Other content is found where number, size and times are the same; what changed as files do is none of it."""

import os
from pathlib import Path

import pytest

import delvecore
from delvecore.archive import file_contents, snapshot
from tests.archives import losses, small_archive
from tests.packed import pack_tree

LOSSES = "methods/one/demo/age/std.8/loss.S.0"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_archive(tmp_path)


@pytest.fixture
def blind(monkeypatch) -> None:
    """Whatever is written, size and times stay the same."""
    for module in (snapshot, file_contents):
        monkeypatch.setattr(module, "identity_of", lambda status: (0, 0, 0, 0))


def checked(root: Path) -> list[str]:
    return delvecore.open(root).other_contents(rest=lambda seconds: None)


def test_other_content_of_the_same_state_is_named_until_all_is_verified(root, blind):
    assert checked(root) == []
    (root / LOSSES).write_text(losses(0, 4, 2.0))
    assert checked(root) == ["/methods/one/demo/age/std.8"]
    assert checked(root) == ["/methods/one/demo/age/std.8"]
    delvecore.open(root, verify=True)
    assert checked(root) == []


def test_an_archive_file_is_named_by_its_path(root, blind):
    packed = pack_tree(root / "methods/one", root / "methods/one.tar.gz")
    (root / "methods/one").rename(root.parent / "one")
    assert checked(root) == []
    content = bytearray(packed.read_bytes())
    content[4] ^= 1  # the time in the head of gzip
    packed.write_bytes(content)
    assert checked(root) == [str(packed)]


def test_what_changed_as_files_do_is_no_other_content(root):
    assert checked(root) == []
    (root / LOSSES).write_text(losses(0, 4, 2.0))
    assert checked(root) == []
    assert checked(root) == []


def test_nothing_is_kept_of_files_that_change_while_they_are_read(root):
    archive = delvecore.open(root)
    assert archive.other_contents(rest=lambda seconds: (root / "methods/one/Summary").write_text("x")) == []
    assert not os.path.exists(file_contents.content_path(archive._case_cache.base, [str(root)]))


def test_damaged_digests_count_as_absent(root, blind):
    archive = delvecore.open(root)
    archive.other_contents(rest=lambda seconds: None)
    Path(file_contents.content_path(archive._case_cache.base, [str(root)])).write_text("{}")
    (root / LOSSES).write_text(losses(0, 4, 2.0))
    assert checked(root) == []
    (root / LOSSES).write_text(losses(0, 4, 3.0))
    assert checked(root) == ["/methods/one/demo/age/std.8"]


def test_without_a_cache_there_is_nothing_to_compare_with(root):
    assert delvecore.open(root, cache=False).other_contents(rest=pytest.fail) == []
