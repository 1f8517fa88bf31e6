"""Running methods over instances: files, failures, going on where a run stopped."""

import gzip
import re
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from delvecore.losses.compute import compute_task_losses
from delvecore.losses.method_task import open_method_task
from delvecore.methods import METHODS, load_method
from delvecore.methods.base_1 import Base1
from delvecore.progress import Progress
from delvecore.readers.files import UNFINISHED
from delvecore.readers.hierarchy import Hierarchy
from delvecore.runner.choice import DEFAULT, CodingChoice
from delvecore.runner.descriptions import describe_method
from delvecore.runner.one_instance import instance_seed, run_instance
from delvecore.writers.files import write_mark
from tests.runner.archive import Failing, Random, data_archive, names, numbers, plan, run_method

pytestmark = pytest.mark.usefixtures("losses_of_delve")

AGE = "methods/{}/demo/age/std.8"


def test_a_run_leaves_predictions_losses_codings_statistics_and_seeds(tmp_path):
    root = data_archive(tmp_path)
    run = plan(root, Base1(), "/demo/age/std.8")
    assert run_method(run) == []
    per_instance = [
        f"{kind}.{n}"
        for kind in ("guess.A", "guess.S", "loss.A", "loss.L", "loss.S", "lptarg.L")
        for n in (0, 1)
    ]
    directory = root / AGE.format("base-1")
    assert names(directory) == sorted(["Coding-used", "Costs", "Seeds", "Test-set-stats", *per_instance])
    seeds = [f"{n} {instance_seed('base-1', run.work[0][0].plan.task, n)}\n" for n in (0, 1)]
    assert (directory / "Seeds").read_text() == "".join(seeds)
    assert "SEX ignore" in (directory / "Coding-used").read_text()


def test_losses_are_those_of_the_training_mean_and_median(tmp_path):
    root = data_archive(tmp_path)
    run_method(plan(root, Base1(), "/demo/age/std.8"))
    rows = [line.split() for line in (root / "data/demo/Dataset.data").read_text().splitlines()]
    ages = np.array([float(row[1]) for row in rows])
    # 8 test cases, four for each instance, then training sets of 8.
    for n in (0, 1):
        train, test = ages[8 + 8 * n : 16 + 8 * n], ages[4 * n : 4 * n + 4]
        directory = root / AGE.format("base-1")
        np.testing.assert_allclose(numbers(directory / f"loss.S.{n}"), (test - train.mean()) ** 2, rtol=1e-4)
        np.testing.assert_allclose(
            numbers(directory / f"loss.A.{n}"), abs(test - np.median(train)), rtol=1e-4
        )
        variance = train.var(ddof=1)
        expected = 0.5 * np.log(2 * np.pi * variance) + (test - train.mean()) ** 2 / (2 * variance)
        np.testing.assert_allclose(numbers(directory / f"loss.L.{n}"), expected, atol=1e-4)


NUMBERS_ONLY = {"gp-1", "ridge-cv-1", "lasso-cv-1", "svr-cv-1"}


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_every_method_runs_on_tasks_that_it_can_do(tmp_path, name):
    if METHODS[name].module in ("cart_1", "ensembles", "regressions"):
        pytest.importorskip("sklearn", reason="the method needs it")
    root = data_archive(tmp_path)
    for specification in root.glob("data/demo/*/Prototask.spec"):  # one instance each
        text = specification.read_text()
        specification.write_text(re.sub(r"(Maximum-Number-Of-Instances): \d+", r"\1: 1", text))
    run = plan(root, load_method(name), "/demo/age/std.4", "/demo/shade/std.4")
    assert run_method(run) == []
    assert set(run.refused) == ({"/demo/shade/std.4"} if name in NUMBERS_ONLY else set())
    assert len(run.work) + len(run.refused) == 2
    for work, instances in run.work:  # seconds, megabytes, and those seconds that predicting took
        costs = [line.split()[1:] for line in (Path(work.path) / "Costs").read_text().splitlines()[1:]]
        assert len(costs) == len(instances) == 1
        assert all(0 <= float(testing) <= float(seconds) + 0.001 for seconds, _, testing in costs)


@pytest.mark.slow
def test_mloss_makes_the_same_losses_from_the_predictions(tmp_path):
    root = data_archive(tmp_path)
    run_method(plan(root, load_method("lin-1"), "/demo"))
    for prototask, task in (("age", "std.8"), ("shade", "std.4")):
        opened = open_method_task(Hierarchy([str(root)]), "lin-1", "demo", prototask, task)
        written = {}
        compute_task_losses(opened, write=written.__setitem__)
        assert written
        directory = root / "methods/lin-1/demo" / prototask / task
        assert written == {name: (directory / name).read_text() for name in written}


def test_complete_instances_are_not_run_again(tmp_path):
    root, method = data_archive(tmp_path), Failing(None)
    assert plan(root, method, "/demo/age").instances == 4 + 2 + 4 + 2
    run_method(plan(root, method, "/demo/age/std.8"))
    rest = plan(root, method, "/demo/age/std.8")
    assert (rest.instances, rest.complete, rest.work) == (0, 2, ())
    assert plan(root, method, "/demo/age").instances == 10
    (root / AGE.format("failing") / "loss.S.1").unlink()
    (root / AGE.format("failing") / "loss.A.1").unlink()
    assert plan(root, method, "/demo/age/std.8").instances == 0, "one loss is left"
    (root / AGE.format("failing") / "loss.L.1").unlink()
    assert plan(root, method, "/demo/age/std.8").instances == 1


