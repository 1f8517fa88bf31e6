"""A large archive is read in parts by several processes."""

import shutil
from pathlib import Path

import pytest

import delvecore
from delvecore.archive import reading
from delvecore.archive.reading import CaseCache, PartStore
from delvecore.cli import delve
from tests.archives import contents, small_archive, write_tree

pytestmark = pytest.mark.slow

NAMES = ("demo", "second", "third")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three datasets with the same results; large enough for parts."""
    monkeypatch.setattr(reading, "FEWEST_RESULTS", 1)
    root = small_archive(tmp_path)
    for name in NAMES[1:]:
        shutil.copytree(root / "data/demo", root / "data" / name)
        for method in (root / "methods").iterdir():
            if (method / "demo").is_dir():
                shutil.copytree(method / "demo", method / name)
    return root


@pytest.fixture
def nobody_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other processes make nothing."""
    monkeypatch.setattr(reading, "in_processes", lambda *given, **how: (nothing for nothing in ()))


def forbid_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "in_processes", None)


def store_of(root: Path) -> PartStore:
    return PartStore(reading.look([str(root)], follow_links=False), delvecore.locations.cache_directory())


def test_the_whole_is_what_one_process_reads_and_parts_are_gone_then(root, tmp_path):
    whole = contents(delvecore.open(root))
    assert whole == contents(delvecore.open(root, cache=False))
    assert len(whole["results"]) == 12
    assert whole == contents(delvecore.open(root))
    assert all(store_of(root).load(name) is None for name in NAMES)


def test_parts_that_a_kill_left_are_used(root, monkeypatch):
    store = store_of(root)
    case_cache = CaseCache(store.base, reading.FORM)
    for name in NAMES:
        store.make(name, keep_cases=case_cache.keep)

    forbid_processes(monkeypatch)
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False))


def test_what_other_processes_cannot_make_is_read_here(root, nobody_helps):
    assert contents(delvecore.open(root)) == contents(delvecore.open(root, cache=False))


def test_one_dataset_is_read_alone_where_no_more_is_wanted(root, monkeypatch):
    everything = delvecore.open(root, cache=False)
    forbid_processes(monkeypatch)
    archive = delvecore.open(root, datasets=["second"])
    assert archive.state == everything.state
    assert archive.datasets["dataset"].to_pylist() == list(NAMES)
    for name in ("results", "losses", "costs", "codings"):
        rows = getattr(everything, name).to_pylist()
        assert getattr(archive, name).to_pylist() == [row for row in rows if row["dataset"] == "second"]
    assert store_of(root).load("second") is not None
    assert store_of(root).load("demo") is None


def test_all_is_read_where_a_dataset_that_is_wanted_is_none(root, nobody_helps):
    archive = delvecore.open(root, datasets=["demo", "nowhere"])
    assert set(archive.results["dataset"].to_pylist()) == set(NAMES)


ARRAY = "Title: a\nFactors:\n  which  1: one | 2: two\nMembers:\n  second/age/std 1\n  gone/age/std 2\n"


@pytest.mark.parametrize(
    "arguments", [["table", "/second/age"], ["array", "pair", "--loss", "S"]], ids=["table", "array"]
)
def test_commands_read_the_datasets_that_they_are_about_alone(
    arguments, root, monkeypatch, capsys, nobody_helps
):
    write_tree(root, {"data/pair/Array.spec": ARRAY})

    def told():
        assert delve.main(arguments) == 0
        return capsys.readouterr().out

    monkeypatch.setenv("DELVE_PATH", str(root))
    made, make = [], PartStore.make
    monkeypatch.setattr(
        PartStore, "make", lambda self, name, **how: (made.append(name), make(self, name, **how))
    )
    alone = told()
    assert made == ["second"]
    delvecore.open(root)
    assert told() == alone


def test_a_part_of_other_files_does_not_count(root):
    store = store_of(root)
    store.make("demo", keep_cases=lambda *_: None)
    assert store.load("demo") is not None
    next((root / "methods").glob("*/demo/*/*/loss.S.0")).write_text("1\n")
    assert store_of(root).load("demo") is None
