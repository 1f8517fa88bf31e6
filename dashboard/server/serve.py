"""Serve the dashboard, by default only to this machine, for `delve dashboard`."""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dashboard.server.hosting import LOOPBACK, TOKEN_VARIABLE, Hosting, choose
from delvecore.errors import DelveError
from delvecore.locations import PARTS
from delvecore.packaging.staging import first_writable
from delvecore.parallel.processes import compute_in_one_thread

if TYPE_CHECKING:
    import uvicorn

    from delvecore.score_tables.options import ScoreOptions

FIRST_PORT, PORTS_TRIED = 8501, 20
READING = 20.0
"""Seconds for reading files of scores: their faults are reported before anything is served."""


def choose_port(wanted: int | None = None, *, host: str = LOOPBACK) -> int:
    """Return the requested port, or without a request the first free one from 8501 on.

    Raises DelveError if the requested port, or each of twenty ports, is in use."""
    last = FIRST_PORT + PORTS_TRIED - 1
    for port in range(FIRST_PORT, last + 1) if wanted is None else [wanted]:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind((host, port))
                return port
    if wanted is not None:
        raise DelveError(f"port {wanted} is in use by another program; choose another with --port")
    raise DelveError(f"ports {FIRST_PORT} to {last} are all in use; choose another with --port")


def serve(
    paths: Sequence[str],
    *,
    port: int | None = None,
    open_browser: bool = True,
    use_cache: bool = True,
    follow_links: bool = False,
    allow_install: bool = False,
    scores: "ScoreOptions | None" = None,
    mine: str | None = None,
    hosting: Hosting | None = None,
) -> None:
    """Serve the archive in these delve directories and files of scores until interrupted.

    No paths mean the default archive. One line with the address is printed when the server is ready.
    follow_links: also follow links that lead out of their delve directory; allow_install: may visitors put
    uploads into the archive? scores: how to read files of scores; mine: the method that the pages mark as
    the user's own; hosting: address and access, None for this machine only. Raises DelveError for a port in
    use, for a path that is neither a delve directory nor a file, for a file that cannot be read or written,
    and if nothing can be installed."""
    hosting = hosting or Hosting()
    choose(hosting)
    chosen = choose_port(port, host=hosting.host)
    # With several threads for each request, simultaneous visitors would wait for each other.
    compute_in_one_thread()
    if not use_cache or paths or follow_links or allow_install or "DELVE_PATH" in os.environ:
        how = {"use_cache": use_cache, "follow_links": follow_links, "scores": scores}
        _choose_archive(paths, allow_install=allow_install, **how)
    server = _server(hosting, chosen)
    address = hosting.address(chosen, {"mine": mine} if mine else None)
    note = f"  (requires the token in {TOKEN_VARIABLE})" if hosting.has_fixed_token else ""
    announcer = threading.Thread(target=_announce, args=(server, address, note, open_browser), daemon=True)
    announcer.start()
    # The server ends visits first and then passes the signal on: this is not a failure.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        raise DelveError("the dashboard could not start; see the messages above")


def _choose_archive(paths: Sequence[str], *, allow_install: bool, **how: Any) -> None:
    """Set the archive to serve, and start to read it. Raises DelveError like `serve`."""
    from dashboard.server import archive as opened
    from delvecore.archive import sources

    roots, files = sources(list(paths) or None)
    into = install_target(roots, named=bool(paths)) if allow_install else None
    opened.choose_paths(paths, install_into=into, **how)
    opened_archive = opened.open_archive(patience=READING if files else 0.0)
    if files and opened_archive.error is not None:
        raise DelveError(opened_archive.error)


def install_target(roots: Sequence[str], *, named: bool) -> str:
    """Return the delve directory that visitors may install into: the first writable one.

    The archive that ships with the program is used only if it is named. Raises DelveError."""
    target = first_writable(roots, PARTS, with_shipped=named)
    if target is None:
        raise DelveError("expected a writable delve directory, found none; name one as PATH")
    return target


def _server(hosting: Hosting, port: int) -> "uvicorn.Server":
    import uvicorn

    from dashboard.server.configuration import apply_configuration

    apply_configuration(port=port)
    from dashboard.server.asgi import app

    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=hosting.host,
            port=port,
            access_log=False,
            server_header=False,
            proxy_headers=bool(hosting.proxies),
            forwarded_allow_ips=list(hosting.proxies),
            log_level="warning",
            timeout_graceful_shutdown=1,
        )
    )


def _announce(server: "uvicorn.Server", address: str, note: str, open_browser: bool) -> None:
    """Wait until the server accepts visitors, then print its address. note: further information about it."""
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.02)
    print(f"DELVE dashboard: {address}{note}  (Ctrl-C ends it)", flush=True)
    if open_browser and not webbrowser.open(address):
        print(f"no browser found here: open {address} yourself", file=sys.stderr, flush=True)
