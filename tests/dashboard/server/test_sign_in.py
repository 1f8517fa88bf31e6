"""Signing in at a provider: who is sent there, who comes back and may visit, and what settings are refused."""

import base64
import hashlib
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from dashboard.server.sign_in import SignIn, read_sign_in
from delvecore.errors import DelveError
from tests.archives import small_archive

pytest.importorskip("authlib", reason="signing in needs Authlib: pip install -e '.[sign-in]'")

ROOT = Path(__file__).resolve().parents[3]
SECRET = "0123456789abcdef0123456789abcdef"
SETTINGS = """
[auth]
redirect_uri = "http://127.0.0.1:{port}/delve/oauth2callback"
cookie_secret = "{secret}"
client_id = "delve"
client_secret = "known to both"
server_metadata_url = "{provider}/.well-known/openid-configuration"

[visitors]
email = ["*@lab.example.org"]
groups = ["friends"]
"""


class Provider(ThreadingHTTPServer):
    """A provider of OpenID Connect, at which whoever asks is the person in `claims`. asked: for which client,
    with which verifier of the code; key: that signs."""

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        super().__init__(("127.0.0.1", 0), _Answers)
        self.claims: dict[str, object] = {}
        self.key = RSAKey.generate_key(2048, {"kid": "1"}, private=True)
        self.challenges: dict[str, dict[str, str]] = {}

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def id_token(self, nonce: str) -> str:
        from joserfc import jwt

        about = {"iss": self.address, "aud": "delve", "sub": "7", "nonce": nonce, "iat": int(time.time())}
        return jwt.encode(
            {"alg": "RS256", "kid": "1"}, {**about, "exp": time.time() + 60, **self.claims}, self.key
        )


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, asked = parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}
        here = self.server.address
        if path == "/authorize":
            self.server.challenges["a-code"] = asked
            back = urlencode({"code": "a-code", "state": asked["state"]})
            self.send_response(302)
            self.send_header("location", f"{asked['redirect_uri']}?{back}")
            self.end_headers()
        elif path == "/keys":
            self._say({"keys": [self.server.key.as_dict(private=False)]})
        else:
            ends = {"authorization_endpoint": f"{here}/authorize", "token_endpoint": f"{here}/token"}
            facts = {"issuer": here, "jwks_uri": f"{here}/keys", "code_challenge_methods_supported": ["S256"]}
            self._say(facts | ends)

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        asked = self.server.challenges[sent["code"][0]]
        digest = hashlib.sha256(sent["code_verifier"][0].encode()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == asked["code_challenge"]
        known = base64.b64encode(b"delve:known to both").decode()
        assert self.headers["authorization"] == f"Basic {known}"
        self._say(
            {"access_token": "x", "token_type": "Bearer", "id_token": self.server.id_token(asked["nonce"])}
        )

    def _say(self, what: object) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(what).encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


class Browser:
    """Follows redirects and keeps cookies, whoever set them."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}
        self.visited: list[str] = []

    def get(self, address: str, **headers: str) -> tuple[int, str]:
        for _ in range(9):
            parts = urlsplit(address)
            self.visited.append(parts.path)
            connection = http.client.HTTPConnection(parts.netloc, timeout=30)
            cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            connection.request("GET", f"{parts.path}?{parts.query}", headers={"Cookie": cookies, **headers})
            answer = connection.getresponse()
            for one in answer.headers.get_all("set-cookie") or ():
                for name, morsel in SimpleCookie(one).items():
                    self.cookies[name] = morsel.coded_value
            if answer.status not in (302, 303, 307):
                return answer.status, answer.read().decode()
            location = answer.headers["location"]
            address = location if location.startswith("http") else f"http://{parts.netloc}{location}"
        raise AssertionError(f"a circle: {self.visited}")


@pytest.fixture(scope="module")
def provider():
    made = Provider()
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()


@pytest.fixture(scope="module")
def served(provider, tmp_path_factory):
    """The address of a dashboard whose visitors sign in at the provider."""
    directory = tmp_path_factory.mktemp("served")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = directory / "sign-in.toml"
    settings.write_text(SETTINGS.format(port=port, secret=SECRET, provider=provider.address))
    environment = {**os.environ, "DELVE_TOKEN": "a-token-of-24-characters", "XDG_CACHE_HOME": str(directory)}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    words = f"dashboard --no-browser --port {port} --base-path /delve --metrics --sign-in {settings}".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "delvecore.cli.delve", *words, str(small_archive(directory))],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert "DELVE dashboard" in process.stdout.readline()
    yield f"http://127.0.0.1:{port}/delve"
    process.terminate()
    assert process.wait(30) == 0


@pytest.mark.slow
def test_a_visitor_whom_the_provider_knows_sees_pages(served, provider):
    provider.claims = {"email": "Ada@LAB.example.org", "email_verified": True}
    browser = Browser()
    status, page = browser.get(f"{served}/compare")
    assert (status, "<title>Streamlit</title>" in page) == (200, True)
    assert browser.visited == [
        "/delve/compare",
        "/delve/auth/login",
        "/authorize",
        "/delve/oauth2callback",
        "/delve/",
    ]
    assert browser.get(f"{served}/_stcore/metrics")[0] == 200
    assert browser.get(f"{served}/auth/logout")[0] == 200
    assert "/authorize" in browser.visited[5:]  # signed out, and in again


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claims", "status"),
    [
        ({"email": "ada@lab.example.org", "email_verified": False}, 403),
        ({"email": "ada@lab.example.org.evil.com"}, 403),
        ({"groups": ["others", "friends"]}, 200),
    ],
)
def test_whom_the_provider_knows_may_visit_if_the_settings_say_so(served, provider, claims, status):
    provider.claims = claims
    reply, page = Browser().get(f"{served}/compare")
    assert reply == status
    assert (
        status == 200
        or "Your account may not visit this dashboard; /delve/auth/logout signs you out." in page
    )


@pytest.mark.slow
def test_who_has_not_signed_in_gets_no_stream_no_count_and_no_upload_and_programs_bring_the_token(served):
    place = urlsplit(served).netloc

    def status(method, path, **headers):
        connection = http.client.HTTPConnection(place, timeout=30)
        connection.request(method, f"/delve{path}", headers=headers)
        return connection.getresponse().status

    for method, path in (("PUT", "/_stcore/upload_file/1/2"), ("POST", "/")):
        assert status(method, path, **{"Content-Length": "0"}) == 401
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    upgrade["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    assert status("GET", "/_stcore/stream", **upgrade) == 403
    counts = f"{served}/_stcore/metrics"
    assert Browser().get(counts, Authorization="Bearer a-token-of-24-characters")[0] == 200
    assert Browser().get(counts, Authorization="Bearer wrong")[0] == 401
    forged = base64.b64encode(b'{"email": "ada@lab.example.org"}').decode()
    assert status("GET", "/compare", Cookie=f"_streamlit_user={forged}") == 303


def test_a_sign_in_lasts_a_day(monkeypatch):
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    sign_in = SignIn("", SECRET, {"email": ("*",)})
    kept = create_signed_value(SECRET, "_streamlit_user", json.dumps({"email": "a"})).decode()
    assert sign_in.claims({"_streamlit_user": kept}) == {"email": "a"}
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 90_000)
    assert sign_in.claims({"_streamlit_user": kept}) is None
    assert sign_in.claims({}) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((SECRET, "short"), "expected a cookie_secret of 32 or more characters, found 5; make one"),
        (
            ("/delve/oauth2callback", "/oauth2callback"),
            "expected a redirect_uri that ends in /delve/oauth2callback",
        ),
        (("[visitors]", "[guests]"), r"expected lists of patterns in \[visitors\], found none; name those"),
        (("[auth]", "[auth"), "expected settings for signing in, in TOML"),
    ],
)
def test_settings_that_are_not_complete_are_refused(tmp_path, change, said):
    path = tmp_path / "sign-in.toml"
    text = SETTINGS.format(port=1, secret=SECRET, provider="http://127.0.0.1:1")
    path.write_text(text.replace(*change))
    with pytest.raises(DelveError, match=said):
        read_sign_in(str(path), prefix="/delve")


def test_settings_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(DelveError, match="expected settings for signing in, found no such file"):
        read_sign_in(str(tmp_path / "none.toml"), prefix="")
