import gzip
import os
import pty
import subprocess
import sys
from pathlib import Path

from delvecore.cli import dmore, mmore
from tests.archives import write_tree
from tests.cli.demo_archive import empty_archive

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
