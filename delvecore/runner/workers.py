"""Requests carried out by several processes, here or on a Dask cluster, any of which may die at any time.

Workers compute and this process alone writes result files. A process here has one request in hand. When it
dies, its request is given to another process once more; if that dies as well, the instance has failed, and
nothing else is lost. Workers of a cluster read the data themselves, so they must find the delve directories
under the same paths. Of one that dies, Dask gives the request to another; only an instance that takes several
workers with it fails."""

import multiprocessing
import os
import signal
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, cast

import delvecore
from delvecore.errors import DelveError
from delvecore.model import Task
from delvecore.runner.instances import Bench, InstanceOutcome, Request
from delvecore.runner.processes import one_thread, single_threaded

__all__ = ["carry_out_all", "carry_out_on"]

Finished = tuple[Request, InstanceOutcome]
Outcomes = Iterator[Finished]
TRIES = 2
PATIENCE = 5.0
"""How many seconds a process has to end by itself before it is ended."""


def carry_out_all(requests: Iterable[Request], workers: int) -> Outcomes:
    """Yield each request with what came of it, as they are done; requests are asked for one by one."""
    crew = _Crew(requests, workers)
    try:
        yield from crew.work()
    finally:
        crew.dismiss()


class _Crew:
    """The processes, by their connection, and the request that each has in hand."""

    def __init__(self, requests: Iterable[Request], size: int) -> None:
        self.waiting, self.size = iter(requests), size
        self.context = multiprocessing.get_context("spawn")  # the only one that every system has
        self.processes: dict[Connection, SpawnProcess] = {}
        self.in_hand: dict[Connection, Request] = {}
        self.again: list[Request] = []
        self.tries: Counter[tuple[str, Task, int]] = Counter()

    def work(self) -> Outcomes:
        while self._fill():
            sentinels = {process.sentinel: connection for connection, process in self.processes.items()}
            ready = wait([*self.in_hand, *sentinels])
            for connection in {cast(Connection, sentinels.get(cast(int, one), one)) for one in ready}:
                finished = self._received(connection)
                if finished is not None:
                    yield finished

    def _fill(self) -> bool:
        """Give every free process a request, starting processes as needed; is there anything in hand?"""
        while len(self.in_hand) < self.size:
            request = self.again.pop() if self.again else next(self.waiting, None)
            if request is None:
                break
            free = next((one for one in self.processes if one not in self.in_hand), None)
            connection = free or self._hire()
            self.in_hand[connection] = request
            with suppress(BrokenPipeError):  # it has died: found out by its sentinel
                connection.send(request)
        return bool(self.in_hand)

    def _hire(self) -> Connection:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(theirs,), daemon=True)
        with one_thread():
            process.start()
        theirs.close()
        self.processes[ours] = process
        return ours

    def _received(self, connection: Connection) -> Finished | None:
        """Return (request, outcome) of a process that has something to say, None where there is neither."""
        try:
            outcome = connection.recv()
        except (EOFError, OSError):
            return self._buried(connection)
        return self.in_hand.pop(connection), outcome

    def _buried(self, connection: Connection) -> Finished | None:
        """Take leave of a process that died; its request is tried again, or has failed."""
        process, request = self.processes.pop(connection), self.in_hand.pop(connection, None)
        process.join()
        connection.close()
        if request is None:
            return None
        key = request.method.name, request.task, request.instance
        self.tries[key] += 1
        if self.tries[key] < TRIES:
            self.again.append(request)
            return None
        code = process.exitcode
        cause = f"the process ended with status {code}, twice"
        if code is not None and code < 0:
            cause = f"the process was ended by {signal.Signals(-code).name}, twice; was there enough memory?"
        return request, request.failed(RuntimeError(cause))

    def dismiss(self) -> None:
        """End all processes: those at work at once, the others by themselves."""
        for connection, process in self.processes.items():
            if connection in self.in_hand:
                process.terminate()
            connection.close()
        for process in self.processes.values():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()


