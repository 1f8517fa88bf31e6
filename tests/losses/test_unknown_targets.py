"""True targets that are missing or censored: section 3.3 of the manual.

The task is age/std.8 of `small_archive`: two instances that test on cases 1 to 4 and 5 to 8, whose ages are
20.5 27.5 34.5 41.5 and 25.5 32.5 39.5 23.5. Some of these are made unknown.
"""

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.method_task import plan_positions
from tests.archives import SHADE, case_lines, small_archive, write_tree
from tests.losses.test_compute import AGE_TASK, compute, make_data, open_task, place, predict

PLAIN = {f"guess_{n}": "30\n30\n30\n30\n" for n in range(2)}


def archive_with(tmp_path, ages, coding):
    """The small archive with some ages (by case number) replaced, for a method with a coding of AGE."""
    root = small_archive(tmp_path)
    lines = [line.split() for line in case_lines().splitlines()]
    for case, word in ages.items():
        lines[case - 1][1] = word
    text = "".join(" ".join(words) + "\n" for words in lines)
    write_tree(root, {"data/demo/Dataset.data": text})
    write_tree(place(root, AGE_TASK), {"Coding-used": f"AGE {coding}\n"})
    return root


@pytest.fixture
def mixed(tmp_path):
    return archive_with(tmp_path, {2: "?lost", 5: "30:", 6: ":40"}, "copy")


def test_cases_with_unknown_targets_are_left_out_of_losses_of_guesses_and_instances_stay_equal(mixed):
    # Known are ages 1 3 4 of instance 0 and 3 4 of instance 1: two of each count.
    predict(mixed, AGE_TASK, **PLAIN)
    task_losses = compute(mixed, AGE_TASK, losses="SA")
    assert task_losses.losses["A", 0].tolist() == [9.5, 4.5]
    assert task_losses.losses["A", 1].tolist() == [9.5, 6.5]
    assert task_losses.losses["S", 1].tolist() == [90.25, 42.25]


def test_how_many_cases_are_left_out_is_reported_with_the_reasons(mixed):
    predict(mixed, AGE_TASK, **PLAIN)
    assert compute(mixed, AGE_TASK, losses="S").notes == (
        "/new/demo/age/std.8: loss S: 4 of 8 test cases left out: 1 with missing targets, 2 with censored "
        "targets, 1 more to give all instances the same number",
    )


def test_a_censored_target_contributes_the_probability_beyond_its_bound_to_log_probability_loss(mixed):
    # Three of four cases of instance 0 count, hence the first three of instance 1.
    predict(mixed, AGE_TASK, ptarg_0="0.5\n0.1\n0.25\n1\n", ptarg_1="0.125\n1\n0.5\n0.1\n")
    task_losses = compute(mixed, AGE_TASK, losses="L")
    assert task_losses.losses["L", 0] == pytest.approx(np.log([2, 4, 1]))
    assert task_losses.losses["L", 1] == pytest.approx(np.log([8, 1, 2]))
    assert task_losses.notes == (
        "/new/demo/age/std.8: loss L: 2 of 8 test cases left out: 1 with missing targets, 1 more to give all instances the same number",
    )


def test_the_same_cases_count_whichever_instance_is_evaluated_and_whatever_files_are_kept(mixed):
    predict(mixed, AGE_TASK, **PLAIN)
    before = compute(mixed, AGE_TASK, losses="S").losses
    second = compute(mixed, AGE_TASK, losses="S", instances=[1]).losses["S", 1]
    assert second.tolist() == before["S", 1].tolist()
    make_data(mixed, AGE_TASK)
    assert (place(mixed, AGE_TASK) / "targets.0").read_text() == " 20.5\n ?lost\n 34.5\n 41.5\n"
    assert (place(mixed, AGE_TASK) / "targets.1").read_text() == " 30:\n :40\n 39.5\n 23.5\n"
    after = compute(mixed, AGE_TASK, losses="S").losses
    (mixed / "data/demo/Dataset.data").unlink()
    alone = compute(mixed, AGE_TASK, losses="S").losses
    for key, values in before.items():
        assert values.tolist() == after[key].tolist() == alone[key].tolist()


