"""The tables that ship with the archive: they are those of its files, and count for no other files."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

import delvecore
from data.build_tables import ARCHIVE, TABLES
from delvecore import locations
from delvecore.archive import reading, shipped
from delvecore.archive.shipped import MANIFEST, SHIPPED, read_shipped, write_shipped
from delvecore.cache import FORM
from delvecore.readers.tree_digest import tree_digest
from tests.archives import contents, small_archive, write_tree

REMEDY = "run python data/build_tables.py"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small archive that ships with its tables."""
    root = small_archive(tmp_path)
    ship(root)
    monkeypatch.setattr(locations, "default_directories", lambda: [str(root)])
    return root


def ship(root: Path) -> None:
    tables = delvecore.open(root, cache=False, verify=True)._stored
    write_shipped(tables, str(root), str(root.parent / shipped.FOLDER), FORM)


def ordered(table: pa.Table) -> pa.Table:
    """Rows in an order of their own: that of standardizers depends on what was read together."""
    if "standardizer" not in table.column_names or "unit" not in table.column_names:
        return table
    keys = [(name, "ascending") for name in table.column_names if name != "standardizer"]
    return table.sort_by(keys).combine_chunks()


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object, **_options: object) -> None:
        pytest.fail("files were read")

    monkeypatch.setattr(reading, "build_tables", fail)


def test_the_shipped_tables_are_of_the_files_of_the_archive():
    manifest = json.loads((TABLES / MANIFEST).read_text())
    assert manifest["form"] == FORM, REMEDY
    assert manifest["digest"] == tree_digest(str(ARCHIVE))[0], REMEDY


def test_the_shipped_tables_are_what_reading_gives(whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    tables = delvecore.open(ARCHIVE)._stored
    assert "losses" in dict(tables)  # they were read, not shipped
    kept = read_shipped(str(TABLES), str(ARCHIVE))
    differing = [name for name in SHIPPED if not ordered(tables[name]).equals(ordered(kept[name]))]
    assert differing == [], REMEDY


@pytest.mark.parametrize("cache", [True, False])
def test_a_first_opening_reads_no_file_of_a_shipped_archive(root, cache, monkeypatch):
    expected = delvecore.open(root, cache=False, verify=True)
    forbid_reading(monkeypatch)
    for _ in range(2):
        archive = delvecore.open(root, cache=cache)
        for name in ("datasets", "tasks", "methods", "results", "costs", "problems"):
            assert getattr(archive, name).equals(getattr(expected, name))
        assert archive.state == expected.state


def test_sources_that_an_installer_compiled_leave_the_tables_valid(root, monkeypatch):
    write_tree(root, {"data/demo/Source/generate.py": "CASES = 3\n"})
    ship(root)
    write_tree(root, {"data/demo/Source/__pycache__/generate.cpython-311.pyc": "compiled"})
    forbid_reading(monkeypatch)
    delvecore.open(root)


def test_losses_are_read_when_they_are_used_first(root):
    expected = delvecore.open(root, cache=False, verify=True)
    one = delvecore.open(root)
    assert "losses" not in dict(one._stored)
    assert one.losses_at("/demo/age").equals(expected.losses_at("/demo/age"))
    assert "losses" not in dict(one._stored)
    assert contents(one) == contents(expected)
    assert contents(delvecore.open(root)) == contents(expected)
    assert contents(delvecore.open(root, cache=False)) == contents(expected)


def test_keeping_the_losses_makes_a_full_cache(root):
    delvecore.archive.keep_losses([str(root)], follow_links=False)
    assert "losses" in dict(delvecore.open(root)._stored)


CHANGES = {
    "another number": lambda root: next(root.glob("methods/*/demo/*/*/loss.S.0")).write_text("1\n2\n3\n5\n"),
    "one more file": lambda root: write_tree(root, {"methods/three/Summary": "A third one.\n"}),
    "one less": lambda root: shutil.rmtree(root / "methods/two"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("is_opened_before", [True, False])
def test_changed_files_are_read(root, change, is_opened_before):
    if is_opened_before:
        delvecore.open(root)
    change(root)
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False, verify=True))


@pytest.mark.parametrize("content", [b"", b"{", b'{"form": "older"}'])
def test_tables_of_another_format_do_not_count(root, content):
    (root.parent / shipped.FOLDER / MANIFEST).write_bytes(content)
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False, verify=True))


def test_damaged_tables_do_not_count(root):
    path = root.parent / shipped.FOLDER / "results.arrow"
    path.write_bytes(path.read_bytes()[:-8])
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False, verify=True))


def test_tables_beside_other_directories_do_not_count(root, monkeypatch):
    monkeypatch.setattr(locations, "default_directories", list)
    assert "losses" in dict(delvecore.open(root)._stored)


def test_losses_of_files_that_changed_since_are_refused(root):
    archive = delvecore.open(root)
    CHANGES["another number"](root)
    with pytest.raises(delvecore.DelveError, match="open the archive again"):
        archive.losses_at("/demo")
    with pytest.raises(delvecore.DelveError, match="open the archive again"):
        assert archive.losses


def test_a_file_that_changes_between_digest_and_list_is_noticed(root, monkeypatch):
    original = reading.look

    def late(*given, **options):
        CHANGES["another number"](root)
        return original(*given, **options)

    monkeypatch.setattr(reading, "look", late)
    archive = delvecore.open(root)
    monkeypatch.setattr(reading, "look", original)
    assert contents(archive) == contents(delvecore.open(root, cache=False, verify=True))


def test_problems_in_files_are_not_shipped(root):
    next(root.glob("methods/*/demo/*/*/loss.S.0")).write_text("x\n")
    with pytest.raises(delvecore.DelveError, match="without problems"):
        ship(root)


def test_shipped_tables_hold_no_path_of_this_machine():
    for name in SHIPPED:
        with pa.OSFile(str(TABLES / f"{name}.arrow")) as file:
            assert str(ARCHIVE) not in str(pa.ipc.open_file(file).read_all().to_pylist())
