"""Losses of an archive: analyzed without copies, specialized, computed of predictions, and standardized by
the data."""

import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import delvecore
from delvecore.archive import result_unit
from delvecore.archive.loss_rows import loss_table
from delvecore.cache import Cache
from delvecore.methods import load_method
from delvecore.readers.results import parse_costs
from delvecore.runner.runs import run_methods
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import result_table
from tests.archives import case_lines, small_archive, write_tree
from tests.runner.archive import data_archive, plan

CASES = 20_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """Losses of three methods on twenty tasks, 19 MB, mapped from a cache."""
    random, base = np.random.default_rng(0), str(tmp_path_factory.mktemp("cache"))
    rows = [
        {
            "unit": "u",
            "method": f"m{method}",
            "dataset": "d",
            "prototask": "p",
            "prior": "std",
            "task": f"std.{size}",
            "training_size": size,
            "loss": "S",
            "instance": instance,
            "values": random.gamma(1.0, 1.0, CASES),
        }
        for size in range(1, 21)
        for method in range(3)
        for instance in range(2)
    ]
    kept = Cache(base, [], "form", ["losses"])
    kept.store("state", {"losses": loss_table(rows)})
    loaded = kept.load("state")
    assert loaded is not None
    return loaded["losses"]


TASKS = pa.table(
    {
        "dataset": ["d"] * 20,
        "prototask": ["p"] * 20,
        "task": [f"std.{size}" for size in range(1, 21)],
        "test_set_selection": ["hierarchical"] * 20,
    }
)


@pytest.mark.parametrize("analyze", [result_table, compare_all])
def test_analyzes_copy_the_losses_of_few_tasks_at_a_time(many, analyze):
    block = 6 * CASES * 8
    analyze(many.slice(0, 6), TASKS, {})  # imports and tables made once
    arrow = pa.total_allocated_bytes()
    tracemalloc.start()
    try:
        analysis = analyze(many, TASKS, {})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4 * block
    assert pa.total_allocated_bytes() - arrow < block
    in_chunks = pa.concat_tables([many.slice(start, 6) for start in range(0, 120, 6)])
    assert analyze(in_chunks, TASKS, {}).equals(analysis)


SHADE_TASK = "methods/one/demo/shade/std.4"
AGE_TASK = "methods/one/demo/age/std.8"
COSTS = "0 1 2\n0.5 0 3\n4 8 0\n"


@pytest.fixture
def root(tmp_path):
    return small_archive(tmp_path)


def write_losses(root, task, loss, count, *, instances):
    write_tree(root, {f"{task}/loss.{loss}.{n}": f"{n / 4}\n" * count for n in range(instances)})


def results(root):
    rows = delvecore.open(root, cache=False).results.to_pylist()
    return {(row["method"], row["prototask"], row["loss"]): row for row in rows}


def problems(root):
    messages = delvecore.open(root, cache=False).problems["message"].to_pylist()
    return [message.replace(f"{root}/", "") for message in messages]


def test_specialized_losses_are_in_the_results(root):
    write_tree(root, {"data/demo/shade/costs": COSTS})
    for loss in ("Z0.2N", "Mcosts"):
        write_losses(root, SHADE_TASK, loss, 6, instances=4)
    assert problems(root) == []
    result_rows = results(root)
    # The best constant guess loses 2/3: no guess loses less.
    penalty = result_rows["one", "shade", "Z0.2N"]
    assert (penalty["mean"], penalty["standardizer"], penalty["standardized_mean"]) == (0.375, 0.2, 1.875)
    # Two test cases of each shade: guessing pink costs 3 / 3.
    assert result_rows["one", "shade", "Mcosts"]["standardizer"] == 1.0


def test_losses_without_their_matrix_are_reported_once_a_prototask_and_kept(root):
    for method in ("one", "two"):
        write_losses(root, SHADE_TASK.replace("one", method), "Mcosts", 6, instances=4)
    assert problems(root) == [
        f"{SHADE_TASK}: expected the loss matrix costs beside Prototask.spec, found none; add it"
    ]
    assert results(root)["two", "shade", "Mcosts"]["standardizer"] is None


