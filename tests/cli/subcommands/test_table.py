"""`delve table` on a small archive and on files of scores: rows, marks, notes, formats, provenance."""

import csv
import io
import os
import shutil
import subprocess

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import delvecore
from delvecore.cli import delve
from delvecore.cli.subcommands.table import FORMATS
from delvecore.render.grid import Cell, Column, Grid, Row
from delvecore.render.latex import latex_grid
from delvecore.report.paper.table import PAPER_FORMATS
from tests.archives import small_archive
from tests.dashboard.compare_archive import add_losses, drawn_losses
from tests.latex_document import latex_document

AGE = "/demo/age/std.4"
SCORES = "task,a,b\none,1,2\ntwo,1,3\nthree,2,1.25\nfour,1,\n"


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Three methods on /demo/age/std.4: near and far differ, close is as good as near."""
    root = small_archive(tmp_path)
    for place, name in enumerate(("near", "close", "far")):
        rows = drawn_losses(7, (4, 2), shift=[0.0, 0.01, 9.0][place])
        rows = [[value + 0.05 * ((i + place) % 3) for value in row] for i, row in enumerate(rows)]
        add_losses(root, name, AGE, "S", rows)
    monkeypatch.setenv("DELVE_PATH", str(root))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return root


@pytest.fixture
def scores(tmp_path, monkeypatch):
    (tmp_path / "scores.csv").write_text(SCORES)
    monkeypatch.chdir(tmp_path)
    return "scores.csv"


def table(run_command, *arguments):
    of_scores = any(argument.endswith(".csv") for argument in arguments)
    more = ["--lower-is-better"] if of_scores and "--higher-is-better" not in arguments else []
    return run_command(delve.main, "table", *arguments, *more).out


def cells(text):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def test_the_command_knows_the_formats_of_the_report():
    assert tuple(PAPER_FORMATS) == FORMATS


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_carries_its_provenance_and_bare_leaves_it_out(form, archive, run_command, tmp_path):
    content, bare = (
        written(run_command, tmp_path, AGE, "--loss", "S", "--format", form, *more)
        for more in ((), ("--bare",))
    )
    if form == "parquet":
        read = [pq.read_schema(io.BytesIO(one)).metadata[b"provenance"].decode() for one in (content, bare)]
    else:
        read = [" ".join(one.decode().split()) for one in (content, bare)]
    state = delvecore.open(archive).state[:16]
    for fact in (f"state {state}", "SHA-256", "level: 0.95", f"paths: {AGE}", delvecore.__version__):
        assert fact in read[0]
        assert fact not in read[1]


def written(run_command, folder, *arguments):
    path = folder / "written"
    assert run_command(delve.main, "table", *arguments, "--output", str(path)).code == 0
    return path.read_bytes()


def test_scores_have_ranks_and_the_missing_one_leaves_out_its_task(scores, run_command):
    cell_texts = cells(table(run_command, scores, "--format", "csv"))
    ranks = {row["method"]: float(row["value"]) for row in cell_texts if row["row_kind"] == "rank"}
    # Ranks of a: 1, 1, 2; of b: 2, 2, 1; task four has no b.
    assert ranks == pytest.approx({"a": 4 / 3, "b": 5 / 3})
    assert [row["standing"] for row in cell_texts if row["row"] == "three"] == ["not tested", "best"]
    text = " ".join(table(run_command, scores).split())
    assert "Average rank over 3 of 4 tasks" in text
    assert "1 task is left out: a method has no value." in text
    assert "by the largest statistic, not testable with 3 tasks (smallest adjusted p 0.25)" in text
    assert [row["standing"] for row in cell_texts if row["row_kind"] == "rank"] == ["best", "not tested"]


def test_levels_are_means_with_errors_added_within_a_dataset(archive, run_command):
    asked = ("/demo/age", "--loss", "S", "--methods", "one two", "--format", "csv")
    tasks = [row for row in cells(table(run_command, *asked)) if row["row_kind"] == "task"]
    levels = cells(table(run_command, *asked, "--by", "dataset"))
    mine = [row for row in tasks if row["method"] == "one" and row["value"]]
    (level,) = [row for row in levels if row["method"] == "one" and row["row_kind"] == "level"]
    assert float(level["value"]) == pytest.approx(sum(float(row["value"]) for row in mine) / len(mine))
    errors = sum(float(row["standard_error"]) for row in mine) / len(mine)
    assert float(level["standard_error"]) == pytest.approx(errors)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("/nowhere",), "/nowhere"),
        (("--loss", "S", "--methods", "nobody"), "nobody: expected a method"),
        (("--raw", "--by", "size"), "expected standardized losses"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(arguments, said, archive, run_command):
    outcome = run_command(delve.main, "table", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("delve table: ")
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("name", ["table", "rank", "array"])
def test_a_level_that_is_no_confidence_is_a_wrong_argument(name, capsys):
    with pytest.raises(SystemExit, match="2"):
        delve.main([name, "--level", "0.05"])
    assert (
        "--level: expected a level of confidence from 0.5 to below 1, found 0.05" in capsys.readouterr().err
    )


def latex_program(package: str) -> str:
    """Where pdflatex is; without it or the package the test is skipped, or fails where they must be there."""
    pdflatex, finder = shutil.which("pdflatex"), shutil.which("kpsewhich")
    outcome = pdflatex and finder and subprocess.run([finder, package], capture_output=True, check=False)
    if outcome and outcome.returncode == 0:
        return pdflatex
    missing = "pdflatex is not installed: `apt-get install texlive-latex-recommended texlive-science`"
    if os.environ.get("DELVE_REQUIRE_LATEX"):
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.mark.parametrize("form", ["latex", "latex-siunitx"])
def test_pdflatex_sets_the_table_within_its_line(form, archive, run_command, tmp_path):
    pdflatex = latex_program("siunitx.sty" if form == "latex-siunitx" else "booktabs.sty")
    asked = ("/demo", "--loss", "S", "--reference", "far", "--format", form)
    ways = ((), ("--methods-in", "rows"), ("--by", "size"))
    document = latex_document(*(table(run_command, *asked, *more) for more in ways)).replace(
        "landscape,margin=2cm", "textwidth=345pt"
    )
    if form == "latex-siunitx":
        document = document.replace("{booktabs,", "{booktabs,siunitx,", 1)
    (tmp_path / "table.tex").write_text(document)
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    assert "Overfull" not in run.stdout


def set_by_latex(text, directory):
    """What pdflatex says of tables in an `article`, whose pages are a bit higher."""
    (directory / "table.tex").write_text(
        "\\documentclass{article}\\usepackage[textwidth=345pt,textheight=220mm]{geometry}"
        f"\\usepackage{{booktabs,longtable}}\\begin{{document}}{text}\\end{{document}}"
    )
    command = [latex_program("longtable.sty"), "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    for _ in range(2):  # the second time longtable knows its columns
        run = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout[-2000:]
    return run.stdout


def test_five_methods_with_errors_on_eight_tasks_are_one_tabular_that_fits(run_command, tmp_path):
    lines = ["dataset,fold,m1,m2,m3,m4,m5"]
    lines += [
        f"{'first' if row < 4 else 'second'}-dataset-{row},{fold},"
        + ",".join(f"{0.4 + 0.013 * ((7 * row + 3 * k + 5 * fold) % 11):.4f}" for k in range(5))
        for row in range(8)
        for fold in range(10)
    ]
    (tmp_path / "error.csv").write_text("\n".join(lines) + "\n")
    text = table(run_command, str(tmp_path / "error.csv"), "--format", "latex", "--lower-is-better")
    assert text.count(r"\begin{tabular}") == 1
    assert text.count(r"\pm") >= 40
    assert "Overfull" not in set_by_latex(text, tmp_path)


def test_labels_stand_above_their_rows_where_the_table_is_too_wide_beside_them(archive, run_command):
    asked = ("/demo/age", "--loss", "S", "--format", "latex")
    assert r"demo/age & 4 &" in table(run_command, *asked, "--methods", "near far")
    wide = Grid(
        "Errors",
        tuple(Column(f"method-{k}", "r", kind="estimate") for k in range(5)),
        tuple(
            Row((Cell("0.1234", "0.0056"),) * 5, ("a-long-name/of-a-task", size)) for size in ("64", "128")
        ),
        stubs=("Task", "Cases"),
    )
    lines = latex_grid(wide).splitlines()
    above = lines.index(r"\multicolumn{11}{@{}l@{}}{a-long-name/of-a-task} \\")
    assert [line.split(" & ")[0] for line in lines[above + 1 : above + 3]] == ["64", "128"]
    assert any(line.startswith("Task, cases & ") for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize(("methods", "tasks", "more"), [(30, 60, ()), (78, 51, ("--methods-in", "rows"))])
def test_a_table_larger_than_a_page_is_set_in_parts_that_fit(methods, tasks, more, run_command, tmp_path):
    names = [f"method-{number}" for number in range(methods)]
    rows = [[f"t{task}", *(f"0.{100 + task * 7 + k}" for k in range(methods))] for task in range(tasks)]
    (tmp_path / "scores.csv").write_text("\n".join(map(",".join, [["task", *names], *rows])) + "\n")
    text = table(run_command, str(tmp_path / "scores.csv"), "--format", "latex", *more)
    parts = text.count(r"\begin{table}") + text.count(r"\begin{longtable}")
    assert parts == text.count(r"\end{table}") + text.count(r"\end{longtable}") > 0
    assert text.count(r"\label") == text.count(r"\begin{minipage}") == 1
    assert text.count("(Continued.)") == parts - 1
    for row in rows:
        assert all(text.count(value) for value in row[1:])
    said = set_by_latex(text, tmp_path)
    assert "Overfull" not in said
    assert "too large" not in said


def test_a_template_of_the_tasks_filled_in_joins_them(archive, capsys):
    assert delve.main(["table", "--template", "/demo/age", "--loss", "S"]) == 0
    text = capsys.readouterr().out
    assert text.splitlines()[:2] == ["dataset,method,loss,value", "/demo/age/std.4,mine,S,"]
    filled = text.replace("S,\n", "S,0.01\n")
    (archive.parent / "filled.csv").write_text(filled)
    both = delvecore.open([archive, archive.parent / "filled.csv"], cache=False)
    rows = both.results.filter((pc.field("loss") == "S") & (pc.field("task") == "std.4")).to_pylist()
    assert {row["method"] for row in rows} >= {"mine", "near", "close", "far"}
    (own,) = [row for row in rows if row["method"] == "mine"]
    assert own["mean"] == 0.01
    assert own["standardizer"] == rows[0]["standardizer"]


def test_a_unit_that_scores_do_not_have_is_refused_in_one_line(run_command, tmp_path):
    (tmp_path / "scores.csv").write_text("dataset,a,b\nd1,0.1,0.9\nd2,0.2,0.9\nd3,0.3,0.9\n")
    words = (str(tmp_path / "scores.csv"), "--lower-is-better", "--unit", "dataset")
    outcome = run_command(delve.main, "table", *words)
    assert outcome.code == 1
    (line,) = outcome.err.splitlines()
    assert "expected a column dataset, or names of tasks such as age/std.128" in line
