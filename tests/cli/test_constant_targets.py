"""A target that is constant in the test sets: all commands read the same of it."""

import pytest

import delvecore
from delvecore.cli import mcheck, mgendata, mgendir, mloss, mstats
from delvecore.cli.delve import main as delve
from tests.archives import write_tree

TASK = "constant/both/std.4"
DATASET = """Title: One of two targets is constant where methods are tested
Origin: artificial
Usage: development
Order: uninformative
Attributes:
 1 X u (-Inf,Inf)
 2 Y u (-Inf,Inf)
 3 Z u (-Inf,Inf)
"""
PROTOTASK = """Cases: all
Origin: artificial
Order: retain
Inputs: 1
Targets: 2 3
Test-Set-Size: 8
Training-Set-Sizes: 4
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: 2
"""


@pytest.fixture
def root(tmp_path):
    # The first eight cases are tested on; Y is 1.5 in all of them.
    cases = [f"{case} {1.5 if case < 8 else case} {case * 7 % 11}" for case in range(16)]
    files = {
        "data/constant/Dataset.spec": DATASET,
        "data/constant/Dataset.data": "\n".join(cases) + "\n",
        "data/constant/both/Prototask.spec": PROTOTASK,
        "data/constant/both/std.prior": "1 NLMH real\n2 NLMH real\n3 NLMH real\n",
        "methods/one/Summary": "It guesses.\n",
        "methods/one/Source/one.txt": "It guesses one and a half for every target of every case.\n",
    }
    return write_tree(tmp_path / "delve-constant", files)


def test_what_mgendata_writes_is_right_for_all_commands(root, run_command):
    method = root / "methods/one"
    run_command(mgendir.main, "/constant", directory=method, path=root)
    task = method / TASK
    run_command(mgendata.main, "-q", directory=task)
    assert (task / "Test-set-stats").read_text().startswith("L undefined -2.")
    for number in range(2):
        (task / f"guess.{number}").write_text("1.5 1.5\n" * 4)
        (task / f"ptarg.{number}").write_text("0.5\n" * 4)
    run_command(mloss.main, "-q", "-l", "SL", directory=task)
    assert "undefined, computed" not in run_command(delve, "check", directory=root).out
    assert "Test-set-stats" not in run_command(mcheck.main, "/one", directory=root).out
    assert not [
        row for row in delvecore.open([str(root)]).problems.to_pylist() if "Test-set-stats" in row["message"]
    ]
    results = {row["loss"]: row for row in delvecore.open([str(root)]).results.to_pylist()}
    assert results["L"]["standardizer"] is None
    assert results["S"]["standardizer"] is not None
    shown = run_command(mstats.main, "-l", "L", f"/one/{TASK}", directory=root).out
    line = next(line for line in shown.splitlines() if "Estimated expected loss" in line)
    assert line.split()[-1] == "undefined"
