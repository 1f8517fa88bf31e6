"""`mstats` and `mtable` show metrics beside losses of cases."""

from pathlib import Path

from delvecore.cli.mstats import main as mstats
from tests.archives import write_tree
from tests.cli.running import Runner

PLACE = "demo/sex/std.4"


def two_methods(root: Path) -> None:
    """Two training sets, a common test set of 8 cases: `new` is wrong on 4 and 0 of them, `old` on 8 and 4."""
    for name, wrong in {"new": (4, 0), "old": (8, 4)}.items():
        losses = {f"loss.Z.{i}": "1\n" * count + "0\n" * (8 - count) for i, count in enumerate(wrong)}
        write_tree(root, {f"methods/{name}/{PLACE}/{file}": text for file, text in losses.items()})


def test_the_mean_of_a_metric_with_its_direction_and_error(small: Path, run_command: Runner) -> None:
    # Accuracies 0.5 and 1: mean 0.75, error sqrt(0.125 / 2) = 0.25.
    two_methods(small)
    assert run_command(mstats, "-l", "acc", f"/new/{PLACE}") == (
        0,
        f"/new/{PLACE}\n"
        "Metric: acc (accuracy, higher is better)\n"
        "\n"
        "                          Estimated expected acc:         0.75\n"
        "                     Standard error for estimate:         0.25\n"
        "\n"
        "    Based on 2 training sets, a value of the metric each.\n"
        "    One number for each training set: the error is that of this test set only.\n"
        "\n",
        "",
    )


def test_two_methods_by_a_metric_and_a_loss_the_first_less_the_second(small, run_command):
    two_methods(small)
    found = run_command(mstats, "-l", "Z accuracy", "-c", "old", f"/new/{PLACE}").out
    assert found.index("Loss: Z") < found.index("Metric: acc")
    said = found[found.index("Metric: acc") :]
    assert "Estimated expected acc for /new:         0.75" in said
    assert "Estimated expected difference:          0.5" in said
    turned = run_command(mstats, "-l", "acc", "-c", "new", f"/old/{PLACE}").out
    assert "Estimated expected difference:         -0.5" in turned


def test_a_metric_without_values_is_named_with_the_reason(small, run_command):
    two_methods(small)
    found = run_command(mstats, "-l", "kappa", f"/new/{PLACE}")
    assert "no predictions are kept" in found.err
    assert found.out == f"/new/{PLACE}\n"
