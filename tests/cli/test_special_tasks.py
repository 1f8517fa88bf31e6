"""From data to statistics: transformed targets, stratified test sets with weights, listed instances."""

import math

import numpy as np
import pytest

import delvecore
from delvecore.cli import mcheck, mgendata, mgendir, mloss, mstats
from delvecore.cli.delve import main as delve
from delvecore.stats.losses.mstats import estimate_loss
from tests.archives import write_tree

SPECIFICATION = (
    "Origin: natural\nUsage: assessment\nOrder: uninformative\nAttributes:\n1 RAIN u "
    "[0,Inf)\n2 FLOW u (0,Inf)\n3 KIND u a b\n"
)
FLOWS = [8.0, 1.0, 32.0, 4.0, 1.0, 2.0, 4.0, 16.0, 64.0, 2.0]
KINDS = "aaaaaaabbb"
FLOW = """Origin: natural
Cases: all
Order: retain
Transformations: FLOW log
Inputs: 1
Targets: 2
Test-Set-Size: 4
Training-Set-Sizes: 5
Test-Set-Selection: hierarchical
Maximum-Number-Of-Instances: 4
"""
KIND = """Origin: natural
Cases: all
Order: retain
Stratified: yes
Inputs: 1
Targets: KIND
Test-Set-Size: 10
Training-Set-Sizes: 2
Test-Set-Selection: common
Maximum-Number-Of-Instances: 4
"""
LISTED = """Instance: 0
Training: 3-10
Test: 1-2
Instance: 1
Training: 1-2 6-10
Test: 3-5
Instance: 2
Training: 1-5 9-10
Test: 6-8
"""


@pytest.fixture
def root(tmp_path):
    lines = (f"{n}.5 {flow:g} {kind}\n" for n, (flow, kind) in enumerate(zip(FLOWS, KINDS, strict=True)))
    files = {
        "Dataset.spec": SPECIFICATION,
        "Dataset.data": "".join(lines),
        "flow/Prototask.spec": FLOW,
        "flow/std.prior": "1 N real\n2 N real\n",
        "kind/Prototask.spec": KIND,
        "kind/std.prior": "1 N real\n3 N binary\n",
        "flow/std.7.instances": LISTED,
    }
    write_tree(tmp_path / "delve-x", {f"data/river/{name}": text for name, text in files.items()})
    (tmp_path / "delve-x/methods").mkdir()
    return tmp_path / "delve-x"


def task(root, path):
    directory = root / "methods/new/river" / path
    directory.mkdir(parents=True)
    return directory


def numbers(directory, name):
    return np.loadtxt(directory / name, ndmin=1)


@pytest.mark.parametrize("kept", [True, False], ids=["with data files", "without"])
def test_densities_of_transformed_targets_get_the_derivative(root, run_command, kept):
    # log density of x = log density of its code - log scale - log x, for the derivative of log x is 1/x.
    directory = task(root, "flow/std.5")
    run_command(mgendata.main, "-q", directory=directory)
    write_tree(directory, {"clptarg.0": "-1\n-1\n-1\n-1\n"})
    if not kept:
        (directory / "targets.0").unlink()
        (directory / "normalize.0").unlink()
    assert run_command(mloss.main, "-q", "-l", "L", directory=directory).code == 0
    scale = 9 * math.log(2) / 4
    expected = [1 + math.log(scale) + math.log(flow) for flow in FLOWS[:4]]
    assert numbers(directory, "loss.L.0") == pytest.approx(expected, abs=1e-7)
    (directory / "clptarg.0").unlink()
    (directory / "lptarg.0").unlink()
    write_tree(directory, {"cptarg.0": f"{math.exp(-1)}\n" * 4})
    assert run_command(mloss.main, "-q", "-l", "L", directory=directory).code == 0
    assert numbers(directory, "loss.L.0") == pytest.approx(expected, abs=1e-7)


