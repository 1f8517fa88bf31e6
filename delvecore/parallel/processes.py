"""Worker processes on this machine; each may die at any time.

A worker is one process, so a dead process identifies its call; in a `ProcessPoolExecutor`, all calls would
fail. A call whose process dies is tried once more in a new process. If that dies as well, only this call
fails. Workers compute, and their parent writes the results, so no file is half-written."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import uuid
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

import cloudpickle

Given = TypeVar("Given")
Found = TypeVar("Found")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Variables with the number of threads of linear algebra libraries; they apply before the import."""


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(function: Callable[[Given], Found], given: Iterable[Given]) -> Iterator[Found]:
    """Yield results in order; at most one per core is computed ahead. A single one needs no thread."""
    waiting, remaining = deque[Future[Found]](), iter(given)
    start = list(islice(remaining, 2))
    if len(start) < 2:
        yield from map(function, start)
        return
    with ThreadPoolExecutor(usable_cores()) as pool:
        for one in chain(start, remaining):
            if len(waiting) == usable_cores():
                yield waiting.popleft().result()
            waiting.append(pool.submit(function, one))
        while waiting:
            yield waiting.popleft().result()


def compute_in_one_thread() -> None:
    """Make processes compute in one thread, because the order of parallel sums changes the last digits."""
    os.environ.update(dict.fromkeys(THREADS, "1"))


@contextmanager
def single_threaded() -> Iterator[None]:
    """Make loaded libraries compute in one thread, if threadpoolctl is installed."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(1):
        yield


Asked = TypeVar("Asked", bound="Request[Any]")
Outcome = TypeVar("Outcome")
Wanted = TypeVar("Wanted", contravariant=True)
Made = TypeVar("Made", covariant=True)
Parameters = ParamSpec("Parameters")
PATIENCE = 5.0
"""Seconds after which a process that does not end is killed."""
LOW_PRIORITY = 10
"""Niceness of a process for computations that no user waits for."""


class WorkerDiedError(RuntimeError):
    """The process of a worker ended before it answered."""


_workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()


def end_all() -> None:
    """End all workers of this program, so that no thread waits for one."""
    for worker in list(_workers):
        worker.end()


class Worker:
    """A context manager with a process that computes one call after another. If it died, a new one starts.

    The process computes in one thread, ignores interrupts, and ends with its parent. Calls and answers go
    through two pipes. The process does not import the main module; cloudpickle sends its definitions.
    `report` is called with the progress of a call, see `answering.report`. `niceness` is the minimum niceness
    of the process, see LOW_PRIORITY."""

    def __init__(self, report: Callable[[Any], object] | None = None, *, niceness: int = 0) -> None:
        self._report, self._niceness = report, niceness
        self._process: subprocess.Popen[bytes] | None = None
        self._changing, self.has_ended = threading.Lock(), False
        # The process inherits blocked interrupts, and unblocks them once it ignores them.
        block = partial(signal.pthread_sigmask, signal.SIG_BLOCK, {signal.SIGINT})
        self._thread = ThreadPoolExecutor(1, initializer=block)
        _workers.add(self)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def submit(
        self, function: Callable[Parameters, Found], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Found]:
        """Call a function in the process. The future raises WorkerDiedError if the process dies, or after
        `end`."""
        with self._changing:
            if not self.has_ended:
                return self._thread.submit(self._call, function, args, kwargs)
        refused = Future[Found]()
        refused.set_exception(WorkerDiedError("the worker has ended"))
        return refused

    def _call(self, function: Callable[..., Found], args: Any, kwargs: Any) -> Found:
        call = cloudpickle.dumps((function, args, kwargs))
        with self._changing:
            if self.has_ended:
                raise WorkerDiedError("the worker has ended")
            if self._process is None or self._process.poll() is not None:
                self._process = self._started()
            process, calls, answers = self._process, self._calls, self._answers
        try:
            calls.send_bytes(call)
            has_value, outcome = pickle.loads(answers.recv_bytes())
            while has_value is None:
                if self._report:
                    self._report(outcome)
                has_value, outcome = pickle.loads(answers.recv_bytes())
        except (OSError, EOFError):
            _wait_or_kill(process)
            raise WorkerDiedError(f"the process {self.cause_of_death()}") from None
        if not has_value:
            raise outcome
        value: Found = outcome
        return value

    def _started(self) -> subprocess.Popen[bytes]:
        """Return a new process that imports modules from the same paths as this one."""
        self._close()
        path = [one or os.getcwd() for one in sys.path]
        (calls, to), (back, answers) = os.pipe(), os.pipe()
        script = f"import sys; sys.path = {path!r}; from delvecore.parallel.answering import answer_calls"
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", f"{script}; answer_calls({calls}, {answers}, {self._niceness})"],
            stdin=subprocess.DEVNULL,
            env={**os.environ, **dict.fromkeys(THREADS, "1")},
            pass_fds=(calls, answers),
        )
        os.close(calls)
        os.close(answers)
        threading.Thread(target=process.wait, daemon=True, name="reaper").start()
        self._calls, self._answers = Connection(to, readable=False), Connection(back, writable=False)
        return process

    def _close(self) -> None:
        if self._process is not None:
            self._calls.close()
            self._answers.close()

    def end(self) -> None:
        """End the process, even during a call; it can first end a program that it started. Several threads
        may call this."""
        with self._changing:
            self.has_ended = True
        if self._process is not None:
            self._process.terminate()
            _wait_or_kill(self._process)
        self._thread.shutdown()
        with self._changing:
            self._close()

    def signal_of_death(self) -> signal.Signals | None:
        """Return the signal that ended the process, None for an exit."""
        status = self._exit_status()
        return signal.Signals(-status) if status is not None and status < 0 else None

    def cause_of_death(self) -> str:
        if ended_by := self.signal_of_death():
            return f"was ended by {ended_by.name}"
        return f"ended with status {self._exit_status()}"

    def _exit_status(self) -> int | None:
        return None if self._process is None else self._process.returncode


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has ended; it is killed after PATIENCE seconds."""
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def in_processes(
    function: Callable[[Given], Found],
    given: Iterable[Given],
    *,
    workers: int,
    meanwhile: Callable[[Given], Found] | None = None,
) -> Generator[tuple[Given, Future[Found]]]:
    """Yield each argument with the outcome of a function in another process, in order of completion.

    Arguments are taken one by one. The outcome of a call that ends two processes raises RuntimeError. If the
    caller stops, running calls are ended. `meanwhile` computes the same in this process until the first
    answer of another process."""
    remaining = iter(given)
    everyone = [Worker() for _ in range(workers)]
    idle, busy = list(everyone), dict[Future[Found], tuple[Worker, Given, bool]]()
    try:
        while True:
            for one in islice(remaining, len(idle)):
                worker = idle.pop()
                busy[worker.submit(function, one)] = worker, one, False
            if not busy:
                return
            timeout = None if meanwhile is None else 0
            done = wait(busy, timeout=timeout, return_when=FIRST_COMPLETED).done
            if meanwhile is not None and not done:
                for one in islice(remaining, 1):
                    answer = Future[Found]()
                    answer.set_result(meanwhile(one))
                    yield one, answer
                    break
                else:
                    meanwhile = None
                continue
            meanwhile = None
            for future in done:
                worker, one, is_second = busy.pop(future)
                if isinstance(future.exception(), WorkerDiedError):
                    if not is_second:
                        busy[worker.submit(function, one)] = worker, one, True
                        continue
                    future = Future[Found]()
                    memory = "; was there enough memory?" if worker.signal_of_death() is not None else ""
                    how = f"the process {worker.cause_of_death()}, twice{memory}"
                    future.set_exception(RuntimeError(how))
                idle.append(worker)
                yield one, future
    finally:
        for worker in everyone:
            worker.end()


