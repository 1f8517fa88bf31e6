"""The dashboard as an ASGI application: `uvicorn dashboard.server.asgi:app --host 127.0.0.1 --port 8501`.

uvicorn sets TCP_NODELAY, which `streamlit run` does not. The server accepts requests first, and imports the
archive and the pages while the browser loads its scripts. Objects that exist then are excluded from later
garbage collections."""

import asyncio
import base64
import gc
import hashlib
import importlib
import pkgutil
import re
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.server import hosting, pages
from dashboard.server.auth import SCRIPT, Gate
from dashboard.server.bounds import Bounds, free_ended
from dashboard.server.configuration import PACKAGE, apply_configuration
from dashboard.server.visitors import GIVEN_WITH, new_cookie
from delvecore.parallel.processes import end_all


def content_security_policy() -> str:
    """Return the content security policy.

    Pages load nothing from another host, and run no scripts except those of Streamlit and of the sign-in."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = [
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in (*re.findall(r"<script>(.*?)</script>", page, re.DOTALL), SCRIPT)
    ]
    return "; ".join(
        (
            f"default-src 'self'; script-src 'self' {' '.join(scripts)} 'wasm-unsafe-eval'",
            "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:",
            "connect-src 'self' ws: wss:; worker-src 'self' blob:; frame-src 'self'; object-src 'none'",
            "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
        )
    )


class AnswerHeaders:
    """ASGI middleware that adds security headers to every HTTP response, and a cookie to the first page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = [
            (b"content-security-policy", content_security_policy().encode("ascii")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-frame-options", b"DENY"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = new_cookie(scope) if message["status"] in GIVEN_WITH else []
                message["headers"] = [*message.get("headers", []), *self.headers, *cookie]
            await send(message)

        await self.app(scope, receive, send_with_headers)


FILES = ("/_stcore/", "/media/", "/component/", "/static/", "/app/", "/auth/", "/oauth2callback")
"""Prefixes of addresses that serve files and responses, but no pages."""


class Guide:
    """ASGI middleware that redirects an address without a page to the nearest page, which shows a notice.

    Streamlit answers such an address with its only HTML file, whose scripts load only from the top level."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        prefix = scope.get("root_path", "").rstrip("/") or hosting.chosen().prefix
        path = scope.get("path", "").removeprefix(prefix)
        app = self.app
        asks_page = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        if asks_page and not path.startswith(FILES) and not pages.is_page(path):
            location = prefix + pages.guiding_address(path, scope["query_string"].decode("latin-1"))
            app = RedirectResponse(location, headers={"cache-control": "no-cache"})
        await app(scope, receive, send)


COLLECTIONS = 20_000, 20, 20
"""Thresholds of garbage collection, as for `gc.set_threshold`: a page makes many objects, few of them in
cycles."""
AT_REST, ENDING, PAUSE = 2.0, 10.0, 0.1
"""Seconds before other pages are imported; maximum seconds to wait for the background thread at the end; and
seconds between two checks of that thread."""


def warm_up() -> None:
    """Start to open the archive, and import and prepare the first page."""
    from dashboard.server import archive as opened

    gc.set_threshold(*COLLECTIONS)
    opened.open_archive(patience=0.0)
    first = importlib.import_module(f"dashboard.{pages.FIRST}.page")
    opened_archive = opened.open_archive(patience=1.0)
    if opened_archive.archive is not None:
        first.at_start(opened_archive.archive)


def import_pages() -> None:
    """Import the modules of the other pages, and exclude existing objects from later garbage collections."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "dashboard."):
        if not module.name.endswith(".app"):  # a script, run at each visit
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def work(ended: threading.Event) -> None:
    """Import the pages, then watch files and compute likely results in advance, until the server ends.

    The server accepts requests meanwhile. Nothing else imports the archive or a page earlier."""
    warm_up()
    from dashboard.server.archive import prepare, watch

    watcher = threading.Thread(target=watch, args=(ended,), daemon=True, name="watch")
    watcher.start()
    if not ended.wait(AT_REST):
        import_pages()
        prepare()
    watcher.join()


def _remove_left(is_active: Callable[[str], bool]) -> None:
    from dashboard.server import sandbox, uploads

    uploads.remove_left(is_active)
    sandbox.end_idle()


@asynccontextmanager
async def lifespan(_app: object) -> AsyncIterator[dict[str, object]]:
    ended = threading.Event()
    background = threading.Thread(target=work, args=(ended,), daemon=True, name="background")
    background.start()
    freeing = asyncio.create_task(free_ended(_remove_left))
    try:
        yield {}
    finally:
        freeing.cancel()
        ended.set()
        until = time.monotonic() + ENDING
        while background.is_alive() and time.monotonic() < until:
            end_all()  # also the processes that other threads start now
            background.join(PAUSE)
        end_all()
        from dashboard.server import uploads

        uploads.remove_all()


async def plotly_file(_request: Request) -> FileResponse:
    """Serve Plotly's script, with which a browser makes pictures of figures. Streamlit does not export its
    copy."""
    import plotly

    path = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    return FileResponse(path, media_type="text/javascript", headers={"cache-control": "max-age=86400"})


apply_configuration()
app = st.App(
    PACKAGE / "app.py",
    lifespan=lifespan,
    routes=[Route("/{_prefix:path}app/plotly.min.js", plotly_file)],
    middleware=[
        Middleware(AnswerHeaders),
        Middleware(Gate),
        Middleware(Bounds),
        Middleware(Guide),
    ],
)
