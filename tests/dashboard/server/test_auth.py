"""Attacks on host, origin, token and prefix, and what the gate answers."""

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from dashboard.server import auth
from dashboard.server.auth import COOKIE, FEW, PAUSE, Gate, Tries
from dashboard.server.hosting import Hosting
from tests.dashboard.server.asking import Visitor

TOKEN = "a-token-of-24-characters"
BASE = "http://127.0.0.1:8501"
STREAM = "/_stcore/stream"


async def page(request):
    return PlainTextResponse(f"page, origin {request.headers.get('origin')}")


async def stream(websocket):
    await websocket.accept()
    await websocket.send_text("numbers")
    await websocket.close()


def visitor(base=BASE, **hosting) -> Visitor:
    """A browser without cookies before a gate; behind it a page and a stream at every address."""
    methods = ["GET", "PUT", "DELETE", "POST"]
    routes = [WebSocketRoute("/{path:path}", stream), Route("/{path:path}", page, methods=methods)]
    return Visitor(Gate(Starlette(routes=routes), Hosting(**hosting)), base)


def hears(client, **headers) -> bool:
    return client.hears(STREAM, headers)


@pytest.mark.parametrize("host", ["evil.example.org", "127.0.0.1.evil.org", "localhost@evil.org"])
def test_a_name_that_is_lent_to_the_machine_gets_neither_page_nor_stream(host):
    answer = visitor().get("/compare", headers={"host": host})
    assert (answer.status_code, answer.text) == (
        403,
        "This dashboard does not accept that host name; --trusted-host NAME allows it.\n",
    )
    assert not hears(visitor(), host=host)


@pytest.mark.parametrize(
    "origin",
    [
        "http://127.0.0.1:9999",
        "http://127.0.0.1",
        "null",
        "http://evil.org",
        "http://127.0.0.1:8501.evil.org",
        "http://user@127.0.0.1:8501",
        "http://[::1",
    ],
)
def test_a_page_of_another_origin_or_port_gets_nothing(origin):
    client = visitor()
    assert client.get("/", headers={"origin": origin}).status_code == 403
    assert client.put("/_stcore/upload_file/1/2", headers={"origin": origin}).status_code == 403
    assert not hears(client, origin=origin)


def test_its_own_pages_and_those_of_its_name_behind_a_proxy_with_tls_get_what_they_ask_for():
    client = visitor()
    assert client.put("/_stcore/upload_file/1/2", headers={"origin": BASE}).status_code == 200
    assert hears(client, origin=BASE)
    client = visitor(trusted=("delve.example.org",))
    assert hears(client, host="delve.example.org", origin="https://delve.example.org")
    assert hears(client, host="delve.example.org:8443", origin="https://delve.example.org:8443")
    assert not hears(client, host="delve.example.org", origin="https://delve.example.org:8443")
    answer = client.get("/", headers={"host": "delve.example.org", "origin": "https://delve.example.org"})
    assert answer.text == "page, origin None"  # behind the gate nothing looks up addresses for one


def test_counts_are_served_only_where_asked_for_and_the_programs_interface_never():
    assert visitor().get("/_stcore/metrics").status_code == 404
    assert visitor(metrics=True).get("/_stcore/metrics").status_code == 200
    assert visitor(prefix="/delve").get("/delve/_stcore/metrics").status_code == 404
    assert visitor(metrics=True).get("/_stcore/agent/openapi.json").status_code == 404


@pytest.mark.parametrize("path", ["/compare?task=/demo/age/std.128", "/media/1.csv"])
def test_without_the_token_there_is_only_a_page_that_asks_for_it(path):
    answer = visitor(token=TOKEN).get(path)
    assert answer.status_code == 401
    assert "asks for its token" in answer.text
    assert TOKEN not in answer.text


