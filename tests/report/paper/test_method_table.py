"""Tables of methods x tasks: who is lowest, who is not significantly worse, and how it is written."""

import csv
import io
import shutil
import subprocess

import pyarrow as pa
import pytest

from delvecore.report.paper.method_table import Cell, MethodTable, method_table
from delvecore.report.paper.method_table_formats import FORMATS, method_table_text
from delvecore.report.writers.latex import latex_document
from delvecore.statistics import notes
from delvecore.statistics.notes import words_of

TASK = ("demo", "age", "std.32")
OTHER = ("demo", "sex", "std.8")
HOSTILE = 'a|b_<i> & 5% \\ *x* "q"'


def results(*rows):
    """Rows of (method, task, standardized mean, standardized error) under squared error."""
    names = ("dataset", "prototask", "task")
    return pa.table(
        {
            "method": [row[0] for row in rows],
            **{name: [row[1][i] for row in rows] for i, name in enumerate(names)},
            "loss": ["S"] * len(rows),
            "mean": pa.array([row[2] for row in rows], pa.float64()),
            "standardized_mean": pa.array([row[2] for row in rows], pa.float64()),
            "standardized_error": pa.array([row[3] for row in rows], pa.float64()),
        }
    )


def comparisons(*rows):
    """Rows of (method a, method b, task, difference, p[, note])."""
    names = ("dataset", "prototask", "task")
    return pa.table(
        {
            "method_a": pa.array([row[0] for row in rows], pa.string()),
            "method_b": pa.array([row[1] for row in rows], pa.string()),
            **{name: pa.array([row[2][i] for row in rows], pa.string()) for i, name in enumerate(names)},
            "loss": pa.array(["S"] * len(rows), pa.string()),
            "difference": pa.array([row[3] for row in rows], pa.float64()),
            "p": pa.array([row[4] for row in rows], pa.float64()),
            "test": pa.array([None if row[4] is None else "t" for row in rows], pa.string()),
            "instances": pa.array([8] * len(rows), pa.int64()),
            "note": pa.array([words_of(row[5:]) for row in rows], pa.string()),
            "notes": pa.array([list(map(str, row[5:])) for row in rows], pa.list_(pa.string())),
        }
    )


def example(**options):
    """`b` is lowest on the first task; `a` is not settled against it, `c` is worse; `a` alone on the second."""
    found = results(
        ("a", TASK, 0.5, 0.04), ("b", TASK, 0.4, 0.031), ("c", TASK, 0.9, 0.2), ("a", OTHER, 1.25, None)
    )
    pairs = comparisons(
        ("a", "b", TASK, 0.1, 0.05), ("b", "c", TASK, -0.5, 0.049), ("a", "c", TASK, -0.4, 0.01)
    )
    settings = {"loss": "S", "tasks": [TASK, OTHER], "methods": ["a", "b", "c"], **options}
    return method_table(found, pairs, **settings)


def test_the_lowest_and_those_not_significantly_worse_are_told_apart_by_p():
    # p >= level is not significant: 0.05 is not, 0.049 is.
    standings = [cell.standing for cell in example().cells[0]]
    assert standings == ["not significantly higher", "lowest", "significantly higher"]
    assert [cell.p for cell in example().cells[0]] == [0.05, None, 0.049]


def test_the_level_decides_what_is_significant():
    assert [cell.standing for cell in example(level=0.99).cells[0]][2] == "not significantly higher"


def test_the_only_result_of_a_row_is_not_called_lowest_and_missing_cells_say_why():
    alone, *missing = example().cells[1]
    assert (alone.standing, alone.value) == ("only result", 1.25)
    assert [cell.missing for cell in missing] == ["no results", "no results"]


def test_equal_losses_are_both_lowest():
    found = results(("a", TASK, 0.5, 0.1), ("b", TASK, 0.5, 0.1))
    pairs = comparisons(("a", "b", TASK, 0.0, None, notes.IDENTICAL))
    table = method_table(found, pairs, loss="S", tasks=[TASK], methods=["a", "b"])
    assert [cell.standing for cell in table.cells[0]] == ["lowest", "lowest"]


def test_what_cannot_be_tested_says_so_and_why():
    found = results(("a", TASK, 0.5, None), ("b", TASK, 0.4, None))
    pairs = comparisons(("a", "b", TASK, 0.1, None, notes.ONE_TRAINING_SET))
    table = method_table(found, pairs, loss="S", tasks=[TASK], methods=["a", "b"])
    assert table.cells[0][0].standing == "not tested"
    text = method_table_text(table, "text")
    assert "0.500 ?" in text
    assert "not tested against the lowest of its row: one training set: a variance" in " ".join(text.split())


def test_a_reference_marks_significant_differences_in_both_directions():
    table = example(reference="a")
    marks = [cell.to_reference for cell in table.cells[0]]
    assert marks == [None, None, "higher than the reference"]
    lower = example(reference="c").cells[0]
    assert [cell.to_reference for cell in lower[:2]] == ["lower than the reference"] * 2


def test_a_loss_without_a_baseline_is_not_standardized_and_says_so():
    found = results(("a", TASK, 0.5, 0.1))
    position = found.column_names.index("standardized_mean")
    found = found.set_column(position, "standardized_mean", pa.array([None], pa.float64()))
    table = method_table(found, comparisons(), loss="S", tasks=[TASK], methods=["a"])
    assert table.cells[0][0].missing == "not standardized"
    assert "Not standardized: what standardizes the loss of the task is not known." in " ".join(
        method_table_text(table, "text").split()
    )


