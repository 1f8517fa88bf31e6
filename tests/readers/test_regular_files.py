"""Only regular files of the delve directory are opened; what cannot be read costs itself, and is told."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import delvecore
from delvecore.cli import dcheck, dls, mcheck, minfo, mmore, mstats
from delvecore.cli.delve import main as delve
from delvecore.errors import DelveError, ParseError
from delvecore.readers import regular_files
from delvecore.readers.files import read_bytes, read_document, read_pieces
from delvecore.readers.regular_files import read_plain
from tests.archives import small_archive, write_tree
from tests.cli.subcommands.test_array import SPECIFICATION

SPECIAL = {"a pipe": os.mkfifo, "a socket": lambda path: socket.socket(socket.AF_UNIX).bind(path)}
READERS = (read_bytes, read_plain, read_document, lambda path: list(read_pieces(path)))
TASK = "methods/one/demo/age/std.8"


@pytest.fixture
def small(tmp_path) -> Iterator[Path]:
    here = os.getcwd()
    os.chdir(tmp_path)  # a socket's path must be short
    yield small_archive(tmp_path)
    os.chdir(here)


def problems_of(archive) -> dict[str, str]:
    return {os.path.basename(row["source"]): row["found"] for row in archive.problems.to_pylist()}


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("kind", SPECIAL)
def test_no_reader_opens_what_is_no_file(kind, read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("Notes", "Notes.gz"):
        SPECIAL[kind](name)
        with pytest.raises((ParseError, OSError)):
            read(name)


@pytest.mark.parametrize("read", READERS)
def test_devices_and_files_without_an_end_are_refused(read):
    for path, actual in (("/dev/zero", "a device"), ("/proc", "a directory")):
        with pytest.raises(ParseError, match=f"found .*{actual}"):
            read(path)


@pytest.mark.parametrize("read", READERS)
def test_a_file_that_gives_more_than_it_has_is_refused(read, tmp_path, monkeypatch):
    path = tmp_path / "Notes"
    path.write_bytes(b"x" * (1 << 22))
    monkeypatch.setattr(regular_files, "GROWTH", -(1 << 21))
    with pytest.raises(ParseError, match="more bytes than its stated size"):
        read(str(path))
    monkeypatch.setattr(regular_files, "MOST_BYTES", 1 << 20)
    with pytest.raises(ParseError, match="a file of at most 1,048,576 bytes"):
        read(str(path))


def test_special_files_in_an_archive_are_problems_and_nothing_hangs(small, run_command):
    for place in (
        f"{TASK}/loss.S.7",
        "methods/one/Source/Notes",
        "data/demo/Source/Pipe",
        "data/demo/age/odd.prior",
    ):
        os.mkfifo(small / place)
    os.mkfifo(small / "methods/two/Source")
    archive = delvecore.open(small, cache=False)
    assert archive.results.num_rows == 4
    named = {"loss.S.7", "Notes", "Pipe", "odd.prior", "Source"}
    assert {name for name, actual in problems_of(archive).items() if actual == "a pipe"} == named
    for command, words in (
        (dcheck, ["/demo"]),
        (mcheck, ["/one"]),
        (minfo, ["/one"]),
        (mstats, ["/one/demo/age/std.8"]),
    ):
        outcome = run_command(command.main, *words, path=small, directory=small)
        if command in (dcheck, mcheck):
            assert outcome.code == 1
            assert "expected a regular file, found a pipe" in outcome.out


def test_a_link_that_leads_out_is_not_followed_unless_asked_for(small, run_command, tmp_path):
    secret = tmp_path / "shadow"
    secret.write_text("root:secret\n")
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "Summary").write_text("secret\n")
    (small / "methods/one/Source/Notes").symlink_to(secret)
    (small / "methods/two/Summary").unlink()
    (small / "methods/two/Summary").symlink_to(secret)
    (small / "methods/three").symlink_to(outside)
    (small / "data/demo/Source/far").symlink_to(outside)
    (small / "data/demo/Source/near").symlink_to("Notes")
    (small / "data/demo/age/odd.prior").symlink_to(secret)
    archive = delvecore.open(small, cache=False)
    out = "a link that leads out of it"
    assert {name for name, actual in problems_of(archive).items() if actual == out} == {
        "Notes",
        "Summary",
        "three",
        "far",
        "odd.prior",
    }
    assert archive.methods["method"].to_pylist() == ["one", "two"]
    assert archive.read_document("data", "demo", "Source", "near") == "Made for tests.\n"
    for names in (("one", "Source", "Notes"), ("two", "Summary")):
        with pytest.raises(DelveError):
            archive.read_document("methods", *names)
        outcome = run_command(mmore.main, "/" + "/".join(names), path=small, directory=tmp_path)
        assert (outcome.code, "secret" in outcome.out) == (1, False)
        assert out in outcome.err
    assert run_command(mmore.main, "/three/Summary", path=small, directory=tmp_path).out == ""
    assert run_command(dcheck.main, "/demo", path=small, directory=tmp_path).code == 1
    assert "three" not in run_command(dls.main, "-l", "/one", path=small, directory=tmp_path).out
    followed = delvecore.open(small, cache=False, follow_links=True)
    assert followed.methods["method"].to_pylist() == ["one", "three", "two"]
    assert followed.read_document("methods", "one", "Source", "Notes") == "root:secret\n"
    assert followed.read_document("methods", "three", "Summary") == "secret\n"
    (small / "data/demo/age/odd.prior").unlink()
    assert run_command(delve, "check", str(small), directory=tmp_path).code == 1
    assert run_command(delve, "check", "--follow-links", str(small), directory=tmp_path).code == 0


@pytest.mark.parametrize("words", [["table", "/demo/age/std.8"], ["measures", "three"], ["array", "toy"]])
def test_commands_that_open_an_archive_follow_links_where_told_to(words, small, run_command, tmp_path):
    elsewhere = tmp_path / "three"
    (small / "methods/two").rename(elsewhere)
    (small / "methods/three").symlink_to(elsewhere)
    write_tree(small, {"data/toy/Array.spec": SPECIFICATION})
    write_tree(elsewhere, {f"demo/shade/std.4/guess.{n}": "pink\n" * 6 for n in range(4)})
    told = run_command(delve, words[0], "--follow-links", *words[1:], path=small, directory=tmp_path)
    assert (told.code, "three" in told.out) == (0, True)
    plain = run_command(delve, *words, path=small, directory=tmp_path)
    assert "three" not in plain.out
    assert ("--follow-links" in told.out) == (words[0] == "table")


def test_a_reader_given_a_path_checks_its_link_too(small, tmp_path):
    secret = tmp_path / "shadow"
    secret.write_text("1\n")
    loss = small / TASK / "loss.S.0"
    loss.unlink()
    loss.symlink_to(secret)
    for read in READERS:
        with pytest.raises(ParseError, match="a link that leads out of it"):
            read(str(loss))
    (tmp_path / "scores.csv").symlink_to(secret)
    assert read_bytes(str(tmp_path / "scores.csv")) == b"1\n"


def test_links_inside_and_directories_that_are_links_stay_fine(small, tmp_path):
    for part in ("data", "methods"):
        (tmp_path / "real").mkdir(exist_ok=True)
        (small / part).rename(tmp_path / "real" / part)
        (small / part).symlink_to(tmp_path / "real" / part)
    (tmp_path / "delve-link").symlink_to(small)
    (small / "methods/three").symlink_to("one")
    archive = delvecore.open(tmp_path / "delve-link", cache=False)
    assert archive.methods["method"].to_pylist() == ["one", "three", "two"]
    assert archive.problems.num_rows == 0


def test_an_error_of_the_disk_costs_that_file_alone(small, monkeypatch):
    real = os.read

    def failing(descriptor: int, size: int) -> bytes:
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("one/demo/age/std.8/loss.S.1"):
            raise OSError(5, "Input/output error")
        return real(descriptor, size)

    monkeypatch.setattr(os, "read", failing)
    archive = delvecore.open(small, cache=False)
    assert problems_of(archive)["loss.S.1"] == "input/output error"
    assert archive.results.num_rows == 4


@pytest.mark.parametrize("place", ["data", "data/demo", "data/demo/age", "data/demo/age/std.prior"])
def test_dcheck_never_ends_well_over_what_it_could_not_read(place, small, run_command, monkeypatch):
    forbidden = str(small / place)

    def guarded(call):
        def called(path, *rest, **more):
            if isinstance(path, str) and (path == forbidden or path.startswith(forbidden + "/")):
                raise PermissionError(13, "Permission denied", path)
            return call(path, *rest, **more)

        return called

    (small / "methods/one/notes").write_text("")
    for name in ("open", "listdir", "scandir"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))
    real = os.stat
    below = guarded(real)
    # A directory that may not be entered has a status, but nothing below it has.
    monkeypatch.setattr(
        os, "stat", lambda path, **more: real(path, **more) if path == forbidden else below(path, **more)
    )
    outcome = run_command(dcheck.main, "/demo", path=small)
    assert outcome.code == 1
    assert "permission denied" in (outcome.out + outcome.err)
