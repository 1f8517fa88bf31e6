"""What names and texts from elsewhere do to a terminal: nothing."""

import csv
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import product

import pytest

from delvecore.cli import delve, dinfo, dls, mls, mstats, mtable
from tests.archives import DATASET, small_archive, write_tree
from tests.hostile_archive import ARRAY, DATASET_NAME, DIRECTORY_NAMES, hostile_archive
from tests.hostile_names import UNPRINTED_NAMES
from tests.latex_document import latex_document
from tests.report.test_hostile_names import FORMULA, TAGS

ON_DISK = [name for name in UNPRINTED_NAMES if name and not {"\0", "/"} & set(name) and len(name) < 256]


def test_commands_warn_of_such_names_and_print_none_of_them(tmp_path, run_command):
    root = small_archive(tmp_path)
    for part in ("data", "methods"):
        for name in ON_DISK:
            os.makedirs(root / part / name)
    for command, known in ((dls, "demo\n"), (mls, "one")):
        outcome = run_command(command.main, "/", path=root)
        assert (outcome.code, outcome.out[: len(known)]) == (0, known)
        assert outcome.err.count("printable characters") == len(ON_DISK)
        assert (outcome.out + outcome.err).replace("\n", "").isprintable()


def test_texts_of_files_do_nothing_to_a_terminal(tmp_path, run_command):
    root = small_archive(tmp_path)
    evil = "\x1b]0;owned\x07\x9b2J\u202eabc"
    write_tree(
        root, {"data/demo/Dataset.spec": DATASET.replace("A small example", evil).replace("Sex of", evil)}
    )
    for arguments in (["/demo"], ["-t", "/demo"], ["/demo/age"]):
        outcome = run_command(dinfo.main, *arguments, path=root)
        assert (outcome.out + outcome.err).replace("\n", "").replace("\t", "").isprintable()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Everything with hostile names; some methods only, for each is compared with every other."""
    return hostile_archive(tmp_path_factory.mktemp("hostile"), DIRECTORY_NAMES[::6])


CALLS = (
    *(
        (delve.main, ["table", "--format", form])
        for form in ("text", "csv", "latex", "latex-siunitx", "html", "markdown", "typst")
    ),
    *((delve.main, ["rank", "--format", form]) for form in ("text", "csv", "latex", "json")),
    *((delve.main, ["array", ARRAY, "--format", form]) for form in ("text", "csv", "latex", "json")),
    *(
        (delve.main, ["array", ARRAY, "--table", "winners", "--format", form])
        for form in ("text", "csv", "latex", "json")
    ),
    *((delve.main, ["measures", DIRECTORY_NAMES[0], "--format", form]) for form in ("text", "csv", "json")),
    *(
        (mtable.main, ["-f", form, f"/{DATASET_NAME}/age"])
        for form in ("text", "csv", "latex", "html", "markdown")
    ),
    (mls.main, ["/"]),
    (dinfo.main, [f"/{DATASET_NAME}"]),
    (dinfo.main, [f"/{DATASET_NAME}/shade"]),
    (dinfo.main, ["-t", f"/{DATASET_NAME}"]),
    (mstats.main, ["-l", "S", f"/{DIRECTORY_NAMES[0]}/{DATASET_NAME}/age/std.8"]),
    (delve.main, ["check"]),
)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)


@pytest.mark.slow
def test_no_command_gives_a_name_power_in_any_format(hostile, run_command, tmp_path):
    tables = []
    for main, words in CALLS:
        outcome = run_command(main, *words, path=hostile, directory=tmp_path)
        text, form = outcome.out, next((w for w in words if w in delve_formats()), "text")
        assert (outcome.code, outcome.err) == (0, ""), (words, outcome.err)
        assert (text + outcome.err).replace("\n", "").replace("\t", "").isprintable(), words
        if form == "csv":
            for line, mark in product(text.split("\n"), ",;\t"):
                cells = next(csv.reader([line], delimiter=mark), [])
                assert [cell for cell in cells if FORMULA.match(cell)] == [], words
        if form == "json":
            json.loads(text)
        if form in ("html", "markdown"):
            reader = Tags()
            reader.feed(text if form == "html" else re.sub(r"\\.", "", text))
            assert reader.found <= (TAGS if form == "html" else set()), words
        if form == "latex":
            assert [line for line in text.split("\n") if re.match(r"\s*[\[*]", line)] == [], words
            tables.append(text)
    _compile(tables, tmp_path)


def delve_formats():
    return {"csv", "json", "html", "markdown", "latex", "latex-siunitx", "typst"}


def _compile(tables, folder):
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        pytest.skip("pdflatex is not installed: `apt-get install texlive-latex-recommended`")
    whole = latex_document(r"\extrafloats{500}", *(f"{one}\\clearpage" for one in tables))
    (folder / "table.tex").write_text(whole)
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-recorder", "table.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
    assert "passwd" not in (folder / "table.fls").read_text()
