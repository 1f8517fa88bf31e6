"""Which page an address means."""

import contextlib
import shutil
from urllib.parse import unquote, urlsplit

import pytest
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from streamlit.testing.v1 import AppTest

from dashboard.server import hosting
from dashboard.server.asgi import Guide
from dashboard.server.configuration import PACKAGE
from dashboard.server.hosting import Hosting
from dashboard.server.pages import PAGES, is_page, nearest_page
from tests.dashboard.conftest import visit


def test_every_page_but_the_first_has_an_address_of_its_own():
    assert [page.name for page in PAGES if not is_page(f"/{page.name}")] == ["leaderboard"]
    assert is_page("/")
    assert not is_page("/compar")


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("/compar", "compare"),
        ("/Task-Arrays", "task_arrays"),
        ("/old/ranking.html", "ranking"),
        ("/zzz", "leaderboard"),
    ],
)
def test_the_nearest_page_is_called_most_like_it(asked, nearest):
    assert nearest_page(asked) == nearest


def asked_for(address: str, served: Response) -> list[dict]:
    """What a visitor gets at an address where the application below serves this."""
    sent = []

    async def send(message):
        sent.append(message)

    parts = urlsplit(address)
    scope = {"type": "http", "method": "GET", "path": unquote(parts.path)}
    scope["headers"] = [(b"accept", b"text/html,*/*")]
    asked = Guide(served)({**scope, "query_string": parts.query.encode("latin-1")}, None, send)
    # Nothing of this waits: no loop is needed, which a browser's test in the same process may be running.
    with contextlib.suppress(StopIteration):
        asked.send(None)
    return sent


@pytest.mark.parametrize(
    ("asked", "location"),
    [
        ("/compar?loss=S&loss=A", "/compare?loss=S&loss=A&page=compar"),
        ("/leaderboard", "/"),
        ("/problems", "/file_check"),
        ("/zzz/ü", "/?page=zzz%2F%C3%BC"),
        ("/compar?loss=é", "/compare?loss=%C3%A9&page=compar"),
        ("/media", "/?page=media"),
        ("/%2Fevil.org", "/?page=evil.org"),
    ],
)
def test_an_address_without_a_page_is_led_to_the_nearest(asked, location):
    start, body = asked_for(asked, HTMLResponse("<!DOCTYPE html>"))
    assert (start["status"], dict(start["headers"])[b"location"].decode("latin-1")) == (307, location)
    assert not body.get("body")


def test_pages_and_files_are_served_as_they_are():
    assert asked_for("/compare", HTMLResponse("<!DOCTYPE html>"))[0]["status"] == 200
    assert asked_for("/media/one", PlainTextResponse("yes"))[1]["body"] == b"yes"


@pytest.mark.parametrize(
    "place", ["/media/one.html", "/component/one/index.html", "/_stcore/bidi-components/one"]
)
@pytest.mark.parametrize("prefix", ["", "/delve"])
def test_a_file_of_html_is_served_as_it_is(place, prefix, monkeypatch):
    monkeypatch.setattr(hosting, "_chosen", [Hosting(prefix=prefix)])
    start, body = asked_for(prefix + place, HTMLResponse("<table></table>"))
    assert (start["status"], body["body"]) == (200, b"<table></table>")


def test_links_lead_to_pages_where_another_copy_of_the_application_is_started(tmp_path, small):
    copy = shutil.copy(PACKAGE / "app.py", tmp_path)
    app = AppTest.from_file(str(copy), default_timeout=120).run()
    assert not app.exception
    visit(app, "methods")
