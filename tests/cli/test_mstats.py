import shutil
import tarfile
from pathlib import Path

import pytest

from delvecore.cli import mgendata, mloss
from delvecore.cli.mstats import main
from delvecore.losses.standard_losses import LOSSES
from delvecore.readers import tar_archives
from tests.archives import small_archive, write_tree
from tests.cli.running import Runner

TITLES = "                                                      Raw value   Standardized\n"
AGE, SEX = "demo/age/std.4", "demo/sex/std.4"


def write_losses(root: Path, method: str, task: str, loss: str, rows: list[list[float]]) -> None:
    """Write loss files of a new method of an archive, one row per instance."""
    place = f"methods/{method}/{task}"
    write_tree(root, {f"{place}/loss.{loss}.{i}": "\n".join(map(str, row)) for i, row in enumerate(rows)})


def test_hierarchical_estimate_worked_by_hand(small: Path, run_command: Runner) -> None:
    # Means 2 and 6, so MS_a = 2 (4 + 4) = 16 and MS_e = 2; the variances are (16 - 2)/2 = 7 and 2,
    # and the error is sqrt(7/2 + 2/4) = 2. S is standardized by 2, after rounding to 9 digits.
    write_losses(small, "new", AGE, "S", [[1, 3], [5, 7]])
    write_tree(small, {f"methods/new/{AGE}/Test-set-stats": "S 2.0\n"})
    out = run_command(main, f"/new/{AGE}").out
    assert "                         Estimated expected loss:          4.0           2.0\n" in out
    assert "                     Standard error for estimate:          2.0           1.0\n" in out
    assert "     SD from training sets & stochastic training:   2.64575131    1.32287566\n" in out
    assert "SD from test cases & stoch. pred. & interactions:   1.41421356    0.70710678\n" in out


def test_hierarchical_comparison_worked_by_hand(small: Path, run_command: Runner) -> None:
    # As above against zeros: t = 4 / sqrt(16/4) = 2 with one degree of freedom, p = 1 - 2 atan(2) / pi.
    write_losses(small, "new", AGE, "S", [[1, 3], [5, 7]])
    write_losses(small, "zero", AGE, "S", [[0, 0], [0, 0]])
    out = run_command(main, "-c", "/zero", f"/new/{AGE}").out
    assert "                 Estimated expected loss for new:          4.0     undefined\n" in out
    assert "               Estimated expected loss for /zero:          0.0     undefined\n" in out
    assert "                   Estimated expected difference:          4.0     undefined\n" in out
    assert "    Significance of difference (t-test), p = 0.295167235\n" in out


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("a,b", ["a", "b"]),
        ("/a/ b/", ["a", "b"]),
        ("Random Forest", ["Random Forest"]),
    ],
)
def test_names_behind_c_are_a_list_or_one_name(small, run_command, text, compared):
    for number, name in enumerate(("new", "a", "b", "a b", "Random Forest")):
        write_losses(small, name, AGE, "S", [[number, 3], [5, 7]])
    out = run_command(main, "-c", text, f"/new/{AGE}").out
    assert [name for name in ("a", "b", "a b", "Random Forest") if f"loss for /{name}:" in out] == compared


def test_standardizer_is_also_taken_from_the_compared_method(small, run_command):
    write_losses(small, "new", AGE, "S", [[1, 3], [5, 7]])
    write_losses(small, "zero", AGE, "S", [[0, 0], [0, 0]])
    write_tree(small, {f"methods/zero/{AGE}/Test-set-stats": "S 1.5 2.5\n"})
    out = run_command(main, "-c", "zero", f"/new/{AGE}").out
    assert "                   Estimated expected difference:          4.0           1.0\n" in out


def test_one_training_set_gives_an_estimate_and_the_reason(small, run_command):
    write_losses(small, "new", AGE, "S", [[1, 3]])
    write_losses(small, "new", SEX, "Z", [[1, 0]])
    reason = (
        "\n"
        "    No standard error: one training set: a variance cannot be estimated from a\n"
        "    single observation.\n"
        "\n"
        "    Based on one training set containing 4 cases and\n"
    )
    assert run_command(main, f"/new/{AGE}").out == (
        f"/new/{AGE}\nLoss: S (Squared error)\n{TITLES}\n"
        "                         Estimated expected loss:          2.0     undefined\n"
        f"{reason}             one test set containing 2 cases.\n\n"
    )
    out = run_command(main, f"/new/{SEX}").out
    assert out.endswith(f"{reason}             one common test set containing 2 cases.\n\n")
    write_losses(small, "zero", AGE, "S", [[0, 0]])
    out = run_command(main, "-c", "zero", f"/new/{AGE}").out
    assert "expected difference:          2.0     undefined\n" + reason in out
    assert "Significance" not in out


