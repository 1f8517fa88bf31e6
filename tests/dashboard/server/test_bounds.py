"""What visitors send beyond their own session: uploads without room, and messages that act on all."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from dashboard.server import bounds
from dashboard.server.bounds import Bounds, is_allowed
from tests.dashboard.server.asking import Visitor, run_apart


@pytest.fixture
def stored() -> MemoryUploadedFileManager:
    return MemoryUploadedFileManager("/_stcore/upload_file")


@pytest.fixture
def visitor(stored, monkeypatch) -> Visitor:
    """A visitor before a store with room for 100 bytes a session and 250 in all, which keeps what it is sent."""
    monkeypatch.setattr(bounds, "MOST_OF_SESSION", 100)
    monkeypatch.setattr(bounds, "MOST_OF_SERVER", 250)

    async def keep(request):
        session, number = request.url.path.rsplit("/", 2)[1:]
        data = await request.body()
        stored.add_file(session, UploadedFileRec(number, "x.csv", "text/csv", data))
        return PlainTextResponse("kept")

    routes = [Route("/{path:path}", keep, methods=["PUT"])]
    return Visitor(Bounds(Starlette(routes=routes), stored), "http://127.0.0.1:8501")


def sent(visitor: Visitor, session: str, number: int, size: int = 40) -> int:
    address, headers = f"/delve/_stcore/upload_file/{session}/{number}", {"content-length": str(size)}
    return visitor.ask("PUT", address, headers, "x" * size).status_code


def test_a_session_keeps_no_more_files_than_it_has_room_for(visitor, stored):
    assert [sent(visitor, "one", number) for number in range(50)] == [200, 200, *[413] * 48]
    stored.remove_session_files("one")
    assert sent(visitor, "one", 1) == 200


def test_all_sessions_together_keep_no_more_than_the_server_has_room_for(visitor):
    assert [sent(visitor, f"session-{number}", 1, 60) for number in range(6)] == [200] * 4 + [413] * 2


def test_files_without_content_are_counted_too(visitor, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_FILES", 3)
    assert [sent(visitor, "one", number, 0) for number in range(5)] == [200] * 3 + [413] * 2


def test_an_upload_that_does_not_say_how_long_it_is_is_not_read(visitor):
    assert visitor.put("/_stcore/upload_file/one/1").status_code == 411


def message(**what) -> bytes:
    return BackMsg(**what).SerializeToString()


def test_no_visitor_empties_the_caches_of_all_or_ends_the_server_and_what_pages_send_gets_through():
    assert not is_allowed(message(clear_cache=True))
    assert not is_allowed(message(debug_shutdown_runtime=True))
    assert not is_allowed(message(load_git_info=True))
    assert not is_allowed(message(set_run_on_save=True))
    asked = BackMsg()
    asked.backend_operation_request.install_skills.SetInParent()
    assert not is_allowed(asked.SerializeToString())
    asked = BackMsg()
    asked.rerun_script.SetInParent()
    assert is_allowed(asked.SerializeToString())
    assert is_allowed(message(stop_script=True))


def test_messages_behind_one_that_is_left_out_arrive():
    messages = [
        {"type": "websocket.receive", "bytes": data}
        for data in (message(clear_cache=True), message(stop_script=True))
    ]

    received, sent = through_bounds(messages)
    assert received["bytes"] == message(stop_script=True)
    assert sent == []


@pytest.mark.parametrize(
    "frame", [{"text": "hello"}, {"text": "hello", "bytes": None}, {"bytes": b"\xff\xff"}]
)
def test_a_frame_that_is_no_message_closes_the_websocket_and_does_not_reach_streamlit(frame):
    received, sent = through_bounds([{"type": "websocket.receive", **frame}])
    assert sent == [{"type": "websocket.close", "code": 1002}]
    assert received == {"type": "websocket.disconnect", "code": 1002}


def through_bounds(messages: list[dict]) -> tuple[dict, list[dict]]:
    """What an application behind Bounds receives first of a websocket's messages, and what is sent to the visitor."""
    received, sent = [], []

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    async def application(scope, receive, send):
        received.append(await receive())

    run_apart(Bounds(application)({"type": "websocket"}, receive, send))
    return received[0], sent


def test_sessions_that_browsers_left_are_closed_though_no_other_ends(monkeypatch):
    closed, now = [], bounds.time.monotonic()
    monkeypatch.setattr(bounds, "sessions", {"shown": now, "left": now, "back": now})
    active = {"shown", "back"}
    bounds.close_ended(active.__contains__, closed.append)
    monkeypatch.setattr(bounds.time, "monotonic", lambda: now + bounds.ENDED + 1)
    bounds.close_ended(active.__contains__, closed.append)
    assert closed == ["left"]
    assert set(bounds.sessions) == active
    active.clear()
    bounds.close_ended(active.__contains__, closed.append)
    assert closed == ["left"]  # they were seen just now
