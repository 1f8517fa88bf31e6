"""Requests carried out by the workers of a Dask cluster that is running already.

Workers compute and this process alone writes, as with processes on one machine. They read the data
themselves, so they must find the delve directories under the same paths. A worker that dies costs nothing:
Dask gives what it had in hand to another one, and only an instance that takes several workers with it fails.
"""

import os
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import Any

import delvecore
from delvecore.errors import DelveError
from delvecore.runner.instances import FAULTS, InstanceOutcome, failed
from delvecore.runner.requests import Bench, Request
from delvecore.runner.threads import single_threaded

__all__ = ["carry_out_on"]

Client = Any
ClientFuture = Any
"""Those of Dask, which tells no types."""
WAITING = 2
"""How many requests lie ready for each thread of the cluster, so that none waits for this process."""
PATIENCE = 30.0
"""How many seconds a scheduler and its first worker have to answer."""
GRACE = 2.0
"""How much longer than that it may take to hear that nobody answers."""

Outcomes = Iterator[tuple[Request, InstanceOutcome]]


def carry_out_on(address: str, *, roots: Iterable[str] = ()) -> Callable[[Iterable[Request]], Outcomes]:
    """Return what carries requests out on the cluster whose scheduler has this address.

    roots: the delve directories that workers must find. Raises DelveError without the package distributed,
    where nobody answers, and where workers have another version of this program, or do not find the data.
    """
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
    fault = _fault_of_workers(client) or _fault_of_data(client, roots)
    if fault:
        client.close()
        raise DelveError(f"{address}: {fault}")
    return client


def _client(address: str) -> Client:
    """Return a client. Where something else than a scheduler listens, Dask itself would wait for ever."""
    from distributed import Client

    answer: Future[Client] = Future()

    def connected() -> Client:
        return Client(address, timeout=PATIENCE, set_as_default=False)

    def ask() -> None:
        try:
            try:
                answer.set_result(connected())
            except AssertionError:
                # Dask stumbles where the loop of an earlier client is just ending; then it has ended.
                answer.set_result(connected())
        except (OSError, ValueError) as error:
            answer.set_exception(error)

    threading.Thread(target=ask, daemon=True).start()
    return answer.result(PATIENCE + GRACE)


def _fault_of_workers(client: Client) -> str | None:
    """Return why the workers cannot help, or None."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        versions = set(client.run(_version).values())
    except TimeoutError:
        return f"expected workers, found none within {PATIENCE:g} seconds; `dask worker` starts one"
    except (ImportError, RuntimeError) as error:
        return f"expected workers with this program installed, found one without: {error}"
    if versions != {delvecore.__version__}:
        found = ", ".join(sorted(versions))
        return f"expected workers with version {delvecore.__version__} of this program, found {found}"
    return None


def _fault_of_data(client: Client, roots: list[str]) -> str | None:
    """Return which worker does not find which data, or None."""
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
    """Return what came of a request. Raises DelveError where the scheduler has gone."""
    if future.status in ("cancelled", "lost"):
        raise DelveError(
            "the scheduler has gone; what is complete is kept, the same command goes on from there"
        )
    error = future.exception()
    if error is None:
        return future.result()
    if type(error).__name__ == "KilledWorker":
        error = RuntimeError("every worker that had it in hand died; was there enough memory?")
    return failed(request.method, request.task, request.instance, error)


def _version() -> str:
    return delvecore.__version__


def _not_found(places: list[str]) -> list[str]:
    return [place for place in places if not os.path.isdir(place)]


_LOCK = threading.Lock()
_BENCHES: list[Bench] = []
"""One for each process: its threads take turns, since costs are those of a whole process."""


def _carried_out(request: Request) -> InstanceOutcome:
    """Carry a request out in a worker."""
    with _LOCK:
        if not _BENCHES:
            _BENCHES.append(Bench())
        try:
            with single_threaded():
                return _BENCHES[0].carry_out(request)
        except FAULTS as error:
            return failed(request.method, request.task, request.instance, error)
