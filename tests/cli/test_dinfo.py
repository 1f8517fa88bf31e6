from pathlib import Path

from delvecore.cli.dinfo import main
from tests.archives import write_tree
from tests.cli.demo_archive import AGE, DATASET, PRIOR, demo_archive, empty_archive
from tests.cli.running import Runner


def test_root_lists_datasets_and_with_a_the_delve_directories(small, run_command):
    assert run_command(main, "/").out == "Datasets: \n\tdemo\n"
    assert run_command(main, "-a", "/").out == f"Delve_path: \n\t{small}\nDatasets: \n\tdemo\n"


def test_terse_keys_come_on_one_line_in_the_order_asked(small: Path, run_command: Runner) -> None:
    # Manual, appendix C, dinfo: `dinfo -t -k prototasks /demo`.
    assert run_command(main, "-t", "-k", "prototasks", "/demo").out == "age sex\n"
    assert run_command(main, "-t", "-k", "order origin", "/demo").out == "uninformative\nartificial\n"


def test_q_prints_the_keys_that_the_other_options_choose(small, run_command):
    usual = "dataset title origin usage order number-of-attributes task-types number-of-cases prototasks\n"
    assert run_command(main, "-q", "/demo").out == usual
    assert run_command(main, "-qa", "/demo").out == usual.replace(
        "task-types number-of-cases", "attributes number-of-cases task-types"
    )
    assert run_command(main, "-q", "-k", "title", "/demo").out == "title\n"


def test_unknown_key_is_an_error_that_names_the_known_ones(small, run_command):
    outcome = run_command(main, "-k", "colour", "/demo/age/std.4")
    assert outcome == (
        1,
        "",
        "dinfo: unknown key 'colour'; the keys are task training-set-size inputs targets\n",
    )


def test_task_without_results_is_found_behind_a_methods_name(small, run_command):
    assert run_command(main, "/line/demo/sex/std.8") == run_command(main, "/demo/sex/std.8")
    assert run_command(main, "/line") == run_command(main, "/")


def test_missing_title_inputs_and_prototasks_are_said(tmp_path, run_command):
    root = empty_archive(tmp_path / "delve")
    write_tree(
        root,
        {
            "data/bare/Dataset.spec": DATASET.replace("Title: Twenty-four invented people\n", ""),
            "data/demo/Dataset.spec": DATASET.replace(
                "Attributes", "Commonality indexes are present\nAttributes"
            ),
            "data/demo/age/Prototask.spec": AGE.replace("Inputs: 1 3 4 5", "Inputs:"),
        },
    )
    keys = "title number-of-cases task-types prototasks"
    out = run_command(main, "-k", keys, "/bare", path=root, directory=tmp_path).out
    assert out == "Title: no title\nNumber of cases: unknown\nTask types: none\nPrototasks: none\n"
    assert run_command(main, "-t", "-k", "title prototasks", "/bare").out == "\n\n"
    out = run_command(main, "-k", "tasks inputs", "/demo/age").out
    assert out == "Tasks: none\nInputs: none\n"
    assert "Order: uninformative\nCommonality indexes are present\nNumber" in run_command(main, "/demo").out
    assert run_command(main, "-tk", "commonality-indexes", "/demo").out == "present\n"


def test_task_types_follow_the_standard_prior_else_the_first_else_the_range(tmp_path, run_command):
    root = demo_archive(tmp_path)
    age = root / "data/demo/age"
    run = lambda: run_command(main, "-tk", "task-types", "/demo/age", path=root).out  # noqa: E731
    spec = AGE.replace("Targets: 2", "Targets: 2 3").replace("Inputs: 1 3 4 5", "Inputs: 1")
    write_tree(age, {"Prototask.spec": spec})
    assert run() == "regression\n"
    write_tree(root, {"data/demo/Dataset.spec": DATASET.replace("0..Inf ", "0..5   ")})
    write_tree(age, {"std.prior": PRIOR.replace("3 NLMH integer", "3 NLMH ordinal")})
    assert run() == "classification regression\n"
    (age / "std.prior").unlink()
    assert run() == "regression\n"
    (age / "vague.prior").unlink()
    write_tree(age, {"Prototask.spec": spec.replace("Targets: 2 3", "Targets: 4")})
    assert run() == "classification\n"