def test_the_safe_test_of_disjoint_test_sets_is_the_t_test(small, run_command):
    write_losses(small, "new", AGE, "S", [[1, 3], [5, 7]])
    write_losses(small, "zero", AGE, "S", [[0, 0], [0, 0]])
    out = run_command(main, "--safe", "-l", "S", "-c", "zero", f"/new/{AGE}").out
    # p = 1 - 2 atan(2) / pi; 4 -+ 2 tan(0.475 pi).
    assert "(t-test), p = 0.295167235\n    Safe test, p = 0.295167235, 95 % interval -21.41" in out
    out = run_command(main, "--safe", "-c", "base", f"/base/{SEX}").out
    assert "p = undefined\n    Safe test, p = undefined\n" in out


def test_few_training_sets_give_no_more_than_a_level_under_the_f_test(small, run_command):
    # Differences near 0.9 with variations of both kinds far below it.
    row = [0.9, 0.91, 0.89, 0.905, 0.895, 0.92, 0.88, 0.9]
    rows = [[value + 0.001 * i + 0.002 * (i * j % 3) for j, value in enumerate(row)] for i in range(3)]
    write_losses(small, "new", SEX, "Z", rows)
    write_losses(small, "zero", SEX, "Z", [[0] * 8] * 3)
    out = run_command(main, "-c", "zero", f"/new/{SEX}").out
    assert "(F-test), p < 0.05\n" in out
    assert "    Based on 3 disjoint training sets, each containing 4 cases and \n" in out


def test_losses_come_in_the_order_asked_for_with_and_without_blanks(small, run_command):
    def order(*arguments: str) -> list[str]:
        lines = run_command(main, *arguments).out.splitlines()
        return [line[6] for line in lines if line.startswith("Loss: ")]

    assert order(f"/base/{AGE}") == ["A", "S"]
    assert order("-l", "S A", f"/base/{AGE}") == ["S", "A"]
    assert order("-lSA", f"/base/{AGE}") == ["S", "A"]
    assert order(f"/line/{SEX}") == ["L", "Z"]


def test_specialized_losses_follow_the_letters_and_are_named_in_words(small, run_command):
    write_losses(small, "new", SEX, "Z", [[1, 0]])
    write_losses(small, "new", SEX, "Z0.2N", [[0.2, 0]])
    write_losses(small, "new", SEX, "Mcosts", [[3, 0]])
    write_tree(small, {"data/demo/sex/costs": "0 1\n5 0\n"})

    def headings(*arguments: str) -> list[str]:
        lines = run_command(main, *arguments, f"/new/{SEX}").out.splitlines()
        return [line for line in lines if line.startswith("Loss: ")]

    assert headings() == [
        "Loss: Z (Zero-one)",
        "Loss: Mcosts (Loss matrix costs)",
        "Loss: Z0.2N (Zero-one, no guess 0.2)",
    ]
    assert headings("-l", "Z0.2N Z") == ["Loss: Z0.2N (Zero-one, no guess 0.2)", "Loss: Z (Zero-one)"]


def test_a_loss_asked_for_without_files_is_a_warning(small, run_command):
    outcome = run_command(main, "-l", "QS", f"/base/{AGE}")
    assert outcome.code == 0
    assert outcome.out.startswith(f"/base/{AGE}\nLoss: S")
    assert outcome.err == f"mstats: warning: /base/{AGE}: no files loss.Q.* found; mloss makes them\n"


def test_every_task_below_is_visited_in_lexical_order(small, run_command):
    write_tree(small, {"methods/line/demo/age/std.128/x": "", "methods/line/demo/Notes": ""})
    paths = [line for line in run_command(main, "-l", "S", "/").out.splitlines() if line.startswith("/")]
    tasks = ["age/std.128", "age/std.4", "age/std.8", "sex/std.4"]
    assert paths == [f"/base/demo/{name}" for name in ("age/std.4", "sex/std.4")] + [
        f"/line/demo/{name}" for name in tasks
    ]
    relative = run_command(main, "demo", directory=small / "methods/line").out
    assert relative == run_command(main, "/line/demo").out
    assert relative.startswith("/line/demo/age/std.128\n/line/demo/age/std.4\nLoss: A")


