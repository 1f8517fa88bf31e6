"""A random cookie that identifies a browser, so that additions remain when a page is loaded again.

The cookie contains no personal data, and nobody can guess another visitor's."""

import re
import secrets

from starlette.datastructures import Headers
from starlette.types import Scope

COOKIE = "delve-visitor"
GIVEN_WITH = (200, 304)
"""The statuses of responses with a cookie. A browser that cached the page, but not the cookie, gets 304."""
_VALUE = re.compile(r"[A-Za-z0-9_-]{43}")


def new_cookie(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return a header that sets the cookie, if a browser requests a page without one; otherwise none."""
    headers = Headers(scope=scope)
    if "text/html" not in headers.get("accept", "") or f"{COOKIE}=" in headers.get("cookie", ""):
        return []
    secure = "; Secure" if scope["scheme"] == "https" else ""
    value = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"
    return [(b"set-cookie", value.encode("ascii"))]


def is_visitor(value: str) -> bool:
    """Is this the value of a cookie that this server issued?"""
    return _VALUE.fullmatch(value) is not None
