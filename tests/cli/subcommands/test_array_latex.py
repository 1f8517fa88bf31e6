"""Tables of `delve array` in a plain `article`, as pdflatex sets them."""

import re
import subprocess

import pytest

from delvecore.answers.array_questions import ARRAY_QUESTIONS
from delvecore.answers.task_array import ArrayFacts, array_label
from delvecore.cli import delve
from delvecore.cli.subcommands.array import TABLES
from delvecore.render.answers import answer_text
from tests.cli.subcommands.test_table import latex_program
from tests.stats.arrays.test_estimates import COSTS
from tests.stats.made_arrays import array_of, results_of

ARTICLE = "\\documentclass{article}\\usepackage{booktabs,longtable}\\begin{document}\n%s\\end{document}"
MOST_POINTS = 5
METHODS = [f"a-method-with-name-{letter}" for letter in "abcdefghijkl"]
LOSSES = [
    (dataset, size, name, [[place + instance / 9 + case for case in range(3)] for instance in range(4)])
    for dataset in ("toy-8m", "toy-8h", "toy-32m", "toy-32h")
    for size in (64, 128)
    for place, name in enumerate(METHODS, start=1)
]
DATA = results_of(array_of(("8", "m"), ("8", "h"), ("32", "m"), ("32", "h")), *LOSSES)


def overfull(text, directory):
    """The points by which boxes of a table are too wide, with tables measured in a first run."""
    (directory / "table.tex").write_text(ARTICLE % text)
    command = [latex_program("longtable.sty"), "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    for _ in range(2):
        run = subprocess.run(command, cwd=directory, capture_output=True, text=True, errors="replace")
        assert run.returncode == 0, run.stdout[-2000:]
    return [float(points) for points in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt", run.stdout)]


@pytest.mark.slow
@pytest.mark.parametrize("question", ARRAY_QUESTIONS)
def test_tables_of_many_long_names_fit_a_plain_article(question, tmp_path):
    answer = ARRAY_QUESTIONS[question].answer(ArrayFacts(DATA, METHODS[0], costs=COSTS))
    text = answer_text(answer, "latex", label=array_label(DATA.array, question))
    assert max(overfull(text, tmp_path), default=0) <= MOST_POINTS


# Every table in the slow tier; the two of the most columns always.
@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=() if table in ("estimates", "definition") else pytest.mark.wide)
        for table in TABLES
    ],
)
def test_tables_of_a_shipped_array_fit_a_plain_article(table, whole_archive, run_command, tmp_path):
    asked = ("array", "kin", "--table", table, "--reference", "lin-1", "--format", "latex")
    text = run_command(delve.main, *asked).out
    assert max(overfull(text, tmp_path), default=0) <= MOST_POINTS
    if table not in ("effects", "total-costs", "definition"):
        assert "fairly linear" in text
