"""Losses of a method on a task, from its prediction files.

The tasks are those of `small_archive`. Worked by hand: the test ages of instance 0 of age/std.8 are 20.5 27.5
34.5 41.5; its training ages have median 32 and absolute deviation 6. The test shades of shade/std.4 are pink red
blue pink red blue."""

from types import SimpleNamespace

import numpy as np
import pytest

from delvecore.errors import DelveError, ParseError
from delvecore.losses.baselines import test_set_statistics
from delvecore.losses.compute import compute_task_losses, write_task_losses
from delvecore.losses.method_task import MethodTask, open_method_task
from delvecore.readers.hierarchy import Hierarchy
from delvecore.writers.task_files import write_task_data
from tests.archives import AGE, AGE_PRIOR, small_archive, write_tree

pytestmark = pytest.mark.usefixtures("losses_of_delve")

AGE_TASK, SHADE_TASK = "demo/age/std.8", "demo/shade/std.4"


def place(archive, path):
    directory = archive / "methods/new" / path
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def make_data(archive, path):
    plan = open_task(archive, path).plan
    statistics = test_set_statistics(plan.cases, plan.prior, plan.instances)
    write_task_data(plan, str(place(archive, path)), statistics)
    return place(archive, path)


def predict(archive, path, **files):
    """Write prediction files; `_` in a name stands for a dot."""
    write_tree(place(archive, path), {name.replace("_", "."): text for name, text in files.items()})


def open_task(archive, path):
    return open_method_task(Hierarchy([str(archive)]), "new", *path.split("/"))


def compute(archive, path, **options):
    """The losses, the notes, and the columns of the decoded predictions by name of their file."""
    files = {}
    losses, notes = compute_task_losses(open_task(archive, path), write=files.__setitem__, **options)
    lines = {name: map(str.split, text.splitlines()) for name, text in files.items()}
    decoded = {
        name: [list(column) for column in zip(*rows, strict=True)]
        for name, rows in lines.items()
        if not name.startswith("loss.")
    }
    return SimpleNamespace(losses=losses, notes=notes, decoded=decoded)


def test_coded_guesses_are_decoded_and_compared(archive):
    make_data(archive, AGE_TASK)
    predict(archive, AGE_TASK, cguess_0="0\n0\n0\n1\n")
    task_losses = compute(archive, AGE_TASK)
    assert task_losses.decoded == {"guess.0": [["32.0", "32.0", "32.0", "38.0"]]}
    assert task_losses.losses["A", 0] == pytest.approx([11.5, 4.5, 2.5, 3.5])
    assert task_losses.losses["S", 0] == pytest.approx([132.25, 20.25, 6.25, 12.25])
    assert task_losses.notes == ("/new/demo/age/std.8: no prediction files for loss L",)


def test_uncoded_guesses_are_taken_as_they_are(archive):
    predict(archive, AGE_TASK, guess_0="20.5\n28\n30\n41.5\n")
    assert compute(archive, AGE_TASK, losses="A").losses["A", 0] == pytest.approx([0, 0.5, 4.5, 0])


def test_targets_and_constants_are_the_same_with_and_without_their_files(archive):
    directory = make_data(archive, AGE_TASK)
    predict(archive, AGE_TASK, cguess_0="0.1\n0.2\n0.3\n0.4\n", cptarg_1="0.1\n0.2\n0.3\n0.4\n")
    before = compute(archive, AGE_TASK)
    for path in [*directory.glob("targets.*"), *directory.glob("normalize.*")]:
        path.unlink()
    after = compute(archive, AGE_TASK)
    assert before.decoded == after.decoded
    assert all((before.losses[key] == after.losses[key]).all() for key in before.losses)


def test_coded_densities_are_divided_by_the_scale(archive):
    # Absolute deviation 6: density 0.6 of the code is 0.1 of the age; log density -1 is -1 - log 6.
    predict(archive, AGE_TASK, cptarg_0="0.6\n6\n0\n0.6\n")
    task_losses = compute(archive, AGE_TASK, losses="L")
    assert task_losses.decoded == {"ptarg.0": [["0.1", "1.0", "0.0", "0.1"]]}
    assert task_losses.losses["L", 0] == pytest.approx([np.log(10), 0.0, np.inf, np.log(10)])


