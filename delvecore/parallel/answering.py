"""The process of a worker: it answers calls until its parent ends.

Calls and answers are pickles. Reports of progress come before an answer."""

import os
import pickle
import queue
import signal
import threading
import traceback
from multiprocessing.connection import Connection
from types import TracebackType

import cloudpickle

_answers: Connection | None = None


def report(step: object) -> None:
    """Report the progress of a call from its own thread. Outside of a worker it has no effect."""
    if _answers is not None:
        _answers.send_bytes(_pickled(None, step))


def answer_calls(calls: int, answers: int, niceness: int = 0) -> None:
    """Read calls from one pipe and write answers to another; both are file descriptors.

    `niceness` is the minimum niceness of this process."""
    global _answers
    os.nice(max(0, niceness - os.nice(0)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for descriptor in (calls, answers):  # closed in programs that a call starts, and processes that it forks
        os.set_inheritable(descriptor, False)
        os.register_at_fork(after_in_child=lambda descriptor=descriptor: os.close(descriptor))
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_take_calls, args=(calls, waiting), daemon=True).start()
    _answers = Connection(answers, readable=False)
    while True:
        _answers.send_bytes(_answer(waiting.get()))


def _take_calls(calls: int, waiting: queue.SimpleQueue[bytes]) -> None:
    """Take calls, and end the process with its parent, even during a call."""
    pipe = Connection(calls, writable=False)
    while True:
        try:
            waiting.put(pipe.recv_bytes())
        except (EOFError, OSError):
            os._exit(1)


class _Keeping:
    """Catches any exception of a call, which becomes the answer."""

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