def test_copied_values_are_transformed_too(root, run_command):
    directory = task(root, "flow/std.5")
    write_tree(directory, {"encoding": "FLOW copy\n", "cguess.0": f"{math.log(8):.9g}\n" * 4})
    assert run_command(mgendata.main, "-q", "-c", "encoding", directory=directory).code == 0
    assert numbers(directory, "targets.0") == pytest.approx(np.log(FLOWS[:4]), abs=1e-8)
    for remove in ([], ["targets.0"]):
        for name in remove:
            (directory / name).unlink()
        assert run_command(mloss.main, "-q", "-l", "A", directory=directory).code == 0
        assert numbers(directory, "loss.A.0") == pytest.approx([0, 7, 24, 4], abs=1e-6)


def test_the_log_of_a_value_that_is_not_positive_is_an_error_that_names_the_case(root, run_command):
    data = root / "data/river"
    text = (data / "Dataset.data").read_text().replace("6.5 4 ", "6.5 0 ")
    write_tree(data, {"Dataset.data": text, "Dataset.spec": SPECIFICATION.replace("(0,Inf)", "[0,Inf)")})
    directory = task(root, "flow/std.5")
    outcome = run_command(mgendata.main, "-q", directory=directory)
    assert outcome.code == 1
    assert outcome.err.endswith(
        "FLOW in case 7: expected a positive number to transform by log, found '0'; correct the "
        "case, or choose "
        "another transformation\n"
    )


def test_expected_performance_of_a_stratified_task_is_that_with_equally_likely_values(root, run_command):
    # Manual, section 4.2. Of 7 a and 3 b, 5 a and 2 b test; one weighs 0.7, the other 1.75. A method that
    # always says a loses 0.7 x 0 + 1.75 x 1, in the mean 2 x 1.75 / 7 = 0.5.
    directory = task(root, "kind/std.2")
    assert run_command(mgendata.main, "-q", directory=directory).code == 0
    stats = (directory / "Test-set-stats").read_text().splitlines()
    assert {"Z 0.5", "Q 0.5", "L -0.693147181"} <= set(stats)
    write_tree(directory, {"guess.0": "a\n" * 7, "prob.0": "0.5 0.5\n" * 7})
    assert run_command(mloss.main, "-q", directory=directory).code == 0
    assert numbers(directory, "loss.Z.0").tolist() == [0, 0, 0, 0, 0, 1.75, 1.75]
    assert numbers(directory, "loss.L.0").mean() == pytest.approx(math.log(2))
    row = {row["loss"]: row for row in delvecore.open(str(root)).results.to_pylist()}["Z"]
    assert (row["mean"], row["standardized_mean"]) == pytest.approx((0.5, 1.0))
    # Without the file the constants are computed from the weighted test cases.
    (directory / "Test-set-stats").unlink()
    row = {row["loss"]: row for row in delvecore.open(str(root)).results.to_pylist()}["L"]
    assert row["standardized_mean"] == pytest.approx(0, abs=1e-8)


def test_the_tasks_table_says_how_values_are_balanced_and_which_instances_are_listed(root):
    rows = {row["task"]: row for row in delvecore.open(str(root)).tasks.to_pylist()}
    assert {"balance": "weights", "instances": 1, "test_cases": 7}.items() <= rows["std.2"].items()
    assert {"standard": True, "instances": 1, "test_cases": 4, "unused_cases": 1}.items() <= rows[
        "std.5"
    ].items()
    listed = {"standard": False, "instances": 3, "test_cases": None, "unused_cases": 0, "balance": None}
    listed |= {"test_set_selection": "hierarchical", "overlap": "training", "scheme": "cross-validation"}
    assert listed.items() <= rows["std.7"].items()
    assert rows["std.7"]["share"] == pytest.approx(SHARE)
    assert {"scheme": "disjoint", "share": 0.0}.items() <= rows["std.5"].items()


