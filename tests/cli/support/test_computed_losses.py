"""`mstats` computes losses from prediction files where there are no loss files, and writes nothing."""

import pytest

from delvecore.cli import mgendata, mloss, mstats
from tests.archives import write_tree

AGE = "demo/age/std.4"


@pytest.fixture
def task(small, run_command):
    """A task directory of a method with guesses that are one year off, more with each instance."""
    directory = small / "methods/mymethod" / AGE
    directory.mkdir(parents=True)
    assert run_command(mgendata.main, "-q", directory=directory).code == 0
    ages = [float(line.split()[1]) for line in (small / "data/demo/Dataset.data").read_text().splitlines()]
    guesses = {f"guess.{n}": f"{ages[2 * n] + n + 1}\n{ages[2 * n + 1] - 2}\n" for n in range(4)}
    write_tree(directory, guesses)
    return directory


def files(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def first_number(text, title):
    (value,) = {line.split(title)[1].split()[0] for line in text.splitlines() if title in line} - {""}
    return float(value)


def test_statistics_are_those_that_loss_files_give(task, run_command):
    before = files(task)
    computed = run_command(mstats.main, "-l", "S A", directory=task)
    assert files(task) == before
    assert run_command(mloss.main, "-q", "-l", "S A", directory=task).code == 0
    assert computed == run_command(mstats.main, "-l", "S A", directory=task)
    assert computed.code == 0
    # Losses S: 1 4, 4 4, 9 4, 16 4 (within the 9 digits of the coded targets): mean 46 / 8.
    assert first_number(computed.out.partition("Loss: A")[0], "Estimated expected loss:") == pytest.approx(
        5.75, rel=1e-7
    )


def test_losses_asked_for_are_computed_beside_loss_files(task, run_command):
    assert run_command(mloss.main, "-q", "-l", "A", directory=task).code == 0
    assert "Loss: S" not in run_command(mstats.main, directory=task).out
    outcome = run_command(mstats.main, "-l", "SA", directory=task)
    assert [line for line in outcome.out.splitlines() if line.startswith("Loss:")] == [
        "Loss: S (Squared error)",
        "Loss: A (Absolute error)",
    ]
    assert sorted(path.name for path in task.glob("loss.S.*")) == []


def test_a_compared_method_may_have_predictions_only(task, run_command):
    outcome = run_command(mstats.main, "-c", "mymethod", "-l", "S", "/base/" + AGE)
    assert outcome.code == 0
    value = first_number(outcome.out, "Estimated expected loss for /mymethod:")
    assert value == pytest.approx(5.75, rel=1e-7)


def test_without_test_set_stats_losses_are_standardized_from_the_data(task, run_command):
    with_file = run_command(mstats.main, directory=task).out
    (task / "Test-set-stats").unlink()
    assert run_command(mstats.main, directory=task).out == with_file
    assert "undefined" not in with_file


def test_loss_that_no_prediction_serves_is_a_warning(task, run_command):
    outcome = run_command(mstats.main, "-l", "L", directory=task)
    warning = f"mstats: warning: /mymethod/{AGE}: no files loss.L.* found; mloss makes them\n"
    assert outcome == (0, f"/mymethod/{AGE}\n", warning)