def test_without_the_token_there_is_no_stream_no_upload_and_no_count():
    client = visitor(token=TOKEN, metrics=True)
    assert not hears(client)
    assert not hears(client, cookie=f"{COOKIE}-8501={TOKEN}")
    assert not hears(client, cookie=f"{COOKIE}-8501=")
    assert not hears(client, authorization="Bearer wrong")
    assert client.put("/_stcore/upload_file/1/2").status_code == 401
    assert client.get("/_stcore/metrics").status_code == 401
    assert client.get("/_stcore/metrics", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_container_may_ask_whether_the_server_lives():
    assert visitor(token=TOKEN).get("/_stcore/health").status_code == 200
    assert visitor(token=TOKEN, prefix="/delve").get("/delve/_stcore/health").status_code == 200
    assert visitor(token=TOKEN).get("/_stcore/health", headers={"host": "evil.org"}).status_code == 403


def test_a_token_is_exchanged_for_a_cookie_that_does_not_have_it():
    client = visitor(token=TOKEN)
    answer = client.post("/compare?task=/demo/age/std.128", TOKEN)
    assert (answer.status_code, answer.text) == (204, "")
    kept = answer.headers["set-cookie"]
    assert TOKEN not in kept
    assert "HttpOnly" in kept
    assert "SameSite=lax" in kept
    assert client.get("/compare").status_code == 200
    assert hears(client)
    client = visitor("https://127.0.0.1:8501", token=TOKEN)
    assert "Secure" in client.post("/", TOKEN).headers["set-cookie"]  # it never travels without TLS


def test_with_a_prefix_the_cookie_stays_below_it():
    for path in ("/delve", "/delve/"):
        client = visitor(token=TOKEN, prefix="/delve")
        kept = client.post(path, TOKEN).headers["set-cookie"]
        assert "Path=/delve;" in kept
        assert "Secure" not in kept
        assert client.get("/delve/compare").status_code == 200
        assert client.get("/delve").status_code == 200


@pytest.mark.parametrize("path", ["//evil.org", "/%2Fevil.org"])
def test_signing_in_leads_nowhere_else(path):
    for answer in (visitor(token=TOKEN).get(f"{path}?token={TOKEN}"), visitor(token=TOKEN).post(path, TOKEN)):
        assert "location" not in answer.headers


def test_a_token_in_an_address_that_a_log_has_signs_nobody_in():
    answer = visitor(token=TOKEN).get(f"/compare?token={TOKEN}")
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)


def test_a_page_of_another_origin_cannot_sign_in():
    other = visitor(token=TOKEN)
    assert other.post("/compare", TOKEN, headers={"origin": "http://evil.org"}).status_code == 403
    assert other.post("/compare", "x" * 10_000).status_code == 401


def test_no_page_and_no_log_has_a_token_and_wrong_ones_are_told_with_who_brought_them(caplog):
    answers = [
        visitor(token=TOKEN).post("/", "a-wrong-token"),
        visitor(token=TOKEN).get('/compare?task="><script>alert(1)</script>'),
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert "wrong" not in answers[0].text
    assert "`delve dashboard` printed" in answers[0].text
    assert "alert(1)" not in answers[1].text
    assert caplog.messages == ["sign-in: a wrong token from unknown"]


def test_a_client_tries_few_tokens_and_then_waits_even_with_the_right_one():
    client = visitor(token=TOKEN)
    codes = [client.post("/", f"guess-{number}").status_code for number in range(300)]
    assert codes == [401] * FEW + [429] * (300 - FEW)
    refused = client.get("/", headers={"authorization": f"Bearer {TOKEN}"})
    assert (refused.status_code, 0 < int(refused.headers["retry-after"]) <= PAUSE + 1) == (429, True)


def test_a_visitor_who_has_signed_in_does_not_wait_for_others_of_the_same_address():
    client = visitor(token=TOKEN)
    client.post("/", TOKEN)
    cookies, client.cookies = client.cookies, {}
    for number in range(2 * FEW):
        client.post("/", f"guess-{number}")
    client.cookies = cookies
    assert client.get("/compare").status_code == 200


def test_clients_that_are_too_many_to_be_told_apart_wait_together(monkeypatch):
    monkeypatch.setattr(auth, "MOST_CLIENTS", 5)
    tries = Tries()
    for number in range(5 + FEW):
        tries.count(f"10.0.0.{number}")
    assert tries.wait("10.0.0.1") == 0
    assert tries.wait("10.0.1.1") > 0