def test_coded_log_densities_lose_the_log_of_the_scale(archive):
    predict(archive, AGE_TASK, clptarg_L_0="-1\n0\n-Inf\n1\n")
    task_losses = compute(archive, AGE_TASK, losses="L")
    assert task_losses.decoded["lptarg.L.0"][0][:3] == ["-2.79175947", "-1.79175947", "-Inf"]
    assert task_losses.losses["L", 0] == pytest.approx([1 + np.log(6), np.log(6), np.inf, np.log(6) - 1])


def test_distribution_over_categories_serves_log_and_squared_probability_losses(archive):
    # First target pink with 1/4: -log(1/4), and (3/4)^2 + (1/4)^2 + (1/2)^2.
    predict(archive, SHADE_TASK, prob_0="1 1 2\n0 0 1\n1 0 0\n1 0 0\n1 0 0\n1 1 0\n")
    task_losses = compute(archive, SHADE_TASK, losses="LQ")
    assert task_losses.losses["L", 0] == pytest.approx([np.log(4), 0, np.inf, 0, np.inf, np.log(2)])
    assert task_losses.losses["Q", 0] == pytest.approx([0.875, 0, 2, 0, 2, 0.5])


def test_logs_of_probabilities_serve_too(archive):
    line = "0 0 0.6931471805599453\n"
    predict(archive, SHADE_TASK, lprob_0=line * 6)
    losses = compute(archive, SHADE_TASK, losses="L").losses["L", 0]
    assert losses == pytest.approx(np.log([4, 2, 4, 4, 2, 4]))


def test_guesses_of_categories_are_decoded_to_the_nearest_value(archive):
    make_data(archive, SHADE_TASK)
    predict(archive, SHADE_TASK, cguess_2="-1 -1\n.9 -.2\n1 -1\n1 1\n1 1\n0.1 -0.2\n")
    task_losses = compute(archive, SHADE_TASK, losses="Z")
    assert task_losses.decoded["guess.2"] == [["pink", "blue", "blue", "red", "red", "blue"]]
    assert task_losses.losses["Z", 2].tolist() == [0, 1, 0, 1, 0, 0]


def two_targets(archive, prior=AGE_PRIOR, targets="2 3"):
    specification = AGE.replace("Inputs: 1 3 4 5", "Inputs: 1 4").replace("Targets: 2", f"Targets: {targets}")
    write_tree(archive, {"data/demo/both/Prototask.spec": specification, "data/demo/both/std.prior": prior})
    return "demo/both/std.8"


def test_losses_of_several_targets_are_added(archive):
    # Numbers of children of the first cases: 0 1 2 3.
    path = two_targets(archive)
    predict(archive, path, guess_0="20.5 1\n28.5 1\n34.5 0\n40.5 0\n")
    task_losses = compute(archive, path, losses="AS")
    assert task_losses.losses["A", 0] == pytest.approx([1, 1, 2, 4])
    assert task_losses.losses["S", 0] == pytest.approx([1, 1, 4, 10])


def test_density_of_several_targets_is_divided_by_the_product_of_their_scales(archive):
    # Scales 6 and 8 / 7; an integer has a probability, and no scale.
    for kind, density in (("real", 7), ("integer", 8)):
        path = two_targets(archive, AGE_PRIOR.replace("3 NLMH integer", f"3 NLMH {kind}"))
        predict(archive, path, cptarg_0="48\n" * 4)
        losses = compute(archive, path, losses="L").losses["L", 0]
        assert losses == pytest.approx([-np.log(density)] * 4, abs=1e-8)


@pytest.mark.parametrize(("name", "word"), [("cptarg_0", "0.25"), ("clptarg_0", "-1.38629436")])
def test_the_probability_of_a_coded_integer_is_that_of_the_integer(archive, name, word):
    # Manual, section 5.2: of a discrete target L is minus the log of its probability, ln 4 here.
    path = two_targets(archive, targets="3")
    predict(archive, path, **{name: f"{word}\n" * 4})
    assert compute(archive, path, losses="L").losses["L", 0] == pytest.approx([np.log(4)] * 4)


