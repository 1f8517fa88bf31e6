"""Who is let in: ASGI middleware that asks each request for its host, its origin and its token.

Streamlit asks websockets alone, takes a page of any port of this machine for its own, and looks up the
machine's outside address for an origin that it does not know. Nothing comes so far: what the gate lets
through has the host's own origin or none."""

import hashlib
import hmac
import html
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.server.hosting import TOKEN, Hosting, chosen

__all__ = ["COOKIE", "HEALTH", "Gate"]

COOKIE = "delve-token"
HEALTH = "/_stcore/health"
"""Says `ok`, to whoever asks: for proxies and containers."""
METRICS = "/_stcore/metrics"
AGENT = "/_stcore/agent"
SIGN_IN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>DELVE asks for a token</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>
body {{ font: 15px/1.5 Inter, system-ui, sans-serif; max-width: 30rem; margin: 15vh auto 0; }}
body {{ padding: 0 1.5rem; }}
h1 {{ font-size: 1.75rem; line-height: 1.25; }} code {{ font-size: .95em; }}
form {{ display: flex; gap: .5rem; margin: 1.5rem 0; }}
input, button {{ font: inherit; padding: .5rem .75rem; border: 1px solid #8794a1; border-radius: 6px; }}
input {{ flex: 1; min-width: 0; }}
button {{ background: #0b5cad; border-color: #0b5cad; color: #fff; cursor: pointer; }}
:focus-visible {{ outline: 3px solid #6ab0ff; outline-offset: 1px; }}
</style></head><body><main><h1>This dashboard asks for its token</h1>
<p>{said} It stands in the address that <code>delve dashboard</code> printed when it was started, behind
<code>token=</code>.</p>
<form method="get">{kept}<label for="token" hidden>Token</label>
<input id="token" name="token" type="password" placeholder="Token" aria-label="Token" required autofocus
 autocomplete="current-password"><button>Open</button></form></main></body></html>"""


class Gate:
    """Lets through requests for a trusted host, of its own origin or none, that bring the token."""

    def __init__(self, app: ASGIApp, hosting: Hosting | None = None) -> None:
        self.app = app
        self.hosting = hosting or chosen()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = self._turned_away(headers, self._path(scope)) or self._signed_in(scope, headers)
        if answer is None:
            if scope["type"] == "http":  # Asked for and found to be its own: nothing is left to be asked.
                scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"origin"]
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not let in"})
        else:
            await answer(scope, receive, send)

    def _path(self, scope: Scope) -> str:
        path: str = scope["path"]
        return path.removeprefix(self.hosting.prefix)

    def _turned_away(self, headers: Headers, path: str) -> Response | None:
        """Return what is answered to what nobody may ask, whoever he is; None for all else."""
        host = headers.get("host")
        if len(headers.getlist("host")) != 1 or not self.hosting.answers_to(host):
            return _refusal(403, "This dashboard does not go by that name; --trusted-host NAME adds one.")
        if any(not _is_same(origin, str(host)) for origin in headers.getlist("origin")):
            return _refusal(403, "A page of another origin asks; only the dashboard's own pages may.")
        if (path == METRICS and not self.hosting.metrics) or path.startswith(AGENT):
            return _refusal(404, "Not found.")
        return None

    def _signed_in(self, scope: Scope, headers: Headers) -> Response | None:
        """Return what is answered instead of the page: None where the visitor is known or nobody is asked."""
        token = self.hosting.token
        if token is None or self._path(scope) == HEALTH or self._knows(headers, scope):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        brought = [value for name, value in query if name == TOKEN]
        others = [(name, value) for name, value in query if name != TOKEN]
        if any(_equal(value, token) for value in brought):
            return self._welcome(scope, others)
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            said = "What you gave is not it." if brought else "Nobody may look without it."
            return HTMLResponse(SIGN_IN.format(said=said, kept=_hidden(others)), status_code=401)
        return _refusal(401, "This dashboard asks for its token.")

    def _knows(self, headers: Headers, scope: Scope) -> bool:
        """Has this visitor signed in, or does a program bring the token in its header?"""
        token = self.hosting.token or ""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _equal(given.strip(), token):
            return True
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        kept = cookies.get(_cookie_name(scope))
        return kept is not None and _equal(kept.value, _proof(token))

    def _welcome(self, scope: Scope, others: list[tuple[str, str]]) -> Response:
        """Keep the token in a cookie and lead to the same address without it, which may then be passed on."""
        path: str = scope["path"]
        address = "/" + path.lstrip("/") + (f"?{urlencode(others)}" if others else "")
        answer = RedirectResponse(address, status_code=303, headers={"cache-control": "no-store"})
        answer.set_cookie(
            _cookie_name(scope),
            _proof(self.hosting.token or ""),
            path=self.hosting.prefix or "/",
            httponly=True,
            samesite="lax",
            secure=scope["scheme"] == "https",
        )
        return answer


def _refusal(status: int, reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", status_code=status)


def _is_same(origin: str, host: str) -> bool:
    """Is this page's origin the one that it asks, to the port?"""
    return origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())


def _cookie_name(scope: Scope) -> str:
    """Cookies know no ports: two servers of one machine have two names."""
    server = scope.get("server")
    return f"{COOKIE}-{server[1]}" if server else COOKIE


def _proof(token: str) -> str:
    return hashlib.sha256(f"{COOKIE} {token}".encode()).hexdigest()


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _hidden(parameters: list[tuple[str, str]]) -> str:
    return "".join(
        f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">'
        for name, value in parameters
    )
