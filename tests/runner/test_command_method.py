"""Programs as methods: what they find, what they may leave, how they fail, what they cost."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from delvecore.methods.base_1 import Base1
from delvecore.runner.command_method import program_words
from tests.runner.archive import data_archive, numbers, plan, run_method
from tests.runner.programs import MEAN, program

pytestmark = pytest.mark.usefixtures("losses_of_delve")

TASK = "/demo/age/std.4"
POSIX = pytest.mark.skipif(os.name != "posix", reason="groups of processes and signals are those of POSIX")


def failures(tmp_path: Path, text: str, **options) -> list[str]:
    """What a program fails with on the instances of a small task, without the place."""
    root = data_archive(tmp_path)
    run_taken = run_method(plan(root, program(tmp_path, text, root=root, **options), TASK))
    return [failure.partition(": ")[2] for failure in run_taken]


def test_a_program_that_predicts_the_mean_loses_what_base_1_loses(tmp_path):
    root = data_archive(tmp_path)
    assert run_method(plan(root, program(tmp_path, MEAN, "mean", root=root), TASK)) == []
    assert run_method(plan(root, Base1(), TASK)) == []
    for instance in range(4):
        mine, theirs = (
            numbers(root / "methods" / name / TASK[1:] / f"loss.S.{instance}") for name in ("mean", "base-1")
        )
        assert mine == pytest.approx(theirs, rel=1e-3)  # base-1 is rounded to five digits


def test_a_program_finds_data_codings_and_specifications_and_no_true_targets(tmp_path):
    told = failures(tmp_path, "import os, sys; sys.exit(' '.join(sorted(os.listdir())))")[0]
    assert told.endswith(
        "ended with status 1: Coding-used Dataset.spec Prototask.spec normalize.0 std.prior test.0 train.0"
    )


def test_true_targets_are_given_where_they_are_asked_for(tmp_path):
    told = failures(tmp_path, "import os, sys; sys.exit(' '.join(sorted(os.listdir())))", with_targets=True)
    assert told[1].endswith("std.prior targets.1 test.1 train.1")


def test_the_environment_tells_what_a_program_has_before_it(tmp_path):
    text = """
import os, sys
rows = [line.split() for line in open("train." + os.environ["DELVE_INSTANCE"])]
names = "METHOD TASK INSTANCE LOSSES PRIOR TRAINING_CASES TEST_CASES INPUTS TARGETS".split()
sys.exit(" ".join([*(os.environ["DELVE_" + name] for name in names), f"{len(rows)}x{len(rows[0])}"]))
"""
    told = failures(tmp_path, text)[2]
    # SEX, KIDS, sine and cosine of HOUR, SHADE in two numbers (pink is passive); AGE.
    assert told.endswith(f"program {TASK} 2 ALS std.prior 4 2 6 1 4x7")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys; sys.exit('no  such\\nthing')", "ended with status 1: no such thing"),
        ("pass", "expected predictions in a file such as cguess.0, found none"),
        ("open('guess.7', 'w')", "expected predictions of instance 0, found guess.7"),
        ("open('prob.0', 'w').write('1\\n1\\n')", "no loss of this task uses prob.0"),
    ],
)
def test_what_goes_wrong_is_the_message_of_the_failure(tmp_path, text, message):
    failed = failures(tmp_path, text)
    assert len(failed) == 4
    assert message in failed[0]
    assert str(tmp_path) not in failed[0]


def test_only_the_end_of_a_long_message_is_kept(tmp_path):
    told = failures(tmp_path, "import sys; sys.exit('word ' * 10000 + 'the end')")[0]
    assert "ended with status 1: ... " in told
    assert told.endswith("word the end")
    assert len(told) < 500


@POSIX
def test_a_program_that_is_killed_says_by_which_signal(tmp_path):
    told = failures(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")[0]
    assert "was ended by SIGSEGV, without a message" in told


@pytest.mark.slow
@POSIX
def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path):
    mark = tmp_path / "late"
    child = f"import time; time.sleep(0.5); open({str(mark)!r}, 'w')"
    text = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {child!r}])"
    started = time.monotonic()
    failed = failures(tmp_path, text, time_limit=0.1)
    assert failed == [failed[0]] * 4
    assert "took longer than 0.1 seconds" in failed[0]
    time.sleep(max(0.0, 1.5 - (time.monotonic() - started)))
    assert not mark.exists()


@pytest.mark.slow
@POSIX
def test_costs_are_those_of_the_program(tmp_path):
    root = data_archive(tmp_path)
    text = f"import time; kept = b'x' * 300_000_000; end = time.process_time() + 0.1\n{MEAN}"
    text += "while time.process_time() < end: pass\n"
    outcomes = []
    run_method(plan(root, program(tmp_path, text, root=root), "/demo/age/std.8"), outcomes)
    for outcome in outcomes:
        assert 0.1 <= outcome.cost.seconds < 1.0
        assert 300 < outcome.cost.megabytes < 400


@pytest.mark.slow
@POSIX
def test_a_process_that_is_told_to_end_ends_its_program_first(tmp_path):
    from multiprocessing import get_context

    mark = tmp_path / "alive"
    text = f"import os, time; print(os.getpid(), file=open({str(mark)!r}, 'w')); time.sleep(60)"
    root = data_archive(tmp_path)
    process = get_context("spawn").Process(target=_run, args=(root, program(tmp_path, text, root=root)))
    process.start()
    assert _within(60, lambda: mark.exists() and mark.read_text().endswith("\n"))
    process.terminate()
    process.join(20)
    assert process.exitcode == 128 + signal.SIGTERM
    assert _within(5, lambda: not _lives(int(mark.read_text())))


def _within(seconds, happens) -> bool:
    deadline = time.monotonic() + seconds
    while not happens() and time.monotonic() < deadline:
        time.sleep(0.01)
    return happens()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _run(root, method):
    run_method(plan(root, method, TASK))


def test_words_that_name_files_become_full_paths(tmp_path):
    (tmp_path / "learn.py").touch()
    words = program_words(f"{sys.executable} learn.py 'two words' other.py", str(tmp_path))
    assert words == (sys.executable, str(tmp_path / "learn.py"), "two words", "other.py")
