"""Requests carried out by several processes here, any of which may die at any time.

A process has one request in hand. When it dies, its request is given to another process once more; if that
dies as well, the request has failed, and nothing else is lost."""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, cast

from delvecore.parallel.requests import Asked, Bench, Outcome
from delvecore.parallel.threads import one_thread

__all__ = ["carry_out_all"]

TRIES = 2
PATIENCE = 5.0
"""How many seconds a process has to end by itself before it is ended."""


def carry_out_all(
    requests: Iterable[Asked], bench: Callable[[], Bench[Asked, Outcome]], *, workers: int
) -> Iterator[tuple[Asked, Outcome]]:
    """Yield each request with what came of it, as they are done; requests are asked for one by one. bench:
    makes one for each process."""
    crew = _Crew(requests, bench, size=workers)
    try:
        yield from crew.work()
    finally:
        crew.dismiss()


class _Crew(Generic[Asked, Outcome]):
    """The processes, by their connection, and the request that each has in hand."""

    def __init__(
        self, requests: Iterable[Asked], bench: Callable[[], Bench[Asked, Outcome]], *, size: int
    ) -> None:
        self.waiting, self.bench, self.size = iter(requests), bench, size
        self.context = multiprocessing.get_context("spawn")  # the only one that every system has
        self.processes: dict[Connection, SpawnProcess] = {}
        self.in_hand: dict[Connection, Asked] = {}
        self.again: list[Asked] = []
        self.tries: Counter[str] = Counter()

    def work(self) -> Iterator[tuple[Asked, Outcome]]:
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
        process = self.context.Process(target=_serve, args=(theirs, self.bench), daemon=True)
        with one_thread():
            process.start()
        theirs.close()
        self.processes[ours] = process
        return ours

    def _received(self, connection: Connection) -> tuple[Asked, Outcome] | None:
        """Return (request, outcome) of a process that has something to say, None where there is neither."""
        try:
            outcome = connection.recv()
        except (EOFError, OSError):
            return self._buried(connection)
        return self.in_hand.pop(connection), outcome

    def _buried(self, connection: Connection) -> tuple[Asked, Outcome] | None:
        """Take leave of a process that died; its request is tried again, or has failed."""
        process, request = self.processes.pop(connection), self.in_hand.pop(connection, None)
        process.join()
        connection.close()
        if request is None:
            return None
        self.tries[request.name] += 1
        if self.tries[request.name] < TRIES:
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


def _serve(connection: Connection, make_bench: Callable[[], Bench[Asked, Outcome]]) -> None:
    """Carry out requests until the connection is closed. Interrupts are for the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bench = make_bench()
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(bench.carry_out(request))