def test_guess_of_an_integer_counts_though_its_code_had_few_digits(archive):
    # Numbers of children in the training set have median 1.5 and absolute deviation 8 / 7.
    path = two_targets(archive, AGE_PRIOR.replace("2 NLMH real", "2 NLMH angular unit=100"), targets="3")
    predict(archive, path, cguess_0="-1.3125\n-0.4375\n0.43751\n0.9\n")
    assert compute(archive, path, losses="Z").losses["Z", 0].tolist() == [0, 0, 0, 1]


def test_files_are_written_as_the_results_say(archive):
    directory = make_data(archive, AGE_TASK)
    predict(archive, AGE_TASK, cguess_0="0\n0\n0\n1\n")
    write_task_losses(open_task(archive, AGE_TASK), str(directory), losses="S")
    assert (directory / "guess.0").read_text() == "32.0\n32.0\n32.0\n38.0\n"
    assert (directory / "loss.S.0").read_text() == "132.25\n20.25\n6.25\n12.25\n"
    assert not (directory / "loss.A.0").exists()


@pytest.mark.slow
def test_recorded_losses_come_back_without_writing(golden_session):
    root = golden_session / "delve-golden"
    task = open_method_task(Hierarchy([str(root)]), "lin", "titanic", "survived", "std.160")
    losses, _ = compute_task_losses(task)
    assert sorted(losses) == [(loss, n) for loss in "LQZ" for n in range(4)]
    for (loss, n), values in losses.items():
        recorded = np.loadtxt(root / f"methods/lin/titanic/survived/std.160/loss.{loss}.{n}")
        assert values == pytest.approx(recorded, rel=1e-8)


def test_bad_prediction_file_is_named_and_leaves_the_old_losses(archive):
    directory = make_data(archive, AGE_TASK)
    old = {f"loss.{loss}.0": "1.0\n" for loss in "ALQSZ"}
    write_tree(directory, {"cguess.0": "0\nx\n0\n0\n", **old})
    with pytest.raises(ParseError, match=r"cguess\.0:2: expected a number, found 'x'"):
        write_task_losses(open_task(archive, AGE_TASK), str(directory))
    assert {file: (directory / file).read_text() for file in old} == old


def test_density_of_a_category_cannot_be_decoded(archive):
    predict(archive, SHADE_TASK, cptarg_0="1\n" * 6)
    with pytest.raises(DelveError, match="expected SHADE coded as nm-abs or nm-sqr to decode a density"):
        compute(archive, SHADE_TASK, losses="L")


def test_constants_that_are_nowhere_are_an_error(archive):
    directory = make_data(archive, AGE_TASK)
    (directory / "normalize.0").unlink()
    (archive / "data/demo/Dataset.data").unlink()
    predict(archive, AGE_TASK, cguess_0="0\n0\n0\n0\n")
    with pytest.raises(DelveError, match=r"expected normalize\.0, or the dataset to make it from"):
        compute(archive, AGE_TASK)


def test_what_cannot_be_computed_is_noted(archive):
    predict(archive, AGE_TASK, guess_S_0="1\n" * 4, guess_A_0="1\n" * 4, guess_A_1="1\n" * 4, prob_0="1\n")
    task_losses = compute(archive, AGE_TASK)
    assert sorted(task_losses.losses) == [("A", 0), ("A", 1), ("S", 0)]
    assert task_losses.notes == (
        "/new/demo/age/std.8: no loss of this task uses prob.0",
        "/new/demo/age/std.8: no prediction files for loss L",
        "/new/demo/age/std.8: no prediction file for loss S of instance 1",
    )


def test_task_without_predictions_is_noted_once(archive):
    place(archive, AGE_TASK)
    assert compute(archive, AGE_TASK).notes == ("/new/demo/age/std.8: no prediction files",)


def test_losses_are_multiplied_once_by_the_weights_of_the_test_cases(tmp_path, monkeypatch):
    root = small_archive(tmp_path)
    weights = np.array([0.5, 1, 2, 0.5, 1, 1])
    monkeypatch.setattr(MethodTask, "weights", lambda task, instance: weights)
    predict(root, SHADE_TASK, guess_0="red\n" * 6)
    # True: pink red blue pink red blue.
    losses = compute(root, SHADE_TASK, losses="Z").losses["Z", 0]
    assert losses == pytest.approx([0.5, 0, 2, 0.5, 0, 1])
