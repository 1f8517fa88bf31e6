"""A visitor who asks an ASGI application by its protocol, without a server, and keeps cookies."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


def run_apart(coroutine: Coroutine):
    """Run it in a thread of its own: the browser tests of the same process have a loop running."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class Answer(NamedTuple):
    status_code: int
    headers: dict[str, str]
    text: str


class Visitor:
    """Asks `app`, which is served at `base`."""

    def __init__(self, app, base: str) -> None:
        self.app, self.base, self.cookies = app, urlsplit(base), {}

    def get(self, address: str, *, headers=None) -> Answer:
        return self.ask("GET", address, headers)

    def put(self, address: str, *, headers=None) -> Answer:
        return self.ask("PUT", address, headers)

    def post(self, address: str, token: str, *, headers=None) -> Answer:
        """Sign in with a token, as the form does."""
        return self.ask("POST", address, {"authorization": f"Bearer {token}", **(headers or {})})

    def ask(self, method: str, address: str, headers=None, body: str = "") -> Answer:
        scope = self._scope("http", address, headers) | {"method": method}
        messages = self._messages(scope, {"type": "http.request", "body": body.encode(), "more_body": False})
        start = messages[0]
        told = {name.decode(): value.decode() for name, value in start["headers"]}
        for name, morsel in SimpleCookie(told.get("set-cookie", "")).items():
            self.cookies[name] = morsel.value
        body = b"".join(one.get("body", b"") for one in messages[1:])
        return Answer(start["status"], told, body.decode())

    def hears(self, address: str, headers=None) -> bool:
        """Is a websocket let in?"""
        messages = self._messages(self._scope("websocket", address, headers), {"type": "websocket.connect"})
        return messages[0]["type"] == "websocket.accept"

    def _scope(self, kind: str, address: str, headers) -> dict:
        path, _, query = address.partition("?")
        port = self.base.port
        sent = {"host": self.base.netloc, **(headers or {})}
        if self.cookies:
            sent.setdefault("cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        scheme = self.base.scheme if kind == "http" else self.base.scheme.replace("http", "ws")
        return {
            "type": kind,
            "scheme": scheme,
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
            "server": (self.base.hostname, port),
            "subprotocols": [],
        }

    def _messages(self, scope: dict, asked: dict) -> list[dict]:
        messages: list[dict] = []

        async def receive() -> dict:
            return asked

        async def send(message: dict) -> None:
            messages.append(message)

        async def ask() -> None:
            await self.app(scope, receive, send)

        run_apart(ask())
        return messages
