"""Limits for visitors' requests, as ASGI middleware: the size of uploads, and the allowed messages.

Streamlit keeps any file sent to its upload address in memory, even if no page asks for it. It lets each
visitor empty everybody's caches, and logs a traceback for a malformed websocket frame."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MOST_OF_SESSION, MOST_OF_SERVER = 200 << 20, 512 << 20
"""Maximum bytes that are kept in memory until a page takes them: for one session, and for all."""
MOST_FILES = 100
"""Largest number of files of a session."""
SWEEP, ENDED = 5.0, 90.0
"""Seconds between two searches for ended sessions; seconds during which a visitor may return."""
UPLOAD = re.compile(r".*/_stcore/upload_file/([^/]+)/[^/]+")
MESSAGES = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"}
OPERATIONS = {"deferred_file", "dataframe_chunk"}
"""Operations that a page may request. Others, such as emptying caches or installing packages, are refused."""
PROTOCOL_ERROR = 1002
"""The code of RFC 6455 for closing a websocket after a malformed frame."""


class Bounds:
    """ASGI middleware that refuses uploads that are too large, and drops messages that no page sends.

    It closes a websocket after a malformed frame. stored: Streamlit's store of files, None for that of this
    process."""

    def __init__(self, app: ASGIApp, stored: MemoryUploadedFileManager | None = None) -> None:
        self.app, self._stored = app, stored
        self._arriving: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, _filtered(receive, send), send)
            return
        match = UPLOAD.fullmatch(scope.get("path", "")) if scope["type"] == "http" else None
        if match is None or scope["method"] != "PUT":
            await self.app(scope, receive, send)
            return
        session, length = match[1], Headers(scope=scope).get("content-length", "")
        has_length = length.isdecimal()
        why = self._lacks_room(session, int(length)) if has_length else "Expected a Content-Length header.\n"
        if why:
            await PlainTextResponse(why, 413 if has_length else 411)(scope, receive, send)
            return
        self._arriving[session] += int(length)
        try:
            await self.app(scope, receive, send)
        finally:
            self._arriving[session] -= int(length)
            self._arriving += Counter()  # forgets those with nothing

    def _lacks_room(self, session: str, length: int) -> str:
        """Return the reason why a file of this size cannot be kept; empty if it can."""
        kept = {
            name: [len(file.data) for file in list(files.values())]
            for name, files in list(_store(self._stored).file_storage.items())
        }
        sizes = kept.get(session, [])
        if len(sizes) >= MOST_FILES or sum(sizes) + self._arriving[session] + length > MOST_OF_SESSION:
            return f"Expected at most {MOST_FILES} files of {MOST_OF_SESSION >> 20} MB together.\n"
        if sum(map(sum, kept.values())) + self._arriving.total() + length > MOST_OF_SERVER:
            return "The server has no room for more uploads; try later.\n"
        return ""


def _store(stored: MemoryUploadedFileManager | None) -> MemoryUploadedFileManager:
    store = stored or runtime.get_instance().uploaded_file_mgr
    if not isinstance(store, MemoryUploadedFileManager):
        raise TypeError(f"expected Streamlit's store of files in memory, found {type(store).__name__}")
    return store


def _filtered(receive: Receive, send: Send) -> Receive:
    """Return a receiver that passes on allowed messages of a websocket and drops the others."""

    async def next_message() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            try:
                is_sent = is_allowed(message.get("bytes"))
            except DecodeError:
                await send({"type": "websocket.close", "code": PROTOCOL_ERROR})
                return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}
            if is_sent:
                return message

    return next_message


def is_allowed(frame: bytes | None) -> bool:
    """May a visitor send the message in this frame? None means a frame of text.

    Raises DecodeError for a frame that is not a message, such as a frame of text."""
    if frame is None:
        raise DecodeError("expected bytes, found text")
    message = BackMsg()
    message.ParseFromString(frame)
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind is None or kind in MESSAGES


sessions: dict[str, float] = {}
"""Times of the sessions' last activity, by `time.monotonic`. Each run of a page updates its own."""


def close_ended(is_active: Callable[[str], bool], close: Callable[[str], None]) -> None:
    """Close sessions that browsers left ENDED seconds ago, and their open files.

    Streamlit would forget a session only when the next one ends."""
    now = time.monotonic()
    for session, seen in list(sessions.items()):
        if is_active(session):
            sessions[session] = now
        elif now - seen > ENDED:
            del sessions[session]
            close(session)


async def free_ended(remove_left: Callable[[Callable[[str], bool]], None]) -> None:
    """Free the uploads of ended sessions, for as long as the server runs.

    Streamlit would keep them for two minutes, for a visitor who may return. remove_left: removes the
    additions that were made from them."""
    ended: set[str] = set()
    while True:
        await asyncio.sleep(SWEEP)
        if not runtime.exists():
            continue
        server, store = runtime.get_instance(), _store(None)
        inactive = {one for one in list(store.file_storage) if not server.is_active_session(one)}
        for session in inactive & ended:  # ended for a while: not one that is just returning
            store.remove_session_files(session)
        ended = inactive
        close_ended(server.is_active_session, server.close_session)
        await asyncio.to_thread(remove_left, server.is_active_session)
