"""Worker processes on this machine, any of which may die at any time.

A worker is an executor of one process, since that of several does not say which of its calls ended a process.
A call whose process dies is tried once more in a new one; if that dies as well, the call has failed, and
nothing else is lost. Workers compute; only who asks writes results, so that nothing is half-written."""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
import types
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""How the libraries of linear algebra are told how many threads to use, before they are imported."""


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_threads(function: Callable[[Given], Found], given: Iterable[Given]) -> Iterator[Found]:
    """Yield results in order; no more are computed ahead than there are cores. One needs no thread."""
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
    """Let processes compute in one thread: the order of parallel sums shows in the last digits."""
    os.environ.update(dict.fromkeys(THREADS, "1"))


@contextmanager
def single_threaded() -> Iterator[None]:
    """Let libraries that are loaded compute in one thread, if threadpoolctl is there to tell them."""
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
SAFE_PATH = "PYTHONSAFEPATH"
PATIENCE = 5.0
"""How many seconds a process has to end by itself before it is killed."""


class _Process(SpawnProcess):
    """The process of a worker. It computes in one thread, leaves interrupts to its parent, and ends with it.
    It starts without the modules of the working directory, and with the main module only where that is
    wanted: that of a page, or of a script without `if __name__ == "__main__"`, would run once more."""

    starting = threading.Lock()
    imports_main = True
    had_safe_path = SAFE_PATH in os.environ

    def start(self) -> None:
        environment, main = dict(os.environ), sys.modules["__main__"]
        self.had_safe_path = SAFE_PATH in environment
        with self.starting, _without_interrupts():
            try:
                os.environ.update(dict.fromkeys((*THREADS, SAFE_PATH), "1"))
                if not self.imports_main:
                    sys.modules["__main__"] = types.ModuleType("__main__")
                super().start()
            finally:
                sys.modules["__main__"] = main
                for name in (*THREADS, SAFE_PATH):
                    del os.environ[name]
                os.environ.update(environment)

    def run(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if not self.had_safe_path:  # programs that a worker starts have the environment of its parent
            del os.environ[SAFE_PATH]
        threading.Thread(target=_end_with_parent, daemon=True).start()
        super().run()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes started inside have interrupts blocked, so that none ends them before they ignore it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)


class _Context(SpawnContext):
    """Makes the process of one worker; `spawn` is the only method that every system has."""

    def __init__(self, *, imports_main: bool) -> None:
        super().__init__()
        self.imports_main = imports_main
        self.process: _Process | None = None

    def Process(self, *args: Any, **kwargs: Any) -> _Process:  # type: ignore[override] # noqa: N802
        self.process = _Process(*args, **kwargs)
        self.process.imports_main = self.imports_main
        return self.process


LOW_PRIORITY = 10
"""The niceness of a process that computes what nobody waits for."""


def be_nice(niceness: int) -> None:
    """Let other processes compute before this one from now on, where it has less niceness than this."""
    if niceness and hasattr(os, "nice"):
        os.nice(max(0, niceness - os.nice(0)))


class Worker:
    """A process that computes one call after the other; a new one where it died. A context manager."""

    def __init__(self, *, imports_main: bool = True) -> None:
        self._context = _Context(imports_main=imports_main)
        self._executor = ProcessPoolExecutor(1, mp_context=self._context)
        self._ending = threading.Lock()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def submit(
        self, function: Callable[Parameters, Found], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Future[Found]:
        """Have a function called. The future raises BrokenProcessPool where the process dies."""
        try:
            future = self._executor.submit(function, *args, **kwargs)
        except BrokenProcessPool:
            self._executor = ProcessPoolExecutor(1, mp_context=self._context)
            future = self._executor.submit(function, *args, **kwargs)
        # The process alone may write its answers: if it dies within one, nobody must wait for the rest.
        self._executor._result_queue._writer.close()  # type: ignore[attr-defined]
        return future

    def end(self) -> None:
        """End the process, whatever it does. A program that it has started can be ended by it first. May be
        called by several threads."""
        with self._ending:
            process = self._context.process
            if process is not None and process.is_alive():
                process.terminate()
                if not multiprocessing.connection.wait([process.sentinel], PATIENCE):
                    process.kill()
            self._executor.shutdown()

    def signal_of_death(self) -> signal.Signals | None:
        """Return the signal that ended the process, None for an exit."""
        code = self._exit_status()
        return signal.Signals(-code) if code is not None and code < 0 else None

    def cause_of_death(self) -> str:
        if ended_by := self.signal_of_death():
            return f"was ended by {ended_by.name}, twice; was there enough memory?"
        return f"ended with status {self._exit_status()}, twice"

    def _exit_status(self) -> int | None:
        self._executor.shutdown()  # which waits until it is known
        return self._context.process.exitcode if self._context.process else None


def in_processes(
    function: Callable[[Given], Found],
    given: Iterable[Given],
    *,
    workers: int,
    imports_main: bool = True,
    meanwhile: Callable[[Given], Found] | None = None,
) -> Generator[tuple[Given, Future[Found]]]:
    """Yield each of what is given with the outcome of a function in another process, as they are done. What
    is given is asked for one by one. Outcomes of calls that end two processes raise RuntimeError. Where the
    caller stops, calls under way are ended. meanwhile: computes the same in this process, until the first of
    the others has started and answered."""
    remaining = iter(given)
    everyone = [Worker(imports_main=imports_main) for _ in range(workers)]
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
                if isinstance(future.exception(), BrokenProcessPool):
                    if not is_second:
                        busy[worker.submit(function, one)] = worker, one, True
                        continue
                    future = Future[Found]()
                    future.set_exception(RuntimeError(f"the process {worker.cause_of_death()}"))
                idle.append(worker)
                yield one, future
    finally:
        for worker in everyone:
            worker.end()


class Request(Protocol[Made]):
    """Something to compute. It goes to another process, so it rather has names than data."""

    @property
    def name(self) -> str:
        """No other request of the same run has this name."""
        ...

    def failed(self, error: BaseException) -> Made:
        """Return the outcome where it could not be carried out, for want of memory for instance."""
        ...


class Bench(Protocol[Wanted, Made]):
    """Carries out requests one after the other, and may keep for the next what the last one needed."""

    def carry_out(self, request: Wanted) -> Made: ...


CarryOut: TypeAlias = Callable[[Iterable[Asked]], Iterator[tuple[Asked, Outcome]]]
"""Yields each request with what came of it, as they are done; requests are asked for one by one."""


def carry_out_all(
    requests: Iterable[Asked],
    bench: Callable[[], Bench[Asked, Outcome]],
    *,
    workers: int,
    imports_main: bool = True,
    meanwhile: Callable[[Asked], Outcome] | None = None,
) -> Generator[tuple[Asked, Outcome]]:
    """Yield each request with its outcome in one of several processes, each with a bench, as done.

    meanwhile: see `in_processes`."""
    carry_out = partial(carry_out_one, uuid.uuid4().hex, bench)
    with contextlib.closing(
        in_processes(carry_out, requests, workers=workers, imports_main=imports_main, meanwhile=meanwhile)
    ) as found:
        for request, future in found:
            error = future.exception()
            yield request, future.result() if error is None else request.failed(error)


_BENCHES: dict[str, Any] = {}
"""The bench of the last run in this process."""


def carry_out_one(run: str, bench: Callable[[], Bench[Asked, Outcome]], request: Asked) -> Outcome:
    """Carry a request out in this process, which keeps the bench for other requests of the same run."""
    if run not in _BENCHES:
        _BENCHES.clear()
        _BENCHES[run] = bench()
    found: Outcome = _BENCHES[run].carry_out(request)
    return found


def in_order(
    carry_out: CarryOut[Asked, Outcome], requests: Iterable[Asked]
) -> Generator[tuple[Asked, Outcome]]:
    """Yield requests with their outcomes in the order in which they are given."""
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