def test_a_faulty_matrix_harms_no_other_loss(root):
    write_tree(root, {"data/demo/shade/costs": "0 1 2\n1 1 1\n"})
    for loss in ("Mcosts", "Q"):
        write_losses(root, SHADE_TASK, loss, 6, instances=4)
    assert problems(root) == ["data/demo/shade/costs:2: expected 0 for the right guess of blue, found '1'"]
    assert results(root)["one", "shade", "Q"]["standardizer"] == pytest.approx(2 / 3)


def with_unknown_ages(root):
    """Ages of cases 2 (missing), 5 and 6 (censored): in instance 0 one, in instance 1 two of four cases."""
    lines = case_lines().split("\n")
    for place, word in ((1, "?"), (4, "30:"), (5, ":40")):
        words = lines[place].split()
        lines[place] = " ".join([words[0], word, *words[2:]])
    write_tree(root, {"data/demo/Dataset.data": "\n".join(lines)})
    for path in root.glob("methods/*/demo/age/std.8/Test-set-stats"):
        path.unlink()  # of other ages


def test_cases_with_unknown_targets_count_in_no_loss_or_in_log_probability_only(root):
    # S: 3 and 2 cases have known ages, so two of each instance count. L: 3 and 4 have one, or a bound.
    with_unknown_ages(root)
    for method in ("one", "two"):
        write_losses(root, AGE_TASK.replace("one", method), "S", 2, instances=2)
        write_losses(root, AGE_TASK.replace("one", method), "L", 3, instances=2)
    assert problems(root) == []
    result_rows = results(root)
    assert result_rows["one", "age", "S"]["test_cases"] == 2
    assert result_rows["one", "age", "L"]["test_cases"] == 3


def test_losses_of_all_test_cases_are_reported_where_some_do_not_count(root):
    with_unknown_ages(root)
    assert (
        f"{AGE_TASK}/loss.S.0: expected 2 losses, one per test case, found 4; make it again with mloss"
        in (problems(root))
    )


TASK = "demo/age/std.8"
RIGHT = 57.8392857
"""The variance of the targets of the small archive's task, as a file has it."""


def constants(archive):
    rows = (row for row in archive.results.to_pylist() if row["loss"] == "S")
    return {row["method"]: row["standardizer"] for row in rows}


def messages(archive, root):
    return [message.replace(f"{root}/", "") for message in archive.problems["message"].to_pylist()]


def test_a_wrong_file_is_reported_and_rescales_nothing_not_even_its_own_method(root):
    before = delvecore.open(root, cache=False)
    write_tree(root, {f"methods/one/{TASK}/Test-set-stats": "S 50.0\n"})
    after = delvecore.open(root, cache=False)
    assert messages(before, root) == []
    assert after.results == before.results
    assert after.comparisons == before.comparisons
    assert messages(after, root) == [
        f"methods/one/{TASK}/Test-set-stats: expected S {RIGHT}, computed from the test targets, found 50; "
        "this file is not used; run mgendata again"
    ]


def test_a_method_beside_an_archive_does_not_rescale_it(root, tmp_path):
    archive = delvecore.open(root)
    files = {f"methods/another/{TASK}/{name}": text for name, text in (("loss.S.0", "1\n2\n3\n4\n"),)}
    files[f"methods/another/{TASK}/Test-set-stats"] = "S 5e-9\n"
    beside = archive.beside([write_tree(tmp_path / "delve-beside", files | {"data/Notes": ""})])
    assert constants(beside) == {"another": RIGHT, "one": RIGHT, "two": RIGHT}
    assert any("Test-set-stats: expected S" in message for message in messages(beside, root))


@pytest.fixture
def without_data(root):
    (root / "data/demo/Dataset.data").unlink()
    return root


def test_without_data_files_that_agree_to_nine_digits_serve(without_data):
    write_tree(without_data, {f"methods/one/{TASK}/Test-set-stats": "S 57.83928571\n"})
    archive = delvecore.open(without_data, cache=False)
    assert constants(archive) == pytest.approx({"one": RIGHT, "two": RIGHT})
    assert not any("Test-set-stats" in message for message in messages(archive, without_data))