def test_instances_get_different_random_numbers_whatever_the_order(tmp_path):
    root = data_archive(tmp_path)
    directory = plan(root, Random(), "/demo/age/std.8").work[0][0]
    first, second = directory.plan.instances
    forwards = [
        run_instance(Random(), directory.plan, n).files["guess.0" if n is first else "guess.1"]
        for n in (first, second)
    ]
    backwards = [
        run_instance(Random(), directory.plan, n).files["guess.1" if n is second else "guess.0"]
        for n in (second, first)
    ]
    assert forwards == backwards[::-1]
    assert forwards[0] != forwards[1]


def test_a_failure_is_recorded_and_does_not_stop_the_others(tmp_path):
    root, method, outcomes, lines = data_archive(tmp_path), Failing(1), [], StringIO()
    failures = run_method(plan(root, method, "/demo/age/std.4"), outcomes, bar=Progress(lines))
    message = "ZeroDivisionError: the training set is odd"
    assert failures == [f"/demo/age/std.4 instance 1: {message}"]
    assert method.seen == [0, 1, 2, 3]
    directory = root / "methods/failing/demo/age/std.4"
    assert (directory / "Failures").read_text() == f"1 {message}\n"
    assert {name[-1] for name in names(directory) if name.startswith("loss")} == {"0", "2", "3"}
    assert [(one.instance, one.failure) for one in outcomes] == [(0, ""), (1, message), (2, ""), (3, "")]
    assert lines.getvalue() == "failing/demo/age/std.4  100%  0:00 left\n", "a line for the last one alone"


def test_a_failed_instance_is_tried_again_and_its_record_removed(tmp_path):
    root = data_archive(tmp_path)
    run_method(plan(root, Failing(1), "/demo/age/std.4"))
    method = Failing(None)
    assert run_method(plan(root, method, "/demo/age/std.4")) == []
    assert method.seen == [1]
    assert "Failures" not in names(root / "methods/failing/demo/age/std.4")


def test_values_that_cannot_be_encoded_are_failures_of_their_instance(tmp_path):
    root = data_archive(tmp_path)
    data = root / "data/demo/Dataset.data"
    lines = data.read_text().splitlines()
    words = lines[8].split()  # the first training case of the first instance
    lines[8] = " ".join([words[0], "?", *words[2:]])
    data.write_text("\n".join(lines) + "\n")
    failures = run_method(plan(root, Base1(), "/demo/age/std.8", codings=CodingChoice(DEFAULT)))
    assert len(failures) == 1
    assert "/demo/age/std.8 instance 0: AGE in case 9: expected a known value" in failures[0]


def test_results_of_other_data_are_made_anew(tmp_path):
    root = data_archive(tmp_path)
    run_method(plan(root, Base1(), "/demo/age/std.8"))
    data = root / "data/demo/Dataset.data"
    data.write_text(
        "".join(line.replace(".5", ".25", 1) + "\n" for line in data.read_text().splitlines()[::-1])
    )
    assert plan(root, Base1(), "/demo/age/std.8").instances == 2


@pytest.mark.parametrize(
    ("keep", "kinds"),
    [
        ("losses", {"loss"}),
        ("predictions", {"loss", "guess", "lptarg"}),
        ("all", {"loss", "guess", "lptarg", "train", "test", "targets", "normalize"}),
    ],
)
def test_what_is_kept(tmp_path, keep, kinds):
    root = data_archive(tmp_path)
    run_method(plan(root, load_method("lin-1"), "/demo/age/std.8", keep=keep))
    kept_kinds = {name.split(".")[0] for name in names(root / AGE.format("lin-1"))}
    assert kept_kinds == kinds | {"Coding-used", "Costs", "Seeds", "Test-set-stats"}


def test_files_that_an_instance_no_longer_has_are_removed(tmp_path):
    root = data_archive(tmp_path)
    run_method(plan(root, load_method("lin-1"), "/demo/age/std.8"))
    directory = root / AGE.format("lin-1")
    (directory / "guess.S.0").write_text("left over\n")
    run_method(plan(root, load_method("lin-1"), "/demo/age/std.8", again=True))
    assert "guess.S.0" not in names(directory)


def test_compressed_results_replace_plain_ones_and_depend_on_their_text_alone(tmp_path):
    root = data_archive(tmp_path)
    directory = root / AGE.format("base-1")
    run_method(plan(root, Base1(), "/demo/age/std.8"))
    plain = (directory / "loss.S.0").read_bytes()
    run_method(plan(root, Base1(), "/demo/age/std.8", again=True, compress=True))
    packed = (directory / "loss.S.0.gz").read_bytes()
    assert gzip.decompress(packed) == plain
    assert packed[4:8] == bytes(4), "no time in the header"
    assert not (directory / "loss.S.0").exists()
    assert plan(root, Base1(), "/demo/age/std.8").instances == 0


def test_a_mark_of_a_killed_process_goes_where_all_files_are_in_their_places(tmp_path):
    describe_method(load_method("lin-1"), str(tmp_path))
    source = tmp_path / "methods/lin-1/Source"
    written = {path.name: path.read_bytes() for path in source.iterdir()}
    write_mark(
        str(source / UNFINISHED), {"put": {name: f".{name}.1.delve-part" for name in written}, "remove": []}
    )
    describe_method(load_method("lin-1"), str(tmp_path))
    assert {path.name: path.read_bytes() for path in source.iterdir()} == written