def test_values_have_two_significant_digits_of_their_error():
    assert method_table_text(example(), "text").splitlines()[3:6] == [
        "Task              a                b                c",
        "/demo/age/std.32  0.500 ± 0.040 ~  0.400 ± 0.031 *  0.90 ± 0.20",
        "/demo/sex/std.8   1.250            no results       no results",
    ]


def test_footnotes_say_what_each_mark_means_and_how_p_was_computed():
    text = " ".join(method_table_text(example(reference="c"), "text").split())
    assert "* the lowest of its row." in text
    assert "~ not significantly higher than the lowest of its row: p is at least 0.05." in text
    assert "< significantly lower than c: p is below 0.05." in text
    assert "Any other: significantly higher than the lowest of its row: p is below 0.05." in text
    assert "by a paired t-test over the training sets (hierarchical test sets); not adjusted" in text
    assert "No results: there are no loss files for the method on the task." in text


def test_marks_that_do_not_occur_have_no_footnote():
    alone = method_table(results(("a", TASK, 0.5, 0.1)), comparisons(), loss="S", tasks=[TASK], methods=["a"])
    lines = method_table_text(alone, "text").splitlines()
    assert lines[-1] == ""
    assert len(lines) == 6


def test_a_quasi_f_test_that_rejects_by_itself_is_named():
    cell = Cell(0.5, 0.1, "significantly higher", p=0.01, test="F", notes=(notes.DOMINATED,))
    table = MethodTable("S", 0.05, None, ("a", "b"), ("/x",), ((cell, Cell(0.4, 0.1, "lowest")),))
    text = " ".join(method_table_text(table, "text").split())
    assert f"Beware: {words_of([notes.DOMINATED])}: a on /x." in text
    assert "by a quasi-F test over training sets and test cases (a common test set)" in text


def test_csv_has_full_precision_and_words_instead_of_marks():
    rows = list(csv.DictReader(io.StringIO(method_table_text(example(reference="c"), "csv"))))
    assert len(rows) == 6
    first, second, third = rows[:3]
    assert (first["task"], first["method"]) == ("/demo/age/std.32", "a")
    assert (float(second["standardized_loss"]), float(second["standard_error"])) == (0.4, 0.031)
    assert [row["standing"] for row in rows[:3]] == [
        "not significantly higher",
        "lowest",
        "significantly higher",
    ]
    assert (first["p_to_lowest"], first["test"]) == ("0.05", "t")
    assert (second["to_reference"], third["to_reference"]) == ("significantly lower", "")
    assert rows[4]["standing"] == "no results"


def test_latex_sets_estimates_in_mathematics_the_lowest_bold_and_marks_beside_the_column():
    text = method_table_text(example(), "latex")
    assert (
        r"$0.500 \pm 0.040$\rlap{\,\textasciitilde{}} & $\mathbf{0.400 \pm 0.031}$ & $0.90 \pm 0.20$" in text
    )
    assert text.isascii()
    assert "Bold: the lowest of its row." in text


def test_markdown_and_html_show_the_lowest_bold_and_the_notes():
    text = method_table_text(example(), "markdown")
    assert r"| /demo/age/std.32 | 0.500 ± 0.040 \~ | **0.400 ± 0.031** | 0.90 ± 0.20 |" in text
    assert "- Bold: the lowest of its row." in text
    page = method_table_text(example(), "html")
    assert "<strong>0.400 &#177; 0.031</strong>" in page
    assert '<th scope="row"' in page
    assert "Bold: the lowest of its row." in page


@pytest.mark.parametrize(
    ("loss", "caption"),
    [
        ("Z0.2N", "Zero-one, no guess 0.2 (Z0.2N), standardized: 1 is the best constant guess, or none."),
        ("Mcosts", "Loss matrix costs (Mcosts), standardized: 1 is the best constant guess."),
        ("L", "Negative Log probability (L), standardized: 0 is ignoring the inputs."),
    ],
)
def test_the_caption_says_what_standardizes_the_loss(loss, caption):
    table = MethodTable(loss, 0.05, None, ("a",), ("/x",), ((Cell(0.5, 0.1, "only result"),),))
    assert " ".join(method_table_text(table, "text").split()).startswith(caption)


def hostile_table():
    found = results((HOSTILE, TASK, 0.5, 0.04), ("b", TASK, 0.4, 1e-7))
    pairs = comparisons((HOSTILE, "b", TASK, 0.1, 0.2))
    return method_table(found, pairs, loss="S", tasks=[TASK], methods=[HOSTILE, "b"], reference="b")


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_takes_any_name(form):
    text = method_table_text(hostile_table(), form)
    assert text.endswith("\n")
    assert "<i>" not in text or form in ("text", "csv")


def test_pdflatex_sets_the_table(tmp_path):
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        pytest.skip("pdflatex is not installed: `apt-get install texlive-latex-recommended`")
    tables = [method_table_text(table, "latex") for table in (example(reference="a"), hostile_table())]
    (tmp_path / "table.tex").write_text(latex_document(*tables))
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