def _serve(connection: Connection) -> None:
    """Carry out requests until the connection is closed. Interrupts are for the process that writes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bench = Bench()
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(bench.carry_out(request))


Client = Any
ClientFuture = Any
"""Those of Dask, which tells no types."""
WAITING = 2
"""How many requests lie ready for each thread of the cluster, so that none waits for this process."""
CLUSTER_PATIENCE = 30.0
"""How many seconds a scheduler and its first worker have to answer."""
GRACE = 2.0
"""How much longer than that it may take to hear that nobody answers."""


def carry_out_on(address: str, *, roots: Iterable[str] = ()) -> Callable[[Iterable[Request]], Outcomes]:
    """Return what carries requests out on the cluster whose scheduler has this address. roots: the delve
    directories that workers must find. Raises DelveError without the package distributed, where nobody
    answers, and where workers have another version of this program, or do not find the data."""
    client = _connected(address, list(roots))

    def carry_out(requests: Iterable[Request]) -> Outcomes:
        try:
            yield from _in_hand(client, iter(requests))
        finally:
            client.close()

    return carry_out


def _connected(address: str, roots: list[str]) -> Client:
    try:
        import distributed  # noqa: F401 - only asked for where a cluster is to be used
    except ImportError:
        raise DelveError(
            "--scheduler: expected the package distributed, found none; "
            "pip install 'delve-browser[distributed]' adds it"
        ) from None
    try:
        client = _client(address)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or "what is there does not answer"
        raise DelveError(f"{address}: expected the scheduler of a Dask cluster, found none: {why}") from None
    fault = _fault(client, roots)
    if fault:
        client.close()
        raise DelveError(f"{address}: {fault}")
    return client


def _client(address: str) -> Client:
    """Return a client. Where something else than a scheduler listens, Dask itself would wait for ever."""
    from distributed import Client

    answer: Future[Client] = Future()

    def ask() -> None:
        for is_last in (False, True):
            try:
                return answer.set_result(Client(address, timeout=CLUSTER_PATIENCE, set_as_default=False))
            except AssertionError:  # Dask stumbles where the loop of an earlier client is just ending
                if is_last:
                    raise
            except (OSError, ValueError) as error:
                return answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    return answer.result(CLUSTER_PATIENCE + GRACE)


def _fault(client: Client, roots: list[str]) -> str | None:
    """Return why the workers cannot help, such as which of them does not find which data, or None."""
    try:
        client.wait_for_workers(1, timeout=CLUSTER_PATIENCE)
        versions = set(client.run(_version).values())
    except TimeoutError:
        return f"expected workers, found none within {CLUSTER_PATIENCE:g} seconds; `dask worker` starts one"
    except (ImportError, RuntimeError) as error:
        return f"expected workers with this program installed, found one without: {error}"
    if versions != {delvecore.__version__}:
        found = ", ".join(sorted(versions))
        return f"expected workers with version {delvecore.__version__} of this program, found {found}"
    places = [place for root in roots if os.path.isdir(place := os.path.join(os.path.abspath(root), "data"))]
    for worker, missing in client.run(_not_found, places).items():
        if missing:
            return f"expected {missing[0]} on every worker, found none on {worker}; share that directory"
    return None


def _in_hand(client: Client, requests: Iterator[Request]) -> Outcomes:
    """Yield what is done, and submit one request for each; so many are under way as there are threads."""
    from distributed import as_completed

    run, places = uuid.uuid4().hex, sum(client.nthreads().values())
    under_way = {}

    def submit(request: Request) -> ClientFuture:
        # A key of its own: the same instance run again must be computed again.
        key = f"delve-{run}-{request.method.name}{request.task.path}/{request.instance}"
        future = client.submit(_carried_out, request, key=key, pure=False)
        under_way[future.key] = request
        return future

    with client.as_current():
        finished = as_completed([submit(request) for request in islice(requests, WAITING * places)])
    for future in finished:
        request = under_way.pop(future.key)
        outcome = _outcome(future, request)
        for following in islice(requests, 1):
            finished.add(submit(following))
        yield request, outcome


def _outcome(future: ClientFuture, request: Request) -> InstanceOutcome:
    """Return what came of a request, once more computed where its worker died with it. Raises DelveError
    where the scheduler has gone."""
    from distributed import CancelledError

    try:
        error = future.exception()
        if error is None:
            return future.result()
    except CancelledError:
        raise DelveError(
            "the scheduler has gone; what is complete is kept, the same command goes on from there"
        ) from None
    if type(error).__name__ == "KilledWorker":
        error = RuntimeError("every worker that had it in hand died; was there enough memory?")
    return request.failed(error)


def _version() -> str:
    return delvecore.__version__


def _not_found(places: list[str]) -> list[str]:
    return [place for place in places if not os.path.isdir(place)]


_LOCK, _BENCH = threading.Lock(), Bench()
"""One for each process: its threads take turns, since costs are those of a whole process."""


def _carried_out(request: Request) -> InstanceOutcome:
    """Carry a request out in a worker."""
    with _LOCK, single_threaded():
        return _BENCH.carry_out(request)
