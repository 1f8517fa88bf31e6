"""Requests carried out on a Dask cluster, whose workers may die at any time.

Workers read the data themselves, so they must find the directories under the same paths. What a worker that
dies had in hand, Dask gives to another; only a request that takes several workers with it fails. Work waits
for new workers where none is left, but not for ever."""

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
"""Those of Dask, which tells no types. Its executor is not used: a future of that is never done where an
outcome is lost with the worker that held it."""
Answer = TypeVar("Answer")
WAITING = 2
"""How many requests lie ready for each thread of the cluster, so that none waits for this process."""
CLUSTER_PATIENCE = 30.0
"""How many seconds a scheduler and its first worker have to answer, new workers to come after the last."""
GRACE = 2.0
"""How much longer than that it may take to hear that nobody answers."""
LARGEST = 1 << 40
"""Dask warns of requests with more bytes than this: ours have what they need, and no more."""
TICK = 1.0
"""After so many seconds without an answer it is asked whether there are workers."""


def data_of(roots: Iterable[str]) -> list[str]:
    """Return the data directories of delve directories, which workers must find."""
    return [place for root in roots if os.path.isdir(place := os.path.join(os.path.abspath(root), "data"))]


def carry_out_on(
    address: str, bench: Callable[[], Bench[Asked, Outcome]], *, places: Iterable[str] = ()
) -> CarryOut[Asked, Outcome]:
    """Return what carries requests out on the cluster whose scheduler has this address. bench: makes one for
    each worker; places: directories that workers must find. Raises DelveError without the package
    distributed, where nobody answers, and where workers have another version of this program, or do not find
    the data; later where workers of another version join, no worker is left, or the scheduler has gone."""
    client = _connected(address, list(places))

    def carry_out(requests: Iterable[Asked]) -> Iterator[tuple[Asked, Outcome]]:
        try:
            yield from _Run(client, address, bench).work(iter(requests))
        finally:
            client.close()

    return carry_out


def _connected(address: str, places: list[str]) -> Client:
    try:
        import distributed  # noqa: F401 - only asked for where a cluster is to be used
    except ImportError:
        raise DelveError(
            "--scheduler: expected the package distributed, found none; pip install distributed adds it"
        ) from None
    try:
        client = _client(address)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()) or "what is there does not answer"
        raise DelveError(f"{address}: expected the scheduler of a Dask cluster, found none: {why}") from None
    fault = _fault(client, places)
    if fault:
        client.close()
        raise DelveError(f"{address}: {fault}")
    return client


def _client(address: str) -> Client:
    """Return a client. If something else than a scheduler listens, Dask itself would wait for ever."""
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


def _fault(client: Client, places: list[str]) -> str | None:
    """Return why the workers cannot help, such as which of them does not find which data, or None."""
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
    """Return what each worker answers, without those that die meanwhile. Raises what is wrong with one."""
    answers = client.run(ask, *given, on_error="return")
    reached = {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}
    for answer in reached.values():
        if isinstance(answer, Exception):
            raise answer
    return reached


def _other_version(expected: str, actual: str) -> str:
    return f"expected workers with version {expected} of this program, found {actual}"


class _Run(Generic[Asked, Outcome]):
    """Requests of one run on a cluster. key: what is asked again is computed again."""

    def __init__(self, client: Client, address: str, bench: Callable[[], Bench[Asked, Outcome]]) -> None:
        self.client, self.address, self.bench, self.key = client, address, bench, uuid.uuid4().hex
        self.finished: queue.SimpleQueue[ClientFuture] = queue.SimpleQueue()
        self.under_way: dict[str, tuple[Asked, ClientFuture]] = {}

    def work(self, requests: Iterator[Asked]) -> Iterator[tuple[Asked, Outcome]]:
        """Yield what is done, and submit one request for each; so many are under way as there are threads."""
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
        """Return what came of a request, once more computed where its worker died with it."""
        from distributed import CancelledError

        try:
            error = self._patiently(lambda seconds: future.exception(timeout=seconds))
            if error is None:
                outcome: Outcome = self._patiently(lambda seconds: future.result(timeout=seconds))
                return outcome
        except CancelledError:
            gone = "expected the scheduler to stay, found that it has gone; start it, and run the same again"
            raise DelveError(f"{self.address}: {gone}") from None
        if isinstance(error, DelveError):
            raise DelveError(f"{self.address}: {error}")
        if type(error).__name__ == "KilledWorker":
            error = RuntimeError("every worker that had it in hand died; was there enough memory?")
        failed: Outcome = request.failed(error)
        return failed

    def _patiently(self, ask: Callable[[float], Answer]) -> Answer:
        """Return an answer, asked for again and again. Raises DelveError if no worker is left for it."""
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
        except OSError:  # the scheduler does not answer: where it has gone, Dask gives up soon
            return True


def _version() -> str:
    return delvecore.__version__


def _not_found(places: list[str]) -> list[str]:
    return [place for place in places if not os.path.isdir(place)]


_LOCK = threading.Lock()
"""Threads of a worker take turns, since costs are those of a whole process."""


def _carried_out(
    version: str, run: str, bench: Callable[[], Bench[Asked, Outcome]], request: Asked
) -> Outcome:
    """Carry a request out in a worker. Raises DelveError if the worker has another version than asked."""
    if version != delvecore.__version__:
        raise DelveError(_other_version(version, delvecore.__version__))
    with _LOCK, single_threaded():
        return carry_out_one(run, bench, request)