def test_broken_parts_do_not_stop_the_lists(small, run_command):
    write_tree(
        small / "data", {"broken/Dataset.spec": "nonsense\n", "demo/sex/Prototask.spec": "Cases: all\n"}
    )
    write_tree(small / "data/demo/age", {"std.prior": b"\xff\n"})
    assert run_command(main, "/").out == "Datasets: \n\tbroken\n\tdemo\n"
    outcome = run_command(main, "/demo")
    assert outcome.code == 0
    assert outcome.out.endswith("Task types: regression\nNumber of cases: 24\nPrototasks: \n\tage\n\tsex\n")
    place = small / "data/demo"
    warnings = outcome.err.splitlines()
    assert f"dinfo: warning: {place}/age/std.prior:1: expected UTF-8 text, found byte 0xff" in warnings[0]
    assert all(
        line.startswith(f"dinfo: warning: {place}/sex/Prototask.spec:1: expected") for line in warnings[1:]
    )
    assert len(warnings) == len(set(warnings))


def test_unreadable_data_leave_the_number_of_cases_unknown(small, run_command):
    path = small / "data/demo/Dataset.data"
    path.rename(path.with_suffix(".data.gz"))
    write_tree(small / "data/demo", {"Dataset.data.gz": b"\x1f\x8b\x08"})
    outcome = run_command(main, "-tk", "number-of-cases", "/demo")
    assert (outcome.code, outcome.out) == (0, "unknown\n")
    assert outcome.err.startswith(
        f"dinfo: warning: {path}.gz: expected a whole compressed file, found it cut"
    )


def test_dinfo_shows_sequential_order_its_range_attribute_0_and_transformations(features, run_command):
    lines = run_command(main, "/river/flow").out.splitlines()
    shown = ["Order: sequential", "Maximum dependency range: 5", "Transformations: LEVEL log RAIN squeeze"]
    assert lines[3:6] == shown
    assert "     0  INDEX     u  1..Inf       Index of the case in the original order" in lines


def test_dinfo_shows_the_dependencies_and_orderings_of_a_prior(features, run_command):
    text = run_command(main, "/river/flow/std.10").out
    assert "Dependency strength: mh\nDependency range: 5\nInputs: \n" in text
    assert 'nm-abs    transform = "log"\n' in text
    assert 'therm     order = "good,fair,poor"\n' in run_command(main, "/shapes/shape/std.3").out


def test_dinfo_says_that_instances_are_not_the_standard_ones(features, run_command):
    assert "\nTask instances are not the standard ones\n" in run_command(main, "/river/flow/std.15").out
    assert run_command(main, "-t", "-k", "task-instances", "/river/flow/std.15").out == "non-standard\n"
    assert "not the standard" not in run_command(main, "/river/flow/std.10").out


def test_dinfo_shows_that_training_sets_are_stratified(features, run_command):
    assert "\nOrder: retain\nStratified: yes\nTest set size: 12\n" in run_command(main, "/shapes/shape").out


def test_dinfo_says_how_many_validation_cases_the_listed_instances_have(features, run_command):
    listed = "Instance: 0\nTraining: 1-4\nValidation: 3-4\nTest: 20\n"
    write_tree(features, {"data/river/flow/std.4.instances": listed})
    status, text, _ = run_command(main, "-k", "validation-set-sizes", "/river/flow/std.4")
    assert (status, text) == (0, "Validation set sizes: 2\n")
    assert run_command(main, "-k", "validation-set-sizes", "/river/flow/std.15")[0] == 1
