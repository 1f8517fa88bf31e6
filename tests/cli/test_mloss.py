"""`mloss` decodes predictions and makes loss files."""

import itertools
import shutil

import pytest

from delvecore.cli import mgendata, mloss
from delvecore.losses.standard_losses import LOSSES
from tests.archives import write_tree
from tests.shared import SESSION, shared_cases

pytestmark = pytest.mark.usefixtures("losses_of_delve")

TASKS = (
    "titanic/survived/std.20",
    "titanic/survived/std.160",
    "kin-8nm/dist/std.64",
    "kin-8nm/dist/std.1024",
)
PREDICTED = ("cguess.", "clptarg.", "prob.")


@pytest.fixture
def task(small, run_command):
    """The directory of a method's task age/std.8: two instances, four test cases each; data files made."""
    directory = small / "methods/mymethod/demo/age/std.8"
    directory.mkdir(parents=True)
    assert run_command(mgendata.main, "-q", directory=directory).code == 0
    return directory


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.parametrize(
    "case",
    shared_cases(SESSION, itertools.product(("lin", "mean"), TASKS, ("data files", "predictions only"))),
)
def test_recorded_files_are_reproduced_byte_for_byte(golden_session, tmp_path, run_command, case):
    name, task, kept = case
    # Also where targets.n and normalize.n were removed, as section 7.5 suggests.
    recorded = golden_session / "delve-golden/methods" / name / task
    root = tmp_path / "delve-golden"
    directory = root / "methods" / name / task
    directory.mkdir(parents=True)
    (root / "data").symlink_to(golden_session / "delve-golden/data")
    wanted = (*PREDICTED, "Coding-used")
    if kept == "data files":
        wanted += ("targets.", "normalize.")
    for path in recorded.iterdir():
        if path.name.startswith(wanted):
            shutil.copy(path, directory)
    outcome = run_command(mloss.main, "-q", directory=directory, path="")
    record = f"mloss_{name}_{task.replace('/', '_')}.out"
    assert outcome == (0, (golden_session / "expected" / record).read_text(), "")
    made = contents(directory)
    assert {name for name in made if name.startswith("loss.")} == {
        path.name for path in recorded.glob("loss.*")
    }
    expected = contents(recorded)
    assert made == {name: expected[name] for name in made}


def test_progress_is_what_the_manual_shows(task, run_command):
    write_tree(task, {f"cguess.S.{n}": "0.0\n" * 4 for n in range(2)})
    outcome = run_command(mloss.main, "-l", "S", directory=task)
    lines = []
    for n in range(2):
        lines += [f"  decoding cguess.S.{n}...", f"  decoding targets.{n}...", f"  creating loss.S.{n}..."]
    assert outcome == (0, "", "\n".join(lines) + "\n")
    assert sorted(path.name for path in task.glob("*guess*")) == [
        *("cguess.S.0", "cguess.S.1", "guess.S.0", "guess.S.1")
    ]


def test_only_the_instances_asked_for_are_evaluated(task, run_command):
    write_tree(task, {f"guess.{n}": "1\n" * 4 for n in range(2)})
    assert run_command(mloss.main, "-q", "-l", "S A", "-i", "1", directory=task) == (0, "", "")
    assert sorted(path.name for path in task.glob("loss.*")) == ["loss.A.1", "loss.S.1"]
    assert run_command(mloss.main, "-q", "-l", "A", "-i", "all", directory=task).code == 0
    assert (task / "loss.A.0").exists()


def test_loss_without_predictions_is_a_warning(task, run_command):
    write_tree(task, {f"guess.{n}": "1\n" * 4 for n in range(2)})
    outcome = run_command(mloss.main, "-q", directory=task)
    warning = "mloss: warning: /mymethod/demo/age/std.8: no prediction files for loss L\n"
    assert outcome == (0, "", warning)
    assert sorted(path.name for path in task.glob("loss.*")) == [
        "loss.A.0",
        "loss.A.1",
        "loss.S.0",
        "loss.S.1",
    ]


def test_method_is_evaluated_on_all_its_tasks(task, run_command):
    write_tree(task, {"guess.0": "1\n" * 4})
    (task.parent / "std.4").mkdir()
    outcome = run_command(mloss.main, "-l", "S", directory=task.parents[2])
    assert outcome.err.splitlines() == [
        "./demo/age/std.4",
        "mloss: warning: /mymethod/demo/age/std.4: no prediction files",
        "./demo/age/std.8",
        "  decoding targets.0...",
        "  creating loss.S.0...",
    ]


def test_specialized_losses_stand_wherever_a_standard_loss_could(small, run_command):
    # Section 5.3. The loss files bear the names of the losses.
    directory = small / "methods/mymethod/demo/sex/std.4"
    write_tree(small / "data/demo/sex", {"costs": "0 1\n5 0\n2 2\n"})
    write_tree(directory, {f"guess.{n}": "male\n" * 7 + "?\n" for n in range(4)})
    outcome = run_command(mloss.main, "-q", "-l", "Z0.2N Mcosts", directory=directory)
    assert outcome == (0, "", "")
    losses = [f"loss.{loss}.{n}" for loss in ("Mcosts", "Z0.2N") for n in range(4)]
    assert sorted(path.name for path in directory.glob("loss.*")) == losses
    assert (directory / "loss.Z0.2N.0").read_text().split()[-1] == "0.2"
    assert (directory / "loss.Mcosts.3").read_text().split()[-1] == "2.0"


def test_predictions_may_lie_in_another_delve_directory(task, small, tmp_path, run_command):
    own = tmp_path / "delve-own"
    directory = own / "methods" / task.relative_to(small / "methods")
    directory.mkdir(parents=True)
    (own / "data").mkdir()
    write_tree(task, {"guess.0": "1\n" * 4})
    assert run_command(mloss.main, "-q", "-l", "S", directory=directory, path=small).code == 0
    assert [path.name for path in directory.iterdir()] == ["loss.S.0"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-l", "SX"],
            f"-l: expected some of {', '.join(LOSSES)}, or specialized losses such as "
            "Z0.2N and Mcosts, found 'SX'",
        ),
        (["-l", "SAS"], "-l: expected each loss or metric once, found S again"),
        (
            ["-i", "9"],
            "/mymethod/demo/age/std.8: expected instances from 0 to 1, found 9; give other numbers after -i",
        ),
        (
            ["-i", "0 2"],
            "/mymethod/demo/age/std.8: expected instances from 0 to 1, found 2; give other numbers after -i",
        ),
        (["-i", "0 x"], "-i: expected instance numbers such as '0 1 2', or all, found '0 x'"),
    ],
)
def test_option_without_meaning_is_an_error(task, run_command, arguments, message):
    assert run_command(mloss.main, *arguments, directory=task) == (1, "", f"mloss: {message}\n")
