"""Visitors are told apart by a cookie that no script reads."""

import pytest
from starlette.responses import HTMLResponse

from dashboard.server.asgi import AnswerHeaders
from dashboard.server.visitors import COOKIE, is_visitor
from delvecore.archive.scores.baseline_units import Match
from tests.dashboard.server.asking import run_apart


@pytest.mark.parametrize(("value", "is_ours"), [("A-_z" * 10 + "abc", True), ("", False), ("guess", False)])
def test_only_cookies_of_this_server_count(value, is_ours):
    assert is_visitor(value) is is_ours


@pytest.mark.parametrize(
    ("status", "sent", "accept", "is_set"),
    [
        (200, b"", b"text/html,*/*", True),
        (304, b"", b"text/html,*/*", True),
        (200, f"{COOKIE}=x".encode(), b"text/html", False),
        (200, b"", b"image/png", False),
    ],
)
def test_a_page_sets_the_cookie_once_and_no_script_can_read_it(status, sent, accept, is_set):
    messages = []

    async def send(message):
        messages.append(message)

    scope = {"type": "http", "scheme": "https", "headers": [(b"cookie", sent), (b"accept", accept)]}
    run_apart(AnswerHeaders(HTMLResponse("", status))(scope, None, send))
    cookies = [value for name, value in messages[0]["headers"] if name == b"set-cookie"]
    assert bool(cookies) == is_set
    assert all(b"HttpOnly; SameSite=Lax; Secure" in one for one in cookies)


@pytest.mark.parametrize(
    ("raw", "standardized", "looks"), [(0.4, 25.0, True), (30.0, 0.4, False), (0.4, 0.5, False)]
)
def test_values_look_standardized_where_dividing_them_again_gives_what_no_loss_is(raw, standardized, looks):
    assert Match(3, 3, raw, standardized).looks_standardized is looks
