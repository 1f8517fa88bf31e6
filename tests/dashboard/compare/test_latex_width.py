"""LaTeX tables of Compare fit a page of a plain article."""

import re
import shutil
import subprocess

import pytest

from dashboard.compare import data
from dashboard.ui.request import Request
from tests.dashboard.compare_archive import AGE, compared_archive, drawn_losses

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed"),
]
MOST = 5.0
"""Points that a box may be too wide."""


@pytest.mark.parametrize("what", ["estimates", "pairs"])
def test_tables_fit_a_plain_article(tmp_path, what):
    names = ("knn-cv-1", "lasso-cv-1", "mlp-ese-1", "a-rather-long-name-of-a-method")
    losses = {
        name: {AGE: drawn_losses(place, (2, 4), shift=0.001 * place)} for place, name in enumerate(names)
    }
    _, known = compared_archive(tmp_path, losses)
    request = Request(known, "S", tasks=(AGE,), methods=names, reference=names[0])
    table = data.table_latex(request, what)
    head = "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
    (tmp_path / "paper.tex").write_text(f"{head}{table}\n\\end{{document}}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace"
    )
    assert (tmp_path / "paper.pdf").exists(), done.stdout[-2000:]
    over = [float(one) for one in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
    assert max(over, default=0.0) <= MOST
