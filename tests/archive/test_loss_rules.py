"""Specialised losses in an archive, and losses of tasks some of whose true targets are missing or censored."""

import pytest

import delvecore
from tests.archives import case_lines, small_archive, write_tree

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
    found = delvecore.open(root, cache=False).problems["message"].to_pylist()
    return [message.replace(f"{root}/", "") for message in found]


def test_specialised_losses_are_in_the_results(root):
    write_tree(root, {"data/demo/shade/costs": COSTS})
    for loss in ("Z0.2N", "Mcosts"):
        write_losses(root, SHADE_TASK, loss, 6, instances=4)
    assert problems(root) == []
    found = results(root)
    # The best constant guess loses 2/3: no guess loses less.
    penalty = found["one", "shade", "Z0.2N"]
    assert (penalty["mean"], penalty["standardizer"], penalty["standardized_mean"]) == (0.375, 0.2, 1.875)
    # Two test cases of each shade: guessing pink costs 3 / 3.
    assert found["one", "shade", "Mcosts"]["standardizer"] == 1.0


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


def test_a_matrix_for_numbers_is_reported(root):
    write_losses(root, AGE_TASK, "Mcosts", 4, instances=2)
    assert problems(root) == [
        f"{AGE_TASK}: expected losses that the targets allow, found 'Mcosts'; a loss matrix needs a single "
        "categorical target"
    ]


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
    found = results(root)
    assert found["one", "age", "S"]["test_cases"] == 2
    assert found["one", "age", "L"]["test_cases"] == 3


def test_losses_of_all_test_cases_are_reported_where_some_do_not_count(root):
    with_unknown_ages(root)
    assert f"{AGE_TASK}/loss.S.0: expected 2 losses, one a test case, found 4; make it again with mloss" in (
        problems(root)
    )


def test_unknown_targets_do_not_enter_the_constants(root):
    with_unknown_ages(root)
    write_losses(root, AGE_TASK, "S", 2, instances=2)
    for path in root.glob("methods/*/demo/age/std.8/Test-set-stats"):
        path.unlink()
    # Known: 20.5 34.5 41.5 39.5 23.5, mean 31.9.
    ages = (20.5, 34.5, 41.5, 39.5, 23.5)
    variance = sum((age - 31.9) ** 2 for age in ages) / 4
    assert results(root)["one", "age", "S"]["standardizer"] == pytest.approx(variance)
