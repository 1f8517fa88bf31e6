"""What the server did, for whoever runs it: a line for each run of a page, and figures for monitoring.

A line says when, which page, how long and how it ended. It has nothing of what visitors chose, sent or saw,
and does not say who they are."""

import json
import logging
import multiprocessing
import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from typing import ClassVar

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.stats import GaugeStat

from dashboard.server.pages import FIRST
from delvecore.errors import DelveError, words_of_system

STANDARD_ERROR = "-"
log = logging.getLogger("delvecore.access")


def write_access_log(path: str) -> None:
    """Write the lines to the end of this file from now on, `-` to standard error. A file that is moved away
    is made anew, as logrotate needs it. Raises DelveError where it cannot be written."""
    try:
        is_file = path != STANDARD_ERROR
        handler = WatchedFileHandler(path, encoding="utf-8") if is_file else logging.StreamHandler(sys.stderr)
    except OSError as error:
        expected = "expected a file that can be written"
        raise DelveError(f"--access-log: {expected}, found {path!r} ({words_of_system(error)})") from error
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False


class AccessLog:
    """ASGI middleware that writes a line for each run of a page, where lines are written."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or not log.isEnabledFor(logging.INFO):
            await self.app(scope, receive, send)
            return
        visit = _Visit()

        async def receive_and_note() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                visit.ask(message.get("bytes") or b"")
            return message

        async def send_and_note(message: Message) -> None:
            await send(message)
            if message["type"] == "websocket.send":
                visit.answer(message.get("bytes") or b"")

        await self.app(scope, receive_and_note, send_and_note)


class _Visit:
    """What one websocket asks for, and which page it is on. Runs of parts that a page asks for by its own
    clock, to see whether files have changed, do not count."""

    def __init__(self) -> None:
        self.page, self.since, self.has_failed = FIRST, 0.0, False
        self.clocks: set[str] = set()

    def ask(self, data: bytes) -> None:
        asked = BackMsg()
        try:
            asked.ParseFromString(data)
        except DecodeError:
            return
        if asked.WhichOneof("type") == "rerun_script" and not asked.rerun_script.is_auto_rerun:
            # What is asked for while a page runs is answered together with it.
            self.since = self.since or time.monotonic()

    def answer(self, data: bytes) -> None:
        said = ForwardMsg()
        said.ParseFromString(data)
        kind = said.WhichOneof("type")
        if kind == "navigation":
            at = said.navigation.page_script_hash
            pages = (one for one in said.navigation.app_pages if one.page_script_hash == at)
            self.page = next((one.url_pathname or FIRST for one in pages), self.page)
        elif kind == "auto_rerun":
            self.clocks.add(said.auto_rerun.fragment_id)
        elif kind == "delta" and said.delta.new_element.WhichOneof("type") == "exception":
            self.has_failed = True
        elif kind == "script_finished" and said.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self.has_failed |= said.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR
            parts = set(said.metadata.run.fragment_ids)
            if self.since and not (parts and parts <= self.clocks):
                self._write(is_part=bool(parts))

    def _write(self, *, is_part: bool) -> None:
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "page": self.page,
            "part": is_part,
            "seconds": round(time.monotonic() - self.since, 3),
            "status": "failed" if self.has_failed else "ok",
        }
        log.info(json.dumps(line))
        self.since, self.has_failed = 0.0, False


class ProcessStats:
    """The server's memory and processes, beside the counts that Streamlit serves."""

    stats_families: ClassVar = ("process_resident_memory_bytes", "worker_processes")

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[GaugeStat]]:
        memory, workers = self.stats_families
        return {
            memory: [GaugeStat(memory, _memory(), unit="bytes", help="Memory of the server itself.")],
            workers: [
                GaugeStat(
                    workers,
                    len(multiprocessing.active_children()),
                    help="Processes that read files or compute for the server.",
                )
            ],
        }


def serve_process_stats() -> None:
    """Have the memory and the processes served beside Streamlit's counts."""
    if runtime.exists():
        runtime.get_instance().stats_mgr.register_provider(ProcessStats())


def _memory() -> int:
    """Return the resident memory of this process in bytes, 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
