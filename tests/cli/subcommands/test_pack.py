"""`delve pack` and `delve install` as commands."""

import os

import pytest

from delvecore.cli.delve import main
from tests.packed import pack_members, sound_archive


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A sound archive, active; the working directory is an empty one beside it."""
    path = sound_archive(tmp_path)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("DELVE_PATH", str(path))
    return path


def test_pack_writes_the_archives_of_a_method_here(root, run_command):
    code, out, err = run_command(main, "pack", "/one", "-q")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "one-all.tar.gz",
        "one-Source.tar.gz",
        "one-demo.tar.gz",
    ]
    count = len([path for path in (root / "methods/one").rglob("*") if path.is_file()])
    assert lines[0].startswith(f"one-all.tar.gz: {count} files, ")
    assert sorted(os.listdir()) == sorted(line.partition(":")[0] for line in lines)


def test_pack_checks_first_and_packs_faults_only_when_told_to(root, run_command):
    bad = root / "methods/one/demo/sex/std.32/loss.Z.0.gz"
    bad.rename(bad.with_suffix(""))
    bad.with_suffix("").write_text("1\n0\nx\n")
    code, out, err = run_command(main, "pack", "one")
    assert code == 1
    assert f"{bad.with_suffix('')}:3: expected one loss, a finite number, found 'x'" in out
    assert "nothing was written; correct these faults, or pack with --anyway" in err
    assert os.listdir() == []
    code, out, _ = run_command(main, "pack", "one", "--anyway")
    assert code == 0
    assert "one-all.tar.gz: " in out


def test_what_is_packed_can_be_installed_elsewhere(root, run_command, tmp_path):
    run_command(main, "pack", "one", "-q")
    run_command(main, "pack", "--data", "demo", "-q")
    code, out, err = run_command(
        main, "install", "one-all.tar.gz", "demo.tar.gz", "--into", str(tmp_path / "delve-new"), path=""
    )
    assert code == 0
    count = len([path for path in (root / "methods/one").rglob("*") if path.is_file()])
    assert out.splitlines() == [
        f"one (method): {count} files added to {tmp_path}/delve-new/methods/one",
        f"demo (dataset): 16 files added to {tmp_path}/delve-new/data/demo",
    ]
    assert "demo.tar.gz  100%" in err
    assert run_command(main, "check", str(tmp_path / "delve-new")).code == 0


def test_install_leaves_no_new_directory_behind_when_it_fails(root, run_command, tmp_path):
    code, out, err = run_command(main, "install", "none.tar.gz", "--into", str(tmp_path / "delve-new"))
    assert (code, out) == (1, "")
    assert "none.tar.gz: expected a readable archive, found no such file or directory" in err
    assert not (tmp_path / "delve-new").exists()


def test_the_shipped_archive_is_installed_into_only_by_name(tmp_path, run_command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    archive = pack_members(tmp_path / "one.tar.gz", [("one/Summary", "x")])
    code, _, err = run_command(main, "install", str(archive))
    assert code == 1
    assert "expected a writable active delve directory, found none" in err