def test_other_base_names(small, run_command):
    place = small / "methods/base" / AGE
    for i in range(4):
        (place / f"loss.S.{i}").rename(place / f"my.loss.S.{i}")
    assert "Loss: S" not in run_command(main, f"/base/{AGE}").out
    out = run_command(main, "-i", "my.loss", f"/base/{AGE}").out
    assert [line for line in out.splitlines() if line.startswith("Loss")] == ["Loss: S (Squared error)"]


def test_methods_are_compared_on_the_instances_that_both_have(small: Path, run_command: Runner) -> None:
    # As two instances against zeros, worked by hand above; the first method lacks 0, the other 2.
    write_losses(small, "new", AGE, "S", [[9, 9], [1, 3], [8, 8], [5, 7]])
    write_losses(small, "zero", AGE, "S", [[9, 9], [0, 0], [8, 8], [0, 0]])
    (small / "methods/new" / AGE / "loss.S.0").unlink()
    (small / "methods/zero" / AGE / "loss.S.2").unlink()
    outcome = run_command(main, "-c", "zero", f"/new/{AGE}")
    assert outcome.code == 0
    assert "                   Estimated expected difference:          4.0     undefined\n" in outcome.out
    assert "    Significance of difference (t-test), p = 0.295167235\n" in outcome.out
    assert "    Based on 2 disjoint training sets" in outcome.out
    said = "compared on the 2 instances in common, of 3 and 3"
    assert outcome.err == f"mstats: warning: /new/{AGE}, loss S, against /zero: {said}\n"


def test_methods_without_a_common_instance_are_not_compared(small, run_command):
    write_losses(small, "new", AGE, "S", [[1, 3], [5, 7]])
    write_losses(small, "zero", AGE, "S", [[0, 0], [0, 0]])
    (small / "methods/new" / AGE / "loss.S.0").unlink()
    (small / "methods/zero" / AGE / "loss.S.1").unlink()
    said = f"mstats: warning: /new/{AGE}, loss S, against /zero: not compared: no instance in common\n"
    assert run_command(main, "-c", "zero", f"/new/{AGE}") == (0, f"/new/{AGE}\n", said)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/none"], "/none: expected a directory of a method, found none; check the name"),
        (
            ["-c", "none", "/base"],
            "none: expected a method to compare with, found none; mls / lists the methods",
        ),
        (
            ["-l", "SX", "/base"],
            f"expected losses among {' '.join(LOSSES)}, or specialized ones such as Z0.2N and "
            "Mcosts, after -l, found 'X'",
        ),
    ],
)
def test_wrong_requests_are_named(arguments, message, small, run_command):
    assert run_command(main, *arguments) == (1, "", f"mstats: {message}\n")


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
    computed = run_command(main, "-l", "S A", directory=task)
    assert files(task) == before
    assert run_command(mloss.main, "-q", "-l", "S A", directory=task).code == 0
    assert computed == run_command(main, "-l", "S A", directory=task)
    assert computed.code == 0
    # Losses S: 1 4, 4 4, 9 4, 16 4 (within the 9 digits of the coded targets): mean 46 / 8.
    assert first_number(computed.out.partition("Loss: A")[0], "Estimated expected loss:") == pytest.approx(
        5.75, rel=1e-7
    )


def test_losses_asked_for_are_computed_beside_loss_files(task, run_command):
    assert run_command(mloss.main, "-q", "-l", "A", directory=task).code == 0
    assert "Loss: S" not in run_command(main, directory=task).out
    outcome = run_command(main, "-l", "SA", directory=task)
    assert [line for line in outcome.out.splitlines() if line.startswith("Loss:")] == [
        "Loss: S (Squared error)",
        "Loss: A (Absolute error)",
    ]
    assert sorted(path.name for path in task.glob("loss.S.*")) == []


def test_a_compared_method_may_have_predictions_only(task, run_command):
    outcome = run_command(main, "-c", "mymethod", "-l", "S", "/base/" + AGE)
    assert outcome.code == 0
    value = first_number(outcome.out, "Estimated expected loss for /mymethod:")
    assert value == pytest.approx(5.75, rel=1e-7)


def test_without_test_set_stats_losses_are_standardized_from_the_data(task, run_command):
    with_file = run_command(main, directory=task).out
    (task / "Test-set-stats").unlink()
    assert run_command(main, directory=task).out == with_file
    assert "undefined" not in with_file


PLACE = "demo/sex/std.4"


def two_methods(root: Path) -> None:
    """Two training sets, a common test set of 8 cases: `new` is wrong on 4 and 0 of them, `old` on 8 and
    4."""
    for name, wrong in {"new": (4, 0), "old": (8, 4)}.items():
        losses = {f"loss.Z.{i}": "1\n" * count + "0\n" * (8 - count) for i, count in enumerate(wrong)}
        write_tree(root, {f"methods/{name}/{PLACE}/{file}": text for file, text in losses.items()})


