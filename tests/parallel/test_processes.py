"""Calls in other processes and threads: as they are done, in order, and whatever becomes of a process."""

import os
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from delvecore.parallel import processes
from delvecore.parallel.answering import report
from delvecore.parallel.processes import Worker, WorkerDiedError, carry_out_all, in_order, in_processes
from tests.reliability.fuzzing import LONGEST, limited

pytestmark = pytest.mark.slow

KILLED = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")


class Numbered(NamedTuple):
    number: int

    @property
    def name(self) -> str:
        return str(self.number)

    def failed(self, error: BaseException) -> str:
        return str(error)


def test_outcomes_come_in_the_order_of_requests():
    def backwards(requests):
        for one in reversed(list(requests)):
            yield one, one.number**2

    listed = list(in_order(backwards, map(Numbered, range(4))))
    assert listed == [(Numbered(n), n**2) for n in range(4)]


def test_what_is_done_in_turn_is_not_held_back():
    asked = []

    def requests():
        for number in range(3):
            asked.append(number)
            yield Numbered(number)

    def one_by_one(given):
        for one in given:
            yield one, one.number

    outcomes = in_order(one_by_one, requests())
    assert next(outcomes) == (Numbered(0), 0)
    assert asked == [0]


def environment(name: str) -> str | None:
    return os.environ.get(name)


def test_processes_compute_in_one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    outcomes = in_processes(environment, ["OMP_NUM_THREADS", "PYTHONSAFEPATH"], workers=1)
    assert [future.result() for _, future in outcomes] == ["1", None]
    assert (os.environ["OMP_NUM_THREADS"], os.environ.get("PYTHONSAFEPATH")) == ("5", None)


def has_main_module(mark: str) -> bool:
    return hasattr(sys.modules["__main__"], mark)


def test_the_main_module_is_not_imported(tmp_path, monkeypatch):
    main = types.ModuleType("__main__")
    main.__file__ = str(tmp_path / "page.py")
    (tmp_path / "page.py").write_text("SHOWN = True")
    monkeypatch.setitem(sys.modules, "__main__", main)
    outcomes = in_processes(has_main_module, ["SHOWN"], workers=1)
    assert [future.result() for _, future in outcomes] == [False]
    assert sys.modules["__main__"] is main


SCRIPT = """
from delvecore.parallel.processes import Worker
class Point:
    pass
def moved(point):
    point.x += 1
    return point
point = Point()
point.x = 1
with Worker() as worker:
    moved = worker.submit(moved, point).result()
print(moved.x, type(moved) is Point)
"""


def test_a_script_may_send_what_it_defines(tmp_path):
    # It has no `if __name__ == "__main__"`: a process that imported it would start one more.
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=LONGEST
    )
    assert (done.stdout, done.stderr) == ("2 True\n", "")


class TwoPartsError(Exception):
    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)
        self.other = other


def refuse_in_two_parts() -> None:
    raise TwoPartsError("one", "other")


def leave() -> None:
    sys.exit(3)


def test_what_cannot_come_back_as_it_is_ends_its_call_only():
    with Worker() as worker:
        assert isinstance(worker.submit(refuse_in_two_parts).exception(), TypeError)
        assert isinstance(worker.submit(threading.Lock).exception(), TypeError)
        assert isinstance(worker.submit(leave).exception(), SystemExit)
        assert worker.submit(divided, 1).result() == 1


def fork_and_die() -> None:
    if os.fork() == 0:
        time.sleep(LONGEST)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)


@KILLED
def test_a_process_that_a_call_forked_does_not_hide_the_death_of_its_own():
    with limited("a fork"), Worker() as worker:
        assert "was ended by SIGKILL" in str(worker.submit(fork_and_die).exception())


def until(is_so: Callable[[], object]) -> None:
    """Wait, but not for ever: a process that waits in vain would keep the tests from ending."""
    end = time.monotonic() + LONGEST
    while not is_so():
        assert time.monotonic() < end, "waits in vain"
        time.sleep(0.01)


def wait_for(path: Path) -> None:
    until(path.exists)


def test_calls_come_as_they_are_done_and_are_asked_for_one_by_one(tmp_path):
    asked, last = [], tmp_path / "last"
    (first := tmp_path / "first").touch()

    def given():
        for path in (last, first, first, first):
            asked.append(path)
            yield path

    outcomes = in_processes(wait_for, given(), workers=2)
    assert next(outcomes)[0] == first
    assert asked == [last, first]
    assert [next(outcomes)[0], next(outcomes)[0]] == [first, first]
    last.touch()
    assert [path for path, _ in outcomes] == [last]


def divided(number: int) -> float:
    return 1 / number


def test_an_error_belongs_to_its_call():
    outcomes = dict(in_processes(divided, [0, 1], workers=1))
    assert isinstance(outcomes[0].exception(), ZeroDivisionError)
    assert outcomes[1].result() == 1


def answer_half(_: object) -> None:
    """Say that an answer of 100 bytes follows, and die."""
    frame = sys._getframe()
    while frame.f_code.co_name != "answer_calls":
        frame = frame.f_back
    os.write(frame.f_locals["answers"], (100).to_bytes(4, "big"))
    os.kill(os.getpid(), signal.SIGKILL)


