"""Appendix B: what is submitted is presented with the date, name and address of who contributed it."""

import pytest

from delvecore.cli import dcheck, dinfo, mcheck, minfo
from delvecore.errors import ParseError
from delvecore.readers.source_files import parse_contributors
from tests.archives import small_archive, write_tree

ADA = "Name: Ada Example\nAddress: ada@example.org\nDate: 2026-11-22\n"
SHOWN = "Ada Example (ada@example.org), 2026-11-22"


@pytest.fixture
def root(tmp_path, monkeypatch):
    files = {
        "data/demo/Source/Contributor": ADA,
        "methods/one/Source/Contributor": f"# Who?\n\n{ADA}Name: Bo\n",
    }
    tree = write_tree(small_archive(tmp_path), files)
    monkeypatch.setenv("DELVE_PATH", str(tree))
    monkeypatch.chdir(tmp_path)
    return tree


def test_each_contributor_has_a_name_an_address_and_a_date():
    told: list[ParseError] = []
    contributors = parse_contributors(f"{ADA}name: Bo\nDate: 22.11.\n", "Contributor", report=told.append)
    assert contributors == (SHOWN, "Bo, 22.11.")
    assert [(error.line, error.expected) for error in told] == [
        (4, "the contributor's address"),
        (5, "the date as year, month and day, such as 2026-11-22"),
    ]


@pytest.mark.parametrize("text", ["", "# nobody\n", "Address: somewhere\nDate: 2026-11-22\n"])
def test_a_contributor_without_a_name_is_none(text):
    told: list[ParseError] = []
    assert parse_contributors(text, "Contributor", report=told.append) == ()
    assert told[-1].found == "none"


def test_dinfo_and_minfo_show_the_contributors_of_what_has_them(root, run_command):
    assert SHOWN in run_command(dinfo.main, "-a", "/demo").out
    assert SHOWN not in run_command(dinfo.main, "/demo").out
    assert run_command(minfo.main, "-k", "contributors", "/one").out.split("\n")[1:3] == [
        f"\t{SHOWN}",
        "\tBo",
    ]
    assert "ontributor" not in run_command(minfo.main, "-a", "/two").out


def test_checks_tell_of_faulty_contributors_and_ask_for_absent_ones_when_told_to(root, run_command):
    assert run_command(dcheck.main, "/demo").out == run_command(dcheck.main, "-w", "/demo").out
    (root / "data/demo/Source/Contributor").unlink()
    assert "Contributor" not in run_command(dcheck.main, "/demo").out
    assert "expected a file Source/Contributor" in run_command(dcheck.main, "-w", "/demo").out
    assert "Contributor:6: expected the contributor's address" in run_command(mcheck.main, "-q", "/one").out
    assert "Contributor" not in run_command(mcheck.main, "-q", "/two").out
    assert "two: expected a file Source/Contributor" in run_command(mcheck.main, "-q", "-w", "/two").out
