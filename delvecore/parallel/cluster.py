"""Requests on a Dask cluster, whose workers may die at any time.

Workers read the data themselves, so they must find the directories under the same paths. Dask gives the
requests of a dead worker to another one. A request fails only if several workers die with it. If no worker is
left, work waits a limited time for new ones."""

import os
import queue
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import Any, Generic, TypeVar

import delvecore
from delvecore.errors import DelveError
from delvecore.parallel.processes import Asked, Bench, CarryOut, Outcome, carry_out_one, single_threaded

Client = Any
ClientFuture = Any
"""Classes of Dask, which has no type annotations. Its executor is not used: if an outcome is lost with its
worker, the executor's future is never done."""
Answer = TypeVar("Answer")
WAITING = 2
"""Number of queued requests for each thread of the cluster, so that no thread waits for this process."""
CLUSTER_PATIENCE = 30.0
"""Seconds for the first answers of a scheduler and a worker, and for new workers after the last one."""
GRACE = 2.0
"""Additional seconds in which Dask can raise its own error that there is no answer."""
LARGEST = 1 << 40
"""Size in bytes above which Dask warns of large requests; requests here have only the data they need."""
TICK = 1.0
"""Seconds without an answer after which the number of workers is checked."""


def data_of(roots: Iterable[str]) -> list[str]:
    """Return the data directories of delve directories, which workers must find."""
    return [place for root in roots if os.path.isdir(place := os.path.join(os.path.abspath(root), "data"))]


def carry_out_on(
    address: str, bench: Callable[[], Bench[Asked, Outcome]], *, places: Iterable[str] = ()
) -> CarryOut[Asked, Outcome]:
    """Return a function that carries out requests on the cluster with the scheduler at an address.

    `bench` makes a bench for each worker. `places` are directories that workers must find. Raises DelveError
    if the package `distributed` or an answer is missing, and if workers have another version of this program
    or cannot find the data. The function raises it if workers of another version join, if no worker is left,
    or if the scheduler ends."""
    client = _connected(address, list(places))

    def carry_out(requests: Iterable[Asked]) -> Iterator[tuple[Asked, Outcome]]:
        try:
            yield from _Run(client, address, bench).work(iter(requests))
        finally:
            client.close()

    return carry_out


def _connected(address: str, places: list[str]) -> Client:
    try:
        import distributed  # noqa: F401 - only needed for a cluster
    except ImportError:
        raise DelveError(
            "--scheduler: expected the package distributed, found none; pip install distributed adds it"
        ) from None
    try:
        client = _client(address)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or "nothing answers there"
        raise DelveError(f"{address}: expected the scheduler of a Dask cluster, found none: {why}") from None
    fault = _fault(client, places)
    if fault:
        client.close()
        raise DelveError(f"{address}: {fault}")
    return client


def _client(address: str) -> Client:
    """Return a client. Its time limit matters: otherwise, Dask waits forever for a server that is not a
    scheduler."""
    from distributed import Client

    answer: Future[Client] = Future()

    def ask() -> None:
        for is_last in (False, True):
            try:
                return answer.set_result(Client(address, timeout=CLUSTER_PATIENCE, set_as_default=False))
            except AssertionError:  # Dask raises it while the loop of an earlier client ends
                if is_last:
                    raise
            except (OSError, ValueError) as error:
                return answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    return answer.result(CLUSTER_PATIENCE + GRACE)


def _fault(client: Client, places: list[str]) -> str | None:
    """Return why the workers cannot be used, such as data that one of them does not find, or None."""
    try:
        client.wait_for_workers(1, timeout=CLUSTER_PATIENCE)
        versions = set(_answers(client, _version).values())
    except TimeoutError:
        return f"expected workers, found none within {CLUSTER_PATIENCE:g} seconds; `dask worker` starts one"
    except (ImportError, RuntimeError) as error:
        return f"expected workers with this program installed, found one without: {error}"
    if versions - {delvecore.__version__}:
        return _other_version(delvecore.__version__, ", ".join(sorted(versions)))
    for worker, missing in _answers(client, _not_found, places).items():
        if missing:
            return f"expected {missing[0]} on every worker, found none on {worker}; share that directory"
    return None


