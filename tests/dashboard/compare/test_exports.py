"""What can be taken away from Compare: commands, which run as they stand whatever methods are called, files, and all
for a paper in one."""

import hashlib
import subprocess

import pytest

from dashboard.compare import data as compare_data
from dashboard.compare.classes import measures_command
from dashboard.compare.data import mstats_command
from dashboard.ui.request import Request
from delvecore.answers.compare_methods import ESTIMATE_COLUMNS
from delvecore.cli.mstats import main as mstats
from delvecore.plots import pictures
from delvecore.stats.choose import Setting
from tests.archives import small_archive
from tests.dashboard.compare_archive import AGE, SHADE, add_losses, compared_archive, drawn_losses

NAMES = ("Random Forest", 'l\'x "y"', "größe 中", "$(touch here)", "plain", "--x;y")


def words_of(command: str) -> list[list[str]]:
    """The words of each command of a line, as a shell hands them over."""
    script = f'show() {{ printf "%s\\0" "$@"; echo; }}\n{command.replace("mstats ", "show mstats ")}'
    script = script.replace("delve measures", "show delve measures")
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    return [line.split("\0")[:-1] for line in done.stdout.splitlines()]


@pytest.fixture
def archive(tmp_path, monkeypatch):
    root = small_archive(tmp_path)
    for number, name in enumerate(NAMES):
        add_losses(root, name, AGE, "S", drawn_losses(number, (2, 4), shift=number))
    monkeypatch.setenv("DELVE_PATH", str(root))
    return root


def test_the_commands_of_a_comparison_compare_the_reference_with_each_other_method(archive, capsys):
    for reference in NAMES[:5]:
        command = mstats_command(Request("state", "S", tasks=(AGE,), methods=NAMES[:5], reference=reference))
        for program, *words in words_of(command):
            assert (program, mstats(words)) == ("mstats", 0)
        printed = capsys.readouterr().out
        assert [name for name in NAMES[:5] if name != reference and name not in printed] == []


def test_the_command_of_the_measures_names_the_method_and_the_task():
    for method in NAMES:
        request = Request("state", "Z", Setting(0.9), tasks=(SHADE,), methods=(method,), reference=method)
        expected = ["delve", "measures", method, SHADE, "--level", "0.9"]
        assert words_of(measures_command(request, method)) == [expected]


@pytest.fixture(scope="module")
def request_of_shade(tmp_path_factory):
    _, known = compared_archive(tmp_path_factory.mktemp("compared"))
    return Request(
        known,
        "Z",
        tasks=(SHADE,),
        methods=tuple(compare_data.ranked(known, SHADE, "Z")),
        reference="one",
    )


def test_the_files_hold_all_rows_with_full_precision(request_of_shade):
    estimates = compare_data.comparison_of(request_of_shade).estimates
    lines = compare_data.table_csv(request_of_shade, "estimates").splitlines()
    assert lines[0].split(",") == list(ESTIMATE_COLUMNS)
    assert [float(line.split(",")[7]) for line in lines[1:]] == [row["mean"] for row in estimates]
    pairs = compare_data.comparison_of(request_of_shade).ordered_pairs
    lines = compare_data.table_csv(request_of_shade, "pairs").splitlines()
    assert [float(line.split(",")[10]) for line in lines[1:]] == [row["difference"] for row in pairs]
    assert len(pairs) == 6


def test_the_latex_tables_are_rounded_by_their_errors(request_of_shade):
    text = compare_data.table_latex(request_of_shade, "estimates")
    assert text.count(r"\mathbf{") == 2
    assert r"\caption{0-1 loss (Z) on /demo/shade/std.4.}" in text
    pairs = compare_data.table_latex(request_of_shade, "pairs")
    assert pairs.count(r" \\") == 2 + 6
    assert "Based on 4 training sets, 6 test cases each." in pairs


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    names = ("a_1", "b", "c")
    losses = {name: {AGE: drawn_losses(place, (2, 4))} for place, name in enumerate(names)}
    _, known = compared_archive(tmp_path_factory.mktemp("bundle"), losses)
    request = Request(known, "S", tasks=(AGE,), methods=names, reference="a_1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "can_draw", lambda: False)
        return compare_data.bundle_of(request, "mstats -l S", ["Archive: small"], [])


def test_a_bundle_has_paragraphs_caption_tables_values_command_and_references(files):
    assert set(files) == {
        *("README.txt", "methods.txt", "caption.txt", "table.tex", "pairs.tex", "losses.csv", "pairs.csv"),
        *("command.txt", "references.bib"),
    }
    assert b"PDF and PNG need Chromium or Chrome, which was not available." in files["README.txt"]
    assert files["command.txt"] == b"mstats -l S\n"
    assert b"@article{holm1979," in files["references.bib"]
    assert b"nadeau2003" not in files["references.bib"]  # whose correction no overlapping sets need
    for name in ("losses.csv", "pairs.csv"):
        assert f"SHA-256 of {name}: {hashlib.sha256(files[name]).hexdigest()}" in files["README.txt"].decode()


def test_the_words_say_what_was_compared_by_which_test_and_what_was_found(files):
    told = files["methods.txt"].decode()
    assert told.startswith(
        "We compared 3 methods (a_1, b and c) on the task /demo/age/std.8 by squared error (S)."
    )
    assert "The comparison rests on 2 training sets of 8 cases" in told
    assert "p is adjusted by Holm's procedure over all 3 tested pairs." in told
    assert "\n\na_1 has the lowest standardized loss, " in told
    assert "of 3 pairs of methods differ" in told
    assert "differences from a_1 with 95 % intervals" in files["caption.txt"].decode()