@pytest.mark.parametrize("with_files", [True, False])
def test_what_is_predicted_of_a_bound_is_no_density_and_is_not_divided_by_the_scale(tmp_path, with_files):
    # Training ages of instance 0 have absolute deviation 6.
    root = archive_with(tmp_path, {2: "28:"}, "nm-abs censored=mark")
    if with_files:
        make_data(root, AGE_TASK)
        # (28 - 32) / 6 = -2/3.
        assert (place(root, AGE_TASK) / "targets.0").read_text().split()[1] == "-0.666666667:"
    predict(root, AGE_TASK, cptarg_0="0.6\n0.6\n6\n6\n", clptarg_L_1="0\n" * 4)
    task_losses = compute(root, AGE_TASK, losses="L", instances=[0])
    assert task_losses.losses == {}
    (place(root, AGE_TASK) / "clptarg.L.1").unlink()
    task_losses = compute(root, AGE_TASK, losses="L")
    assert task_losses.decoded["ptarg.0"] == [["0.1", "0.6", "1.0", "1.0"]]
    assert task_losses.losses["L", 0] == pytest.approx([np.log(10), -np.log(0.6), 0, 0])


def test_log_densities_of_bounds_lose_no_log_of_the_scale_either(tmp_path):
    root = archive_with(tmp_path, {2: "28:"}, "nm-abs censored=mark")
    predict(root, AGE_TASK, clptarg_0="-1\n-1\n-1\n-1\n")
    losses = compute(root, AGE_TASK, losses="L").losses["L", 0]
    assert losses == pytest.approx([1 + np.log(6), 1, 1 + np.log(6), 1 + np.log(6)])


def test_a_marked_bound_comes_back_from_its_code(tmp_path):
    root = archive_with(tmp_path, {2: "28:", 3: ":26"}, "nm-abs censored=mark")
    make_data(root, AGE_TASK)
    (target,) = open_task(root, AGE_TASK).true_targets(0)
    assert list(target.words) == ["20.5", "28.0:", ":26.0", "41.5"]


def test_probabilities_of_ordinal_values_beyond_a_bound_are_added(tmp_path):
    # KIDS from 0 to 3 as an ordinal target; a common test set of the first six cases: 0 1 2 3 0 1.
    root = small_archive(tmp_path)
    lines = [line.split() for line in case_lines().splitlines()]
    lines[1][2], lines[2][2] = "1:", ":2"
    data = "".join(" ".join(words) + "\n" for words in lines)
    specification = (root / "data/demo/Dataset.spec").read_text().replace("0..Inf", "0..3")
    prototask = SHADE.replace("Random-order", "retain").replace("SHADE", "3").replace(" KIDS", "")
    files = {"Dataset.spec": specification, "Dataset.data": data, "kids/Prototask.spec": prototask}
    files["kids/std.prior"] = "1 NLMH binary\n2 H real\n3 NLMH ordinal\n"
    write_tree(root / "data/demo", files)
    path = "demo/kids/std.4"
    write_tree(place(root, path), {"Coding-used": "KIDS copy\n"})
    predict(root, path, prob_0="1 2 3 4\n" * 6)
    task_losses = compute(root, path, losses="LQ")
    assert task_losses.losses["L", 0] == pytest.approx(-np.log(np.array([1, 9, 6, 4, 1, 2]) / 10))
    # Q: the four cases without a bound; (1 - p)^2 plus the other squares is 1.3 - 2 p.
    assert task_losses.losses["Q", 0] == pytest.approx(1.3 - 2 * np.array([0.1, 0.4, 0.1, 0.2]))


def test_an_instance_without_any_known_target_is_an_error(tmp_path):
    root = archive_with(tmp_path, {1: "1:", 2: "1:", 3: "1:", 4: "?"}, "copy")
    predict(root, AGE_TASK, **PLAIN)
    with pytest.raises(DelveError, match="expected a test case in every instance whose targets are known"):
        compute(root, AGE_TASK, losses="S")


def test_the_data_alone_say_which_cases_count(mixed):
    plan = open_task(mixed, AGE_TASK).plan
    assert [one.tolist() for one in plan_positions(plan.cases, plan.instances, "S")] == [[0, 2], [2, 3]]
    assert [one.tolist() for one in plan_positions(plan.cases, plan.instances, "L")] == [[0, 2, 3], [0, 1, 2]]


def test_constants_of_the_test_set_are_those_of_known_values(mixed):
    plan = open_task(mixed, AGE_TASK).plan
    variance = test_set_statistics(plan.cases, plan.prior, plan.instances)["S"][0]
    assert variance == pytest.approx(np.var([20.5, 34.5, 41.5, 39.5, 23.5], ddof=1))