SHARE = 8 / 30 * (28 / 44 + 1 / 2)
"""8 test and 8 + 7 + 7 train, of which two training sets have 5, 5 and 4 in common."""
LOSSES = ([0.0, 2.0], [1.0, 2.0, 6.0], [4.0, 4.0, 1.0])


@pytest.fixture
def evaluated(root, run_command):
    """The task with listed instances, evaluated: guesses that give LOSSES as absolute errors."""
    directory = task(root, "flow/std.7")
    assert run_command(mgendata.main, "-q", directory=directory).code == 0
    tests = (FLOWS[0:2], FLOWS[2:5], FLOWS[5:8])
    for number, (flows, losses) in enumerate(zip(tests, LOSSES, strict=True)):
        guesses = "".join(f"{flow + loss:g}\n" for flow, loss in zip(flows, losses, strict=True))
        write_tree(directory, {f"guess.{number}": guesses})
    assert run_command(mloss.main, "-q", "-l", "A", directory=directory).code == 0
    return directory


def test_mstats_says_the_ranges_of_sizes_that_vary(evaluated, run_command):
    outcome = run_command(mstats.main, "-l", "A", directory=evaluated)
    assert outcome.code == 0
    assert outcome.out.endswith(
        "    Based on 3 training sets that share cases, each containing 7 to 8 cases and\n"
        "             3 disjoint test sets, each containing 2 to 3 cases.\n"
        "    Task instances are not the standard ones.\n\n"
    )
    assert outcome.err == (
        "mstats: warning: /new/river/flow/std.7: training sets share cases; only the last lines "
        "are corrected for that, "
        "other errors and p-values are not\n"
    )


def test_mstats_and_the_archive_agree_on_listed_instances_but_for_what_is_corrected(
    evaluated, root, run_command
):
    expected = estimate_loss([np.array(losses) for losses in LOSSES], design="hierarchical")
    (row,) = delvecore.open(str(root)).results.to_pylist()
    assert (row["instances"], row["test_cases"]) == (3, None)
    assert row["mean"] == pytest.approx(expected.mean)
    # Means 1, 3, 3 have the variance 4/3; 1/3 and r / (1 - r).
    assert row["standard_error"] == pytest.approx((4 / 3 * (1 / 3 + SHARE / (1 - SHARE))) ** 0.5)
    assert row["notes"] == [f"cross_validation({SHARE:.4g})"]
    text = run_command(mstats.main, "-l", "A", directory=evaluated).out
    assert f"{expected.mean:.9g}"[:8] in text
    assert f"{expected.standard_error:.9g}"[:8] in text


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
def constant(tmp_path):
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


def test_what_mgendata_writes_is_right_for_all_commands(constant, run_command):
    method = constant / "methods/one"
    run_command(mgendir.main, "/constant", directory=method, path=constant)
    task = method / TASK
    run_command(mgendata.main, "-q", directory=task)
    assert (task / "Test-set-stats").read_text().startswith("L undefined -2.")
    for number in range(2):
        (task / f"guess.{number}").write_text("1.5 1.5\n" * 4)
        (task / f"ptarg.{number}").write_text("0.5\n" * 4)
    run_command(mloss.main, "-q", "-l", "SL", directory=task)
    assert "undefined, computed" not in run_command(delve, "check", directory=constant).out
    assert "Test-set-stats" not in run_command(mcheck.main, "/one", directory=constant).out
    assert not [
        row
        for row in delvecore.open([str(constant)]).problems.to_pylist()
        if "Test-set-stats" in row["message"]
    ]
    results = {row["loss"]: row for row in delvecore.open([str(constant)]).results.to_pylist()}
    assert results["L"]["standardizer"] is None
    assert results["S"]["standardizer"] is not None
    shown = run_command(mstats.main, "-l", "L", f"/one/{TASK}", directory=constant).out
    line = next(line for line in shown.splitlines() if "Estimated expected loss" in line)
    assert line.split()[-1] == "undefined"
