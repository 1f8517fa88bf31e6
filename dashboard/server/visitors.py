"""A random cookie that identifies a browser, so that a visitor's additions remain when a page is loaded
again.

The cookie contains no personal data, and nobody can guess another visitor's."""

import re
import secrets

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "delve-visitor"
GIVEN_WITH = (200, 304)
"""The statuses of responses with a cookie. A browser that cached the page, but not the cookie, gets 304."""
_VALUE = re.compile(r"[A-Za-z0-9_-]{43}")


class VisitorCookie:
    """ASGI middleware that gives each browser a cookie with its first page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in GIVEN_WITH:
                secure = "; Secure" if scope["scheme"] == "https" else ""
                value = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"
                message["headers"] = [*message.get("headers", []), (b"set-cookie", value.encode("ascii"))]
            await send(message)

        await self.app(scope, receive, send_with_cookie if _is_first_page(scope) else send)


def _is_first_page(scope: Scope) -> bool:
    """Does a browser without the cookie ask for a page?"""
    if scope["type"] != "http":
        return False
    headers = Headers(scope=scope)
    return "text/html" in headers.get("accept", "") and f"{COOKIE}=" not in headers.get("cookie", "")


def is_visitor(value: str) -> bool:
    """Is this the value of a cookie that this server gave?"""
    return _VALUE.fullmatch(value) is not None
