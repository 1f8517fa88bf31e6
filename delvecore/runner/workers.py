"""Requests carried out by several processes, of which any may die at any time.

Each process has one request in hand. When one dies, its request is given to another process once more; if
that dies as well, the instance has failed. Nothing else is lost, and no process writes result files.
"""

import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import cast

from delvecore.model import Task
from delvecore.runner.command_method import Runnable
from delvecore.runner.instances import FAULTS, InstanceOutcome, failed
from delvecore.runner.requests import Bench, Request
from delvecore.runner.threads import one_thread

__all__ = ["carry_out_all"]

Finished = tuple[Request, InstanceOutcome]
Key = tuple[str, Task, int]
TRIES = 2
PATIENCE = 5.0
"""How many seconds a process has to end by itself before it is ended."""


def carry_out_all(requests: Iterable[Request], workers: int) -> Iterator[tuple[Request, InstanceOutcome]]:
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
        self.tries: dict[Key, int] = {}

    def work(self) -> Iterator[Finished]:
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
            self._hand_over(self._free() or self._hire(), request)
        return bool(self.in_hand)

    def _free(self) -> Connection | None:
        return next((one for one in self.processes if one not in self.in_hand), None)

    def _hire(self) -> Connection:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_serve, args=(theirs,), daemon=True)
        with one_thread():
            process.start()
        theirs.close()
        self.processes[ours] = process
        return ours

    def _hand_over(self, connection: Connection, request: Request) -> None:
        self.in_hand[connection] = request
        try:
            connection.send(request)
        except BrokenPipeError:
            return  # it has died: found out by its sentinel

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
        self.tries[key] = self.tries.get(key, 0) + 1
        if self.tries[key] < TRIES:
            self.again.append(request)
            return None
        return request, failed(*key_of(request), RuntimeError(_cause(process.exitcode)))

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


def key_of(request: Request) -> tuple[Runnable, Task, int]:
    """Return method, task and instance of a request."""
    return request.method, request.task, request.instance


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the process was ended by {signal.Signals(-code).name}, twice; was there enough memory?"
    return f"the process ended with status {code}, twice"


def _serve(connection: Connection) -> None:
    """Carry out requests until the connection is closed. Interrupts are for the process that writes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bench = Bench()
    while True:
        try:
            request = connection.recv()
        except (EOFError, OSError):
            return
        try:
            outcome = bench.carry_out(request)
        except FAULTS as error:
            outcome = failed(*key_of(request), error)
        connection.send(outcome)
