"""The made problem in PROBEN1's form is what its generator makes."""

from generators.proben1 import PROBLEM, pump_files


def test_the_files_of_the_made_problem_are_as_generated():
    assert {path.name: path.read_text() for path in PROBLEM.glob("*.dt")} == pump_files()