class Request(Protocol[Made]):
    """A computation in another process. It should hold names of data, not the data."""

    @property
    def name(self) -> str:
        """Unique name within a run."""
        ...

    def failed(self, error: BaseException) -> Made:
        """Return the outcome of a request that failed, for instance for lack of memory."""
        ...


class Bench(Protocol[Wanted, Made]):
    """Carries out requests one after another, and can reuse data of one request for the next."""

    def carry_out(self, request: Wanted) -> Made: ...


CarryOut: TypeAlias = Callable[[Iterable[Asked]], Iterator[tuple[Asked, Outcome]]]
"""Yields each request with its outcome, in order of completion; requests are taken one by one."""


def carry_out_all(
    requests: Iterable[Asked],
    bench: Callable[[], Bench[Asked, Outcome]],
    *,
    workers: int,
    meanwhile: Callable[[Asked], Outcome] | None = None,
) -> Generator[tuple[Asked, Outcome]]:
    """Yield each request with its outcome, in order of completion. Several processes with a bench each
    compute them.

    meanwhile: see `in_processes`."""
    carry_out = partial(carry_out_one, uuid.uuid4().hex, bench)
    with contextlib.closing(
        in_processes(carry_out, requests, workers=workers, meanwhile=meanwhile)
    ) as futures:
        for request, future in futures:
            error = future.exception()
            yield request, future.result() if error is None else request.failed(error)


_BENCHES: dict[str, Any] = {}
"""The bench of the last run in this process."""


def carry_out_one(run: str, bench: Callable[[], Bench[Asked, Outcome]], request: Asked) -> Outcome:
    """Carry a request out in this process, which keeps the bench for other requests of the same run."""
    if run not in _BENCHES:
        _BENCHES.clear()
        _BENCHES[run] = bench()
    outcome: Outcome = _BENCHES[run].carry_out(request)
    return outcome


def in_order(
    carry_out: CarryOut[Asked, Outcome], requests: Iterable[Asked]
) -> Generator[tuple[Asked, Outcome]]:
    """Yield requests with their outcomes in the order of the requests."""
    names: deque[str] = deque()
    done: dict[str, tuple[Asked, Outcome]] = {}

    def given() -> Iterator[Asked]:
        for request in requests:
            names.append(request.name)
            yield request

    for request, outcome in carry_out(given()):
        done[request.name] = request, outcome
        while names and names[0] in done:
            yield done.pop(names.popleft())
