"""What is kept of a visitor: by a cookie of the own browser, never another's, and not for ever."""

import secrets

import pytest
from starlette.responses import HTMLResponse

from dashboard.server import visitors
from dashboard.server.own_files import Match
from dashboard.server.visitors import COOKIE, Kept, VisitorCookie
from tests.dashboard.server.asking import run_apart


def test_each_browser_gets_back_its_own_and_none_without_a_cookie():
    kept, one, other = Kept(), secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    assert kept.of(one, "mine") == "mine"
    assert kept.of(other, "yours") == "yours"
    assert kept.of(one, "new") == "mine"
    assert [kept.of("", thing) for thing in ("a", "b")] == ["a", "b"]
    assert kept.of("guess", "c") == "c"


def test_what_nobody_asked_for_in_an_hour_is_gone(monkeypatch):
    kept, value = Kept(), secrets.token_urlsafe(32)
    kept.of(value, "mine")
    now = visitors.time.monotonic()
    monkeypatch.setattr(visitors.time, "monotonic", lambda: now + visitors.KEPT + 1)
    kept.of(secrets.token_urlsafe(32), "other")
    assert kept.of(value, "new") == "new"


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
    found = []

    async def send(message):
        found.append(message)

    scope = {"type": "http", "scheme": "https", "headers": [(b"cookie", sent), (b"accept", accept)]}
    run_apart(VisitorCookie(HTMLResponse("", status))(scope, None, send))
    cookies = [value for name, value in found[0]["headers"] if name == b"set-cookie"]
    assert bool(cookies) == is_set
    assert all(b"HttpOnly; SameSite=Lax; Secure" in one for one in cookies)


@pytest.mark.parametrize(
    ("raw", "standardized", "looks"), [(0.4, 25.0, True), (30.0, 0.4, False), (0.4, 0.5, False)]
)
def test_values_look_standardized_where_dividing_them_again_gives_what_no_loss_is(raw, standardized, looks):
    assert Match(3, 3, raw, standardized).looks_standardized is looks
