"""Which browser asks: a cookie of chance, by which what a visitor added is there when a page is loaded again.

It says nothing of the visitor, and nobody can guess another's."""

import re
import secrets
import threading
import time
from typing import Generic, TypeVar

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "delve-visitor"
KEPT = 3600.0
"""Seconds for which something is kept after a visitor's last act."""
MOST_KEPT = 50
GIVEN_WITH = (200, 304)
"""The statuses of answers with a cookie. A browser that kept the page, but not the cookie, is sent 304."""
_VALUE = re.compile(r"[A-Za-z0-9_-]{43}")
Thing = TypeVar("Thing")


class VisitorCookie:
    """ASGI middleware that gives each browser a cookie with the first page that it asks for."""

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


class Kept(Generic[Thing]):
    """What is kept of visitors, by the value of their cookie: the last ones, and not for long."""

    def __init__(self) -> None:
        self._lock, self._things = threading.Lock(), dict[str, tuple[float, Thing]]()

    def of(self, value: str, thing: Thing) -> Thing:
        """Return what is kept of a visitor, this thing if nothing is; without a cookie nothing is kept."""
        if not _VALUE.fullmatch(value):
            return thing
        with self._lock:
            now = time.monotonic()
            _, found = self._things.pop(value, (now, thing))
            self._things[value] = now, found
            old = [key for key, (seen, _) in self._things.items() if now - seen > KEPT]
            for key in [*old, *list(self._things)[: max(0, len(self._things) - MOST_KEPT - len(old))]]:
                self._things.pop(key, None)
            return found