@KILLED
def test_nobody_waits_for_the_rest_of_an_answer_whose_process_died():
    with limited("half an answer"):
        ((_, future),) = in_processes(answer_half, [None], workers=1)
    assert "was ended by SIGKILL, twice" in str(future.exception())


@KILLED
def test_ending_a_worker_leaves_no_thread_that_waits_for_half_an_answer():
    before = threading.active_count()
    with limited("half an answer"), Worker() as worker:
        worker.submit(answer_half, None)
    assert threading.active_count() == before


class DyingBench:
    """Kills its process for request 1 always, for request 2 once."""

    def carry_out(self, request: Numbered) -> str:
        mark = Path(f"died-{request.number}")
        if request.number == 1 or (request.number == 2 and not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"


@KILLED
def test_a_request_whose_process_dies_is_tried_once_more_and_then_fails_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcomes = carry_out_all(map(Numbered, range(5)), DyingBench, workers=2)
    assert {request.number: outcome for request, outcome in outcomes} == {
        **dict.fromkeys(range(5), "done"),
        1: "the process was ended by SIGKILL, twice; was there enough memory?",
    }


def sleep(path: Path) -> None:
    path.write_text(str(os.getpid()))
    time.sleep(60)


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def written(path: Path) -> int:
    until(lambda: path.exists() and path.read_text())
    return int(path.read_text())


def test_calls_under_way_end_where_the_caller_stops(tmp_path):
    (tmp_path / "first").touch()
    with closing(in_processes(wait_or_sleep, [tmp_path / "first", tmp_path / "last"], workers=2)) as outcomes:
        next(outcomes)
        process = written(tmp_path / "last")
    until(lambda: not is_there(process))


def wait_or_sleep(path: Path) -> None:
    if path.name == "last":
        sleep(path)
    else:
        written(path.with_name("last"))


ASKING = """
import pathlib, sys, time
from delvecore.parallel.processes import Worker
from tests.parallel.test_processes import sleep
if __name__ == "__main__":
    Worker().submit(sleep, pathlib.Path(sys.argv[1]))
    time.sleep(60)
"""


@KILLED
def test_a_process_ends_with_the_one_that_started_it(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", ASKING, str(tmp_path / "worker")])
    worker = written(tmp_path / "worker")
    process.kill()
    process.wait()
    until(lambda: not is_there(worker))


@KILLED
def test_a_worker_that_died_has_a_new_process():
    with Worker() as worker:
        first = worker.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        until(lambda: not is_there(first))
        assert worker.submit(divided, 1).result() == 1


def test_a_process_that_nobody_waits_for_lets_others_compute_first():
    least = os.nice(0) + 1
    with Worker(niceness=least) as nice, Worker(niceness=0) as usual:
        assert [worker.submit(os.nice, 0).result() for worker in (nice, usual)] == [least, least - 1]


def report_twice(number: int) -> int:
    report("begun")
    report(number)
    return number + 1


def test_a_call_reports_its_progress_before_its_answer_and_only_to_its_parent():
    steps = []
    with Worker(steps.append) as worker:
        assert worker.submit(report_twice, 1).result() == 2
        assert worker.submit(divided, 1).result() == 1
    assert steps == ["begun", 1]
    with Worker() as worker:
        assert worker.submit(report_twice, 1).result() == 2
    assert report_twice(1) == 2


def test_a_call_after_the_end_of_all_workers_fails_as_one_whose_process_died():
    with Worker() as worker:
        assert worker.submit(divided, 1).result() == 1
        processes.end_all()
        assert isinstance(worker.submit(divided, 1).exception(), WorkerDiedError)


def test_what_threads_make_comes_in_order_and_no_more_is_taken_than_there_are_cores(monkeypatch):
    monkeypatch.setattr(processes, "usable_cores", lambda: 2)
    taken, second_is_done = [], threading.Event()

    def given():
        for number in range(6):
            taken.append(number)
            yield number

    def made(number):
        if number == 0:
            assert second_is_done.wait(30)
        second_is_done.set()
        return number * number

    made_values = processes.in_threads(made, given())
    assert next(made_values) == 0
    assert taken == [0, 1, 2]
    assert list(made_values) == [1, 4, 9, 16, 25]


def test_a_single_result_needs_no_thread():
    # Starting one takes longer than a table of a few methods.
    assert list(processes.in_threads(lambda _: threading.current_thread(), [0])) == [
        threading.current_thread()
    ]
    assert list(processes.in_threads(lambda _: 1, [])) == []


def test_an_error_in_a_thread_is_told():
    def refuse(_):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        list(processes.in_threads(refuse, range(3)))


def _slow_double(number):
    time.sleep(0.01)
    return 2 * number, os.getpid()


def test_this_process_computes_until_another_has_started():
    outcomes = list(in_processes(_slow_double, range(400), workers=1, meanwhile=_slow_double))
    answers = {number: future.result() for number, future in outcomes}
    assert {number: double for number, (double, _) in answers.items()} == {n: 2 * n for n in range(400)}
    processes = [answers[number][1] for number in sorted(answers)]
    assert os.getpid() in processes
    assert len(set(processes)) <= 2


def test_this_process_computes_nothing_unless_it_should():
    outcomes = in_processes(_slow_double, range(3), workers=1)
    assert os.getpid() not in {future.result()[1] for _, future in outcomes}
