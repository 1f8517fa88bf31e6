"""The problem in PROBEN1's form that comes with the project, imported, and what else tests of it need."""

from pathlib import Path

from delvecore.importers.proben1 import example_files, problem_of, write_problem
from delvecore.readers.hierarchy import Hierarchy

PUMP = Path(__file__).parents[2] / "data" / "proben1" / "pump"
HEADER = "bool_in=0\nreal_in=2\nbool_out=2\nreal_out=0\ntraining_examples=2\nvalidation_examples=1\ntest_examples=1\n"
ROWS = ("0.5 0.25 1 0", "0.1 -1 0 1", "1 1.05 0 1", "0 0 1 0")


def small_file(*rows, header=HEADER):
    return header + "".join(f"{row}\n" for row in rows or ROWS)


def written(parent, *paths):
    """Import files into a new delve directory; return its hierarchy."""
    root = parent / "delve-p"
    for part in ("data", "methods"):
        (root / part).mkdir(parents=True, exist_ok=True)
    for files in example_files(list(map(str, paths))).values():
        write_problem(problem_of(files), str(root))
    return Hierarchy([str(root)])


def text_files(parent, **texts):
    for stem, text in texts.items():
        (parent / f"{stem}.dt").write_text(text)
    return [parent / f"{stem}.dt" for stem in texts]
