"""What `dinfo` says of sequential, stratified and transformed prototasks, and of listed instances."""

import pytest

from delvecore.cli.dinfo import main
from tests.archives import write_tree

RIVER = {
    "Dataset.spec": "Origin: natural\nUsage: assessment\nOrder: informative\nAttributes:\n1 RAIN u [0,Inf)\n"
    "2 FLOW u (0,Inf) # Cubic metres a second\n3 LEVEL u low mid high\n",
    "Dataset.data": "".join(f"{n} {n + 1} {('low', 'mid', 'high')[n % 3]}\n" for n in range(12)),
    "flow/Prototask.spec": "Origin: natural\nCases: all\nOrder: sequential\nMaximum-Dependency-Range: 2\n"
    "Inputs: 0 1 3\nTargets: 2\nTest-Set-Size: 4\nTraining-Set-Sizes: 3\nTest-Set-Selection: common\n"
    "Maximum-Number-Of-Instances: 4\nTransformations: FLOW log RAIN squeeze\n",
    "flow/std.prior": "0 N integer\n1 N real\n2 N real\n3 NL ordinal order=high,low,mid\n"
    "Dependency-Strength: LM\nDependency-Range: 2\n",
    "flow/std.5.instances": "Instance: 0\nTraining: 1-5\nTest: 9-10\n",
    "level/Prototask.spec": "Origin: cultivated\nCases: all\nOrder: retain\nStratified: yes\nInputs: 1 2\n"
    "Targets: 3\nTest-Set-Size: 3\nTraining-Set-Sizes: 3\nTest-Set-Selection: common\n"
    "Maximum-Number-Of-Instances: 4\n",
    "level/std.prior": "1 N real\n2 N real\n3 N ordinal\n",
}


@pytest.fixture
def river(tmp_path, monkeypatch):
    root = write_tree(tmp_path / "delve-r", {f"data/river/{name}": text for name, text in RIVER.items()})
    (root / "methods").mkdir()
    monkeypatch.chdir(root)
    return root


def test_dinfo_shows_sequential_order_its_range_attribute_0_and_transformations(river, run_command):
    assert run_command(main, "/river/flow") == (
        0,
        "Prototask: /river/flow\n"
        "Origin: natural\n"
        "Cases: all\n"
        "Order: sequential\n"
        "Maximum dependency range: 2\n"
        "Transformations: FLOW log RAIN squeeze\n"
        "Test set size: 4\n"
        "Training set sizes: 3\n"
        "Test set selection: common\n"
        "Maximum number of instances: 4\n"
        "Task types: regression\n"
        "Tasks: \n\tstd.3\n\tstd.5\n"
        "Inputs: \n"
        "     #  name     c/u range        description\n"
        "     0  INDEX     u  1..Inf       Index of the case in the original order\n"
        "     1  RAIN      u  [0,Inf)\n"
        "     3  LEVEL     u  low mid high\n"
        "Targets: \n"
        "     #  name     c/u range        description\n"
        "     2  FLOW      u  (0,Inf)      Cubic metres a second\n",
        "",
    )


def test_dinfo_shows_the_dependencies_and_orderings_of_a_prior(river, run_command):
    text = run_command(main, "/river/flow/std.3").out
    assert "Dependency strength: lm\nDependency range: 2\nInputs: \n" in text
    assert 'therm     order = "high,low,mid"\n' in text
    assert 'nm-abs    transform = "log"\n' in text


def test_dinfo_says_that_instances_are_not_the_standard_ones(river, run_command):
    assert "\nTask instances are not the standard ones\n" in run_command(main, "/river/flow/std.5").out
    assert run_command(main, "-t", "-k", "task-instances", "/river/flow/std.5").out == "non-standard\n"
    assert "not the standard" not in run_command(main, "/river/flow/std.3").out


def test_dinfo_shows_that_training_sets_are_stratified(river, run_command):
    assert "\nOrder: retain\nStratified: yes\nTest set size: 3\n" in run_command(main, "/river/level").out


def test_dinfo_says_how_many_validation_cases_the_listed_instances_have(river, run_command):
    listed = "Instance: 0\nTraining: 1-4\nValidation: 3-4\nTest: 9\n"
    write_tree(river, {"data/river/flow/std.4.instances": listed})
    status, text, _ = run_command(main, "-k", "validation-set-sizes", "/river/flow/std.4")
    assert (status, text) == (0, "Validation set sizes: 2\n")
    assert run_command(main, "-k", "validation-set-sizes", "/river/flow/std.5")[0] == 1
