"""The process of a worker: it answers calls until its parent has gone.

A call and an answer are pickles, each with its length in front. Reports of progress come before an answer."""

import os
import pickle
import queue
import signal
import threading
import traceback
from types import TracebackType
from typing import IO

import cloudpickle

LENGTH = 8
"""Bytes of the length in front of a pickle."""


def write_frame(file: IO[bytes], data: bytes) -> None:
    """Write bytes with their length. Raises OSError where nobody reads."""
    for part in (len(data).to_bytes(LENGTH, "big"), data):
        view = memoryview(part)
        while view:
            view = view[file.write(view) :]


def read_frame(file: IO[bytes]) -> bytes:
    """Return bytes that were written with their length. Raises EOFError where not all of them come."""
    head = file.read(LENGTH)
    data = file.read(int.from_bytes(head, "big")) if len(head) == LENGTH else b""
    if len(head) < LENGTH or len(data) < int.from_bytes(head, "big"):
        raise EOFError
    return data


_answers: IO[bytes] | None = None


def report(step: object) -> None:
    """Report the progress of a call, from its own thread. Outside of a worker it has no effect."""
    if _answers is not None:
        write_frame(_answers, _pickled(None, step))


def answer_calls(calls: int, answers: int, niceness: int = 0) -> None:
    """Answer the calls that come through one pipe, through another one. Both are descriptors. niceness: least
    one of this process."""
    global _answers
    os.nice(max(0, niceness - os.nice(0)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for descriptor in (calls, answers):  # for programs that a call starts, and processes that it forks
        os.set_inheritable(descriptor, False)
        os.register_at_fork(after_in_child=lambda descriptor=descriptor: os.close(descriptor))
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_take_calls, args=(calls, waiting), daemon=True).start()
    with open(answers, "wb", 0) as file:
        _answers = file
        while True:
            write_frame(file, _answer(waiting.get()))


def _take_calls(calls: int, waiting: queue.SimpleQueue[bytes]) -> None:
    """Take calls, and end the process with its parent, whatever is computed."""
    with open(calls, "rb") as file:
        while True:
            try:
                waiting.put(read_frame(file))
            except EOFError:
                os._exit(1)


class _Keeping:
    """Keeps whatever is raised inside: an answer to the call."""

    def __init__(self) -> None:
        self.error: BaseException = RuntimeError("nothing was raised")

    def __enter__(self) -> "_Keeping":
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> bool:
        self.error = error or self.error
        return True


def _answer(call: bytes) -> bytes:
    """Return the pickle of (True, value) or (False, error)."""
    with _Keeping() as kept:
        function, args, kwargs = pickle.loads(call)
        return _pickled(True, function(*args, **kwargs))
    error = kept.error
    error.add_note("".join(traceback.format_exception(error)))
    with _Keeping():
        return _pickled(False, error)
    return _pickled(False, RuntimeError(f"{type(error).__name__}: {error}"))


def _pickled(has_value: bool | None, outcome: object) -> bytes:
    data: bytes = cloudpickle.dumps((has_value, outcome))
    return data