def test_the_mean_of_a_metric_with_its_direction_and_error(small: Path, run_command: Runner) -> None:
    # Accuracies 0.5 and 1: mean 0.75, error sqrt(0.125 / 2) = 0.25.
    two_methods(small)
    assert run_command(main, "-l", "acc", f"/new/{PLACE}") == (
        0,
        f"/new/{PLACE}\n"
        "Metric: acc (accuracy, higher is better)\n"
        "\n"
        "                          Estimated expected acc:         0.75\n"
        "                     Standard error for estimate:         0.25\n"
        "\n"
        "    Based on 2 training sets, with one value of the metric per set.\n"
        "    One number for each training set: the error is that of this test set only.\n"
        "\n",
        "",
    )


def test_two_methods_by_a_metric_and_a_loss_the_first_less_the_second(small, run_command):
    two_methods(small)
    out = run_command(main, "-l", "Z accuracy", "-c", "old", f"/new/{PLACE}").out
    assert out.index("Loss: Z") < out.index("Metric: acc")
    said = out[out.index("Metric: acc") :]
    assert "Estimated expected acc for /new:         0.75" in said
    assert "Estimated expected difference:          0.5" in said
    turned = run_command(main, "-l", "acc", "-c", "new", f"/old/{PLACE}").out
    assert "Estimated expected difference:         -0.5" in turned


def test_a_metric_without_values_is_named_with_the_reason(small, run_command):
    two_methods(small)
    outcome = run_command(main, "-l", "kappa", f"/new/{PLACE}")
    assert "no predictions are kept" in outcome.err
    assert outcome.out == f"/new/{PLACE}\n"


@pytest.mark.parametrize("losses", ["QQ", "S A S", "auc auc"])
def test_a_loss_that_is_listed_twice_is_an_error(small: Path, run_command: Runner, losses: str) -> None:
    twice = losses.split()[0][:3] if losses != "QQ" else "Q"
    outcome = run_command(main, "-l", losses, f"/base/{SEX}")
    assert outcome.code == 1
    assert outcome.err == f"mstats: -l: expected each loss or metric once, found {twice} again\n"


def test_all_losses_at_once_are_those_that_the_targets_allow(small: Path, run_command: Runner) -> None:
    # The binary target of sex/std.4 allows L, Q and Z. Files have Z alone; probabilities give L and Q too.
    directory = small / "methods/base" / SEX
    assert headings(run_command(main, f"/base/{SEX}").out) == ["Z"]
    outcome = run_command(main, "-l", "all", f"/base/{SEX}")
    assert headings(outcome.out) == ["Z"]
    assert [f"no files loss.{loss}.* found" in outcome.err for loss in "ALQSZ"] == [
        False,
        True,
        True,
        False,
        False,
    ]
    for instance in range(4):
        (directory / f"prob.{instance}").write_text("0.5 0.5\n" * 8)
    outcome = run_command(main, "-l", "all", f"/base/{SEX}")
    assert headings(outcome.out) == ["L", "Q", "Z"]
    assert outcome.err == ""
    # Each case: -ln 1/2 = 0.693147181, and (1 - 1/2)^2 + (1/2)^2 = 0.5.
    estimates = [line.split()[3] for line in outcome.out.splitlines() if "Estimated expected loss" in line]
    assert estimates[:2] == ["0.693147181", "0.5"]
    compared = run_command(main, "-l", "all", "-c", "line", f"/base/{SEX}")
    assert headings(compared.out) == ["L", "Z"]
    assert "/line/demo/sex/std.4: no files loss.Q.* found" in compared.err


def headings(out: str) -> list[str]:
    return [line.split()[1] for line in out.splitlines() if line.startswith("Loss: ")]


def test_indexes_of_archive_files_are_kept_between_runs(
    tmp_path: Path, run_command: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = small_archive(tmp_path), tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    name, task = "new", "new/demo/age/std.4"
    write_losses(root, name, AGE, "S", [[1, 3], [5, 7]])
    with tarfile.open(root / "methods" / f"{name}.tar.gz", "w:gz") as tar:
        tar.add(root / "methods" / name, name)
    shutil.rmtree(root / "methods" / name)
    first = run_command(main, f"/{task}", directory=root)
    assert "Loss: S" in first.out
    monkeypatch.setattr(tar_archives, "_indexes", {})  # as in another process
    monkeypatch.setattr(tar_archives, "index_archive", None)  # another call would fail
    assert run_command(main, f"/{task}", directory=root) == first