def _answers(client: Client, ask: Callable[..., Answer], *given: object) -> dict[str, Answer]:
    """Return the answer of each worker, without those that die meanwhile. Raises the error of a worker."""
    answers = client.run(ask, *given, on_error="return")
    reached = {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}
    for answer in reached.values():
        if isinstance(answer, Exception):
            raise answer
    return reached


def _other_version(expected: str, actual: str) -> str:
    return f"expected workers with version {expected} of this program, found {actual}"


class _Run(Generic[Asked, Outcome]):
    """Requests of one run on a cluster. Each run has its own key, so that the same requests in a later run
    are computed again."""

    def __init__(self, client: Client, address: str, bench: Callable[[], Bench[Asked, Outcome]]) -> None:
        self.client, self.address, self.bench, self.key = client, address, bench, uuid.uuid4().hex
        self.finished: queue.SimpleQueue[ClientFuture] = queue.SimpleQueue()
        self.under_way: dict[str, tuple[Asked, ClientFuture]] = {}

    def work(self, requests: Iterator[Asked]) -> Iterator[tuple[Asked, Outcome]]:
        """Yield completed requests, and submit a new one for each of them."""
        for request in islice(requests, WAITING * max(1, sum(self.client.nthreads().values()))):
            self._submit(request)
        while self.under_way:
            future = self._patiently(lambda seconds: self.finished.get(timeout=seconds))
            request, _ = self.under_way.pop(future.key)
            outcome = self._outcome(future, request)
            for following in islice(requests, 1):
                self._submit(following)
            yield request, outcome

    def _submit(self, request: Asked) -> None:
        import dask

        sent = delvecore.__version__, self.key, self.bench, request
        key = f"delve-{self.key}-{request.name}"
        with dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGEST}):
            future = self.client.submit(_carried_out, *sent, key=key, pure=False)
        self.under_way[future.key] = request, future
        future.add_done_callback(self.finished.put)

    def _outcome(self, future: ClientFuture, request: Asked) -> Outcome:
        """Return the outcome of a request."""
        from distributed import CancelledError

        try:
            error = self._patiently(lambda seconds: future.exception(timeout=seconds))
            if error is None:
                outcome: Outcome = self._patiently(lambda seconds: future.result(timeout=seconds))
                return outcome
        except CancelledError:
            gone = "expected a running scheduler, found that it has ended; start it, and run the same again"
            raise DelveError(f"{self.address}: {gone}") from None
        if isinstance(error, DelveError):
            raise DelveError(f"{self.address}: {error}")
        if type(error).__name__ == "KilledWorker":
            error = RuntimeError("every worker that ran it died; was there enough memory?")
        failed: Outcome = request.failed(error)
        return failed

    def _patiently(self, ask: Callable[[float], Answer]) -> Answer:
        """Wait for an answer as long as there are workers. Raises DelveError if none is left."""
        last = time.monotonic()
        while True:
            try:
                return ask(TICK)
            except (TimeoutError, queue.Empty):
                if self._has_workers():
                    last = time.monotonic()
                elif time.monotonic() - last > CLUSTER_PATIENCE:
                    none = f"expected workers, found none left for {CLUSTER_PATIENCE:g} seconds"
                    raise DelveError(
                        f"{self.address}: {none}; start some with `dask worker`, and run the same again"
                    ) from None

    def _has_workers(self) -> bool:
        try:
            return bool(self.client.nthreads())
        except OSError:  # if the scheduler has ended, Dask gives up soon
            return True


def _version() -> str:
    return delvecore.__version__


def _not_found(places: list[str]) -> list[str]:
    return [place for place in places if not os.path.isdir(place)]


_LOCK = threading.Lock()
"""Threads of a worker take turns, because costs are measured for the whole process."""


def _carried_out(
    version: str, run: str, bench: Callable[[], Bench[Asked, Outcome]], request: Asked
) -> Outcome:
    """Carry a request out in a worker. Raises DelveError if the worker has another version."""
    if version != delvecore.__version__:
        raise DelveError(_other_version(version, delvecore.__version__))
    with _LOCK, single_threaded():
        return carry_out_one(run, bench, request)
