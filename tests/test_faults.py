"""Bad files in an otherwise good archive: the exact message, and the rest of the archive still works.

Each directory of tests/data/invalid holds, in `delve`, files that replace or join those of the small archive
of tests/archives.py, and in `messages` the problems that must be found, one per line, paths from the archive's
root, in any order. Where there is a file `command`, the problems are those that this command prints when it is
run in the directory of the method `one`.
"""

import os
import shlex
from importlib import import_module
from pathlib import Path

import pytest

import delvecore
from delvecore.cli import dcheck
from delvecore.cli.delve import main
from delvecore.encoding.codings import ALLOWED
from delvecore.errors import DelveError
from delvecore.losses.standard_losses import LOSSES
from tests.archives import small_archive, write_tree

pytestmark = pytest.mark.slow

INVALID = Path(__file__).parent / "data" / "invalid"
CORPUS = sorted(path.name for path in INVALID.iterdir() if not (path / "command").exists())
COMMANDS = sorted(path.name for path in INVALID.iterdir() if (path / "command").exists())


def overlay(root: Path, name: str) -> Path:
    source = INVALID / name / "delve"
    files = [path for path in source.rglob("*") if path.is_file()]
    return write_tree(root, {str(path.relative_to(source)): path.read_bytes() for path in files})


LISTS = {"{losses}": " ".join(LOSSES), "{codings of real}": ", ".join(ALLOWED["real"])}
"""What stands in messages for lists that grow with each loss and coding."""


def expected(name: str) -> list[str]:
    text = (INVALID / name / "messages").read_text()
    for sign, words in LISTS.items():
        text = text.replace(sign, words)
    return sorted(text.splitlines())


def messages(archive, root):
    messages = archive.problems["message"].to_pylist()
    return sorted(message.replace(f"{root}{os.sep}", "") for message in messages)


def test_the_corpus_of_invalid_files_is_there():
    assert len(CORPUS) >= 150
    assert len(COMMANDS) >= 40
    assert all(expected(name) for name in (*CORPUS, *COMMANDS))


@pytest.mark.parametrize("name", CORPUS)
def test_a_bad_file_is_named_and_the_rest_still_works(tmp_path, name):
    root = overlay(small_archive(tmp_path), name)
    archive = delvecore.open(root, cache=False)
    assert messages(archive, root) == expected(name)
    assert archive.datasets["dataset"].to_pylist().count("demo") == 1
    untouched = [row for row in archive.losses.to_pylist() if row["method"] == "two"]
    assert len(untouched) == 6
    assert archive.methods.num_rows == 2


@pytest.mark.parametrize(
    "name", [name for name in CORPUS if any(line.startswith("data/") for line in expected(name))]
)
def test_dcheck_prints_what_the_archive_finds_in_the_data(tmp_path, capsys, monkeypatch, name):
    root = overlay(small_archive(tmp_path), name)
    monkeypatch.setenv("DELVE_PATH", str(root))
    codes = [
        dcheck.main([f"/{path.name}"])
        for path in sorted((root / "data").iterdir())
        if has_specification(path)
    ]
    printed, errors = capsys.readouterr()
    assert (max(codes, default=0), errors) == (int(bool(printed)), "")
    printed_lines = printed.replace(f"{root}{os.sep}", "").splitlines()
    # An order that dgenorder is still to make is no fault of the specifications, which dcheck is about.
    elsewhere = (
        "expected a file Dataset.spec, found none; add it, or remove the directory",
        "found 'Random-order'; make it with dgenorder",
    )
    assert sorted(printed_lines) == [
        line for line in expected(name) if line.startswith("data/") and not line.endswith(elsewhere)
    ]


