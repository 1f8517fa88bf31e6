import gzip
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from delvecore.cli import dls, dmore, mls, mmore
from tests.archives import write_tree
from tests.cli.demo_archive import empty_archive
from tests.cli.running import Runner


def test_directories_are_listed_in_columns(small: Path, run_command: Runner) -> None:
    # Manual, section 1.3: `dls /demo` reads downwards.
    blanks = " " * 52
    expected = f"Dataset.data Source       age          {blanks[:39]}\nDataset.spec Summary      sex\n"
    assert run_command(dls.main, "/demo").out == expected
    assert run_command(dls.main, "/line/demo").out == expected
    assert run_command(mls.main, "/line/demo").out == "age sex\n"
    assert run_command(mls.main, directory=small / "methods").out == "base line\n"
    assert run_command(dls.main, directory=small / "methods/line").out == "demo\n"


def test_a_files_name_is_repeated(small, run_command):
    assert run_command(dls.main, "/demo/Summary").out == "/demo/Summary\n"
    assert run_command(dls.main, "./Summary", directory=small / "data/demo").out == "./Summary\n"
    assert run_command(mls.main, "-l", "/line/Summary").out == f"{small}/methods/line/:\nSummary\n"


def test_l_groups_by_true_directory(small, tmp_path, run_command):
    own = write_tree(empty_archive(tmp_path / "delve-own"), {"methods/line/x": "", "methods/.hidden": ""})
    out = run_command(mls.main, "-l", "/", path=f"{own}:{small}").out
    assert out == f"{own}/methods/:\nline\n\n{small}/methods/:\nbase line\n"
    assert run_command(mls.main, "/").out == "base line\n"
    assert run_command(mls.main, "/line").out == "Summary demo    x\n"


def test_an_empty_directory_prints_nothing(small, run_command):
    (small / "methods/empty").mkdir()
    assert run_command(mls.main, "/empty") == (0, "", "")
    assert run_command(mls.main, "-l", "/empty") == (0, f"{small}/methods/empty/:\n", "")


@pytest.mark.parametrize("command", [dls, mls])
def test_nothing_there_is_an_error(command, small, run_command):
    name = command.__name__.rpartition(".")[2]
    expected = f"{name}: /x: expected a file or directory of the hierarchy, found nothing\n"
    assert run_command(command.main, "/x") == (1, "", expected)


ROOT = Path(__file__).resolve().parents[3]


def test_files_are_copied_one_behind_the_other(small, run_command):
    outcome = run_command(dmore.main, "/demo/Summary", "/line/demo/Source/Notes")
    assert outcome == (0, "People who were never born.\nMade up.\n", "")
    assert run_command(mmore.main, "Summary", directory=small / "methods/base").out == "The method base.\n"


def test_compressed_files_are_shown_decompressed(small, run_command):
    write_tree(small, {"methods/line/Notes.gz": gzip.compress("Grüße\n".encode())})
    assert run_command(mmore.main, "/line/Notes").out == "Grüße\n"
    assert run_command(mmore.main, "/line/Notes.gz").out == "Grüße\n"


def test_directories_and_missing_files_are_errors_before_anything_is_shown(small, run_command):
    outcome = run_command(dmore.main, "/demo/Summary", "/demo")
    assert outcome == (1, "", "dmore: /demo: expected a file, found a directory; dls lists it\n")
    outcome = run_command(mmore.main, "/line/x")
    assert outcome == (1, "", "mmore: /line/x: expected a file of the hierarchy, found nothing\n")
    assert (
        run_command(dmore.main).err
        == "dmore: expected a path; usage: dmore [--follow-links] DPATH | MPATH ...\n"
    )


def test_a_file_in_two_places_is_an_error_that_names_both(small, tmp_path, run_command):
    own = write_tree(empty_archive(tmp_path / "delve-own"), {"data/demo/Summary.gz": b""})
    outcome = run_command(dmore.main, "/demo/Summary", path=f"{own}:{small}")
    both = f"{own}/data/demo/Summary.gz: expected one copy of the file, found another at {small}/data/demo/Summary"
    assert outcome == (1, "", f"dmore: {both}; remove one\n")


def test_a_terminal_gets_the_pager(small):
    leader, follower = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PAGER": "tr a-z A-Z"}
    arguments = [sys.executable, "-m", "delvecore.cli.dmore", "/demo/Summary"]
    result = subprocess.run(arguments, stdout=follower, env=environment, check=False)
    os.close(follower)
    shown = os.read(leader, 1000)
    os.close(leader)
    assert shown == b"PEOPLE WHO WERE NEVER BORN.\r\n"
    assert result.returncode == 0
