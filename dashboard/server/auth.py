"""Access control: ASGI middleware that checks the host, origin, and token or account of each request.

Streamlit checks only websockets, accepts pages from any port of this machine, and looks up the machine's
public address for an unknown origin. The gate accepts only the host's own origin, or requests without one."""

import hmac
import ipaddress
import logging
import secrets
import time
from pathlib import Path

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.server.hosting import Hosting, chosen
from dashboard.server.sign_in import ADDRESSES, SignIn, login_address

COOKIE = "delve-token"
HEALTH = "/_stcore/health"
"""Answers `ok` to every client: for proxies and containers."""
METRICS = "/_stcore/metrics"
AGENT = "/_stcore/agent"
SIGN_IN = Path(__file__).with_name("token.html").read_text(encoding="utf-8").rstrip()
"""The sign-in page."""
SCRIPT = SIGN_IN.partition("<script>")[2].partition("</script>")[0]
"""Signs in with the token of the form, or after `#` of an address. Browsers do not send that part, and no log
contains it."""
FEW, PAUSE, MOST_CLIENTS = 10, 5.0, 10_000
"""Wrong tokens that a client may send at once; seconds before each further one; number of clients that are
counted separately."""
_log = logging.getLogger("delvecore")


class Tries:
    """Counts of wrong tokens by client."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def wait(self, client: str) -> float:
        """Return the seconds until the next token of a client is checked; 0 for no wait."""
        until = self._until.get(self._key(client), 0.0)
        return max(0.0, until - time.monotonic() - (FEW - 1) * PAUSE)

    def count(self, client: str) -> None:
        """Record a wrong token of a client."""
        _log.warning("sign-in: a wrong token from %s", client)
        now, key = time.monotonic(), self._key(client)
        self._until[key] = max(now, self._until.get(key, 0.0)) + PAUSE

    def _key(self, client: str) -> str:
        """Return the key of a client. If there are too many to count separately, all share one key."""
        if client not in self._until and len(self._until) >= MOST_CLIENTS:
            now = time.monotonic()
            self._until = {one: until for one, until in self._until.items() if until > now}
        return client if client in self._until or len(self._until) < MOST_CLIENTS else ""


class Gate:
    """ASGI middleware that accepts requests with the token, for a trusted host, and from no other origin."""

    def __init__(self, app: ASGIApp, hosting: Hosting | None = None) -> None:
        self.app = app
        self.hosting = hosting or chosen()
        self.secret, self.tries = secrets.token_hex(32), Tries()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        path: str = scope["path"].removeprefix(self.hosting.prefix)
        answer = self._forbidden(request, path) or self._signed_in(request, path)
        if answer is None:
            if scope["path"] == HEALTH:  # A container requests it without knowing the prefix.
                scope["path"] = self.hosting.prefix + HEALTH
                scope["raw_path"] = scope["path"].encode()
            if scope["type"] == "http":  # It has passed: Streamlit does not need to check it again.
                scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"origin"]
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "access denied"})
        else:
            await answer(scope, receive, send)

    def _forbidden(self, request: HTTPConnection, path: str) -> Response | None:
        """Return an error response to a request from elsewhere or for a forbidden path; otherwise None."""
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or not self.hosting.answers_to(hosts[0]):
            return _refusal(
                403, "This dashboard does not accept that host name; --trusted-host NAME allows it."
            )
        origins = (f"http://{hosts[0]}".lower(), f"https://{hosts[0]}".lower())
        if any(origin.lower() not in origins for origin in request.headers.getlist("origin")):
            why = "The request comes from a page of another origin; only pages of this dashboard are allowed."
            return _refusal(403, why)
        if (path == METRICS and not self.hosting.metrics) or path.startswith(AGENT):
            return _refusal(404, "Not found.")
        return None

    def _signed_in(self, request: HTTPConnection, path: str) -> Response | None:
        """Return the response that replaces the page, or None if the visitor is signed in or access is open.

        A token is accepted only as `Authorization: Bearer`. A POST with it is answered with the cookie."""
        token, sign_in = self.hosting.token, self.hosting.sign_in
        if path == HEALTH or (token is None and sign_in is None):
            return None
        method = request.get("method", "")  # A websocket has none.
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        has_token = scheme.lower() == "bearer"
        if sign_in is not None and not (token and has_token):
            return self._account(request, path, sign_in, asks_page=method in ("GET", "HEAD"))
        cookie = request.cookies.get(_cookie_name(request.scope), "")
        if token is None or _equal(cookie, self.secret):
            return None
        if not has_token and method in ("GET", "HEAD"):
            return HTMLResponse(SIGN_IN, status_code=401)
        if has_token:
            client = _client(request.scope)
            if seconds := self.tries.wait(client):
                answer = _refusal(429, "Too many wrong tokens; try later.")
                answer.headers["retry-after"] = str(int(seconds) + 1)
                return answer
            if _equal(sent.strip(), token):
                return self._welcome(request.scope) if method == "POST" else None
            self.tries.count(client)
        return _refusal(401, "This dashboard requires its token, which `delve dashboard` printed.")

    def _account(
        self, request: HTTPConnection, path: str, sign_in: SignIn, *, asks_page: bool
    ) -> Response | None:
        """Return the response to a visitor who has not signed in or is not allowed; None for all others."""
        if path in ADDRESSES:
            return None
        claims = sign_in.claims(request.cookies)
        if claims is None and asks_page:
            address = login_address(self.hosting.prefix)
            return RedirectResponse(address, status_code=303, headers={"cache-control": "no-store"})
        if claims is None:
            return _refusal(401, "Sign in first.")
        if not sign_in.lets_in(claims):
            leave = f"{self.hosting.prefix}{ADDRESSES[1]}"
            return _refusal(403, f"Your account may not visit this dashboard; {leave} signs you out.")
        return None

    def _welcome(self, scope: Scope) -> Response:
        """Return the response with the cookie of this run of the server."""
        answer = Response(status_code=204, headers={"cache-control": "no-store"})
        name, path, is_secure = _cookie_name(scope), self.hosting.prefix or "/", scope["scheme"] == "https"
        answer.set_cookie(name, self.secret, path=path, httponly=True, samesite="lax", secure=is_secure)
        return answer


def _client(scope: Scope) -> str:
    """Return the client's address, or for IPv6 the network that belongs to one machine."""
    client = (scope.get("client") or ("unknown", 0))[0]
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return "unknown"  # A proxy may pass on any text.
    is_long = address.version == 6 and not address.is_loopback
    return str(ipaddress.ip_network(f"{address}/64", strict=False)) if is_long else str(address)


def _refusal(status: int, reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", status_code=status)


def _cookie_name(scope: Scope) -> str:
    """Return the name of the cookie. Cookies ignore ports, so two servers on one machine need two names."""
    server = scope.get("server")
    return f"{COOKIE}-{server[1]}" if server else COOKIE


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