def test_without_data_files_that_disagree_are_both_named_and_standardize_nothing(without_data):
    write_tree(without_data, {f"methods/two/{TASK}/Test-set-stats": "S 50.0\n"})
    archive = delvecore.open(without_data, cache=False)
    assert constants(archive) == {"one": None, "two": None}
    (message,) = (one for one in messages(archive, without_data) if "Test-set-stats" in one)
    assert message == (
        f"methods/two/{TASK}/Test-set-stats: expected S {RIGHT}, as in {without_data}/methods/one/{TASK}/"
        "Test-set-stats, found 50; the task's losses are not standardized; run mgendata again"
    ).replace(f"{without_data}/", "")


def test_an_opening_reads_the_cases_of_a_dataset_once(root, monkeypatch):
    def read_again(*_, **__):
        raise AssertionError("cases are read again")

    before = delvecore.open(root, cache=False)
    monkeypatch.setattr(result_unit, "prototask_cases", read_again)
    assert delvecore.open(root, cache=False).results == before.results


def test_where_a_dataset_has_faults_its_cases_are_judged_anew(root):
    path = root / "data/demo/Dataset.data"
    path.write_text(path.read_text() + "1 2\n")
    archive = delvecore.open(root, cache=False)
    assert any("Dataset.data" in message for message in messages(archive, root))
    assert archive._standardizers.filter(pc.is_null(archive._standardizers["method"])).num_rows == 0


METHODS = ("base-1", "lin-1")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """An archive with the results of two methods, losses included."""
    root = data_archive(tmp_path)
    assert run_methods([plan(root, load_method(name), "/") for name in METHODS], workers=1) == []
    return root


def without_losses(root: Path) -> Path:
    for path in root.glob("methods/*/*/*/*/loss.*"):
        path.unlink()
    return root


@pytest.mark.slow
def test_a_run_has_its_losses_and_costs_and_opening_it_tells_how_far_it_is(run):
    steps: list = []
    kept = delvecore.open(run, notify=steps.append)
    shares = [step.share for step in steps]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert steps[0].subject == "dataset demo"
    assert steps[-1].subject.startswith("results of lin-1 on ")
    again: list = []
    delvecore.open(run, notify=again.append)
    assert again == []
    assert kept.costs.num_rows == 2 * sum(kept.tasks["instances"].to_pylist())
    row = kept.costs.to_pylist()[0]
    assert (row["method"], row["task"]) == ("base-1", f"{row['prior']}.{row['training_size']}")
    assert row["seconds"] >= 0
    assert row["megabytes"] > 10
    made = delvecore.open(without_losses(run), cache=False)
    assert kept.losses.num_rows > 50
    assert made.losses.equals(kept.losses)
    assert made.results.equals(kept.results)
    assert made.problems.num_rows == kept.problems.num_rows == 0


@pytest.mark.slow
def test_a_bad_prediction_is_a_problem_of_its_task_alone(run):
    path = next(without_losses(run).glob("methods/lin-1/*/*/*/guess*.0"))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(["x", *lines[1:]]) + "\n")
    archive = delvecore.open(run, cache=False)
    (message,) = archive.problems["message"].to_pylist()
    assert message.startswith(f"{path}:1: expected ")
    tasks = {
        (row["method"], row["dataset"], row["prototask"], row["task"]) for row in archive.results.to_pylist()
    }
    assert tuple(path.parts[-5:-1]) not in tasks
    assert ("base-1", *path.parts[-4:-1]) in tasks


def test_costs_without_memory_are_read_and_faulty_lines_told():
    assert parse_costs("# instance seconds megabytes\n0 1.5 80.0\n1 2 -\n", "Costs") == {
        0: (1.5, 80.0, None),
        1: (2.0, None, None),
    }
    faults: list[Exception] = []
    assert parse_costs("0 1.5\n1 -1 3\n2 1 2\nx 1 2\n", "Costs", report=faults.append) == {
        2: (1.0, 2.0, None)
    }
    assert [str(fault) for fault in faults] == [
        f"Costs:{line}: expected a line 'INSTANCE SECONDS MEGABYTES TESTING-SECONDS', found {text!r}; run it again"
        for line, text in ((1, "0 1.5"), (2, "1 -1 3"), (4, "x 1 2"))
    ]