def has_specification(path: Path) -> bool:
    return any(path.glob("Dataset.spec*"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_stops_at_a_bad_file_with_its_line(tmp_path, capsys, monkeypatch, name):
    root = overlay(small_archive(tmp_path), name)
    monkeypatch.chdir(root / "methods/one")
    command, *arguments = shlex.split((INVALID / name / "command").read_text())
    assert import_module(f"delvecore.cli.{command}").main(arguments) == 1
    out, err = capsys.readouterr()
    assert sorted((out + err).replace(f"{root}{os.sep}", "").splitlines()) == expected(name)


@pytest.mark.parametrize("name", CORPUS[::60])  # it prints what an open archive says, whatever that is
def test_delve_check_prints_every_problem_and_fails(tmp_path, capsys, name):
    root = overlay(small_archive(tmp_path), name)
    assert main(["check", str(root)]) == 1
    printed = capsys.readouterr().out
    for line in expected(name):
        assert line in printed.replace(f"{root}{os.sep}", "")


def test_delve_check_of_a_good_archive_succeeds(tmp_path):
    assert main(["check", str(small_archive(tmp_path))]) == 0


def test_an_empty_delve_directory_is_an_empty_archive(tmp_path):
    (tmp_path / "delve-empty" / "data").mkdir(parents=True)
    (tmp_path / "delve-empty" / "methods").mkdir()
    archive = delvecore.open(tmp_path / "delve-empty")
    assert (archive.datasets.num_rows, archive.comparisons.num_rows, archive.problems.num_rows) == (0, 0, 0)


def test_a_missing_directory_is_refused_in_one_line(tmp_path, capsys):
    path = tmp_path / "delve-none"
    with pytest.raises(DelveError, match="expected a file or directory, found none; check the path"):
        delvecore.open(path)
    assert main(["check", str(path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_link_that_leads_to_itself_is_reported(tmp_path):
    root = small_archive(tmp_path)
    (root / "data" / "loop").symlink_to("loop")
    assert messages(delvecore.open(root), root) == [
        "data/loop: expected a file or directory, found too many levels of symbolic links; fix or remove it"
    ]


def test_a_link_to_a_directory_above_does_not_end_in_a_circle(tmp_path):
    root = small_archive(tmp_path)
    (root / "data" / "demo" / "up").symlink_to(root / "data")
    (root / "data" / "demo" / "Source" / "up").symlink_to(root / "data")
    archive = delvecore.open(root)
    assert archive.datasets["dataset"].to_pylist() == ["demo"]
    assert archive.losses.num_rows == 12


def test_a_link_that_leads_nowhere_is_reported(tmp_path):
    root = small_archive(tmp_path)
    (root / "methods/one/demo/age/std.8/loss.S.7").symlink_to("gone")
    assert messages(delvecore.open(root), root) == [
        "methods/one/demo/age/std.8/loss.S.7: expected a file or directory, found no such file or directory; "
        "fix or remove it"
    ]


def test_two_copies_of_a_file_are_reported_with_both_names_and_neither_counts(tmp_path):
    first = small_archive(tmp_path, "delve-a")
    second = write_tree(
        tmp_path / "delve-b", {"data/x": "", "methods/one/demo/age/std.8/loss.S.0": "1\n2\n3\n4\n"}
    )
    archive = delvecore.open([first, second])
    path = "methods/one/demo/age/std.8/loss.S.0"
    messages = archive.problems["message"].to_pylist()
    assert (
        f"{first}/{path}: expected one copy of the file, found another at {second}/{path}; remove one"
        in messages
    )
    kept = [row for row in archive.losses.to_pylist() if row["method"] == "one" and row["prototask"] == "age"]
    assert [row["instance"] for row in kept] == [1]


def test_a_directory_without_permission_is_reported(tmp_path, monkeypatch):
    root = small_archive(tmp_path)
    original = os.scandir

    def scandir(path):
        if str(path).endswith("methods/two"):
            raise PermissionError(13, "Permission denied", path)
        return original(path)

    monkeypatch.setattr(os, "scandir", scandir)
    archive = delvecore.open(root)
    expected = "methods/two: expected a readable directory, found permission denied; check its permissions"
    assert expected in messages(archive, root)
    assert set(archive.results["method"].to_pylist()) == {"one"}


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_reported(tmp_path):
    root = small_archive(tmp_path)
    (root / "data/demo/Dataset.data").chmod(0)
    listed = messages(delvecore.open(root), root)
    assert (
        "data/demo/Dataset.data: expected a readable file, found permission denied; check its permissions"
        in listed
    )


def test_infinite_log_losses_are_kept_and_their_mean_has_no_error(tmp_path):
    root = small_archive(tmp_path)
    write_tree(root, {f"methods/one/demo/age/std.8/loss.L.{n}": "1\n2\nInf\n4\n" for n in range(2)})
    archive = delvecore.open(root)
    assert archive.problems.num_rows == 0
    (row,) = [row for row in archive.results.to_pylist() if row["loss"] == "L"]
    assert (row["mean"], row["standard_error"]) == (float("inf"), None)


def test_a_name_that_leaves_the_archive_is_no_document(tmp_path):
    archive = delvecore.open(small_archive(tmp_path))
    with pytest.raises(DelveError, match="expected a document of the archive, found none"):
        archive.read_document("methods", "one", "../two/Summary")
