"""A server that others may reach: what it asks of other hosts (nothing), whom it lets in, and how it ends."""

import asyncio
import contextlib
import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest
import websockets

from benchmarks.hosted import Sender, Site
from tests.archives import small_archive
from tests.browser.conftest import start_server
from tests.dashboard.server.asking import run_apart

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
TOKEN = "a-token-of-24-characters"
# Every address that a socket of the server connects to or looks up goes into a file.
SERVED = """
import sys
contacts = open("contacts", "a", buffering=1)
def note(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        print(event, arguments[1:] if event in ("socket.connect", "socket.sendto") else arguments[:1], file=contacts)
sys.addaudithook(note)
from delvecore.cli import delve
sys.exit(delve.main(sys.argv[1:]))
"""
OWN = ("127.0.0.1", "localhost", "0.0.0.0", "None")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server that listens at all addresses, below a prefix; yields its process, port and directory."""
    tmp_path = tmp_path_factory.mktemp("served")
    archive = small_archive(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment["TMPDIR"] = str(tmp_path)
    options = (
        f"dashboard --no-browser --host 0.0.0.0 --port {port} --base-path /delve --trusted-host delve.example.org "
        "--metrics"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", SERVED, *options.split(), str(archive)],
        cwd=tmp_path,
        env={**environment, "DELVE_TOKEN": TOKEN},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    line = process.stdout.readline()
    yield process, port, line, tmp_path
    process.kill()
    process.wait()


def asked(port: int, path: str, **headers: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def told(port: int, path: str, **headers: str) -> str:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.read().decode()


async def seen(port: int, process: subprocess.Popen, directory: Path) -> None:
    """Look at a page as a visitor does."""
    site = Site(port, process.pid, directory, has_tls=False)
    site.sign_in()
    async with site.connect() as socket:
        await Sender(socket, random.Random(0)).open("compare", "task=/demo/age/std.8")


async def ended_while_it_works(port: int, process: subprocess.Popen, directory: Path) -> float:
    """End the server while a page runs and a process reads what was sent; return when it was told to, after all
    of its processes are gone."""
    site, server = Site(port, process.pid, directory, has_tls=False), psutil.Process(process.pid)
    site.sign_in()
    table = b"dataset,method,error\n" + b"".join(b"d%d,m%d,0.5\n" % (n % 999, n) for n in range(999_999))
    before = server.children(recursive=True)
    async with site.connect() as socket:
        working = asyncio.create_task(Sender(socket, random.Random(0)).send(site, "scores.csv", table))
        while not set(children := server.children(recursive=True)) - set(before):
            assert not working.done(), working.result()
            await asyncio.sleep(0.01)
        started = time.monotonic()
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(psutil.wait_procs, children, 10)
        with contextlib.suppress(websockets.ConnectionClosed):
            await working
    assert not [child for child in children if child.is_running()]
    return started


def heard(port: int, **headers: str) -> bool:
    """Is a websocket let in that brings the token?"""
    asked = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    asked |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Authorization": f"Bearer {TOKEN}"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest("GET", "/delve/_stcore/stream", skip_host=True)
    for name, value in ({"Host": f"127.0.0.1:{port}"} | asked | headers).items():
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status == 101


def test_it_tells_its_address_turns_strangers_away_and_asks_nobody(served):
    process, port, line, directory = served
    address = f"http://{socket.gethostname()}:{port}/delve/"
    assert line == f"DELVE dashboard: {address}  (requires the token in DELVE_TOKEN)  (Ctrl-C ends it)\n"
    assert asked(port, "/delve/") == 401
    assert asked(port, "/delve/", Authorization=f"Bearer {TOKEN}", Origin="http://evil.example.org") == 403
    assert asked(port, "/delve/_stcore/health", Host="rebound.example.org") == 403
    assert asked(port, "/delve/_stcore/health") == asked(port, "/_stcore/health") == 200
    assert asked(port, "/delve/compare", Authorization=f"Bearer {TOKEN}") == 200
    assert heard(port)
    assert heard(port, Host="delve.example.org", Origin="https://delve.example.org")
    for origin in ("http://127.0.0.1:1", "http://evil.example.org", "null"):
        assert not heard(port, Origin=origin)
    assert asked(port, "/delve/_stcore/host-config", Authorization=f"Bearer {TOKEN}") == 200
    assert asked(port, "/delve/_stcore/metrics") == 401
    counts = told(port, "/delve/_stcore/metrics", Authorization=f"Bearer {TOKEN}")
    assert "active_sessions " in counts
    run_apart(seen(port, process, directory))
    contacts = (directory / "contacts").read_text().splitlines()
    assert contacts  # It did look up the address that it listens at.
    assert [one for one in contacts if not any(own in one for own in OWN)] == []


async def closed_with(port: int, process: subprocess.Popen, directory: Path, frame: str | bytes) -> int:
    """Return the code with which the server closes a websocket after a frame."""
    site = Site(port, process.pid, directory, has_tls=False)
    site.sign_in()
    async with site.connect() as socket:
        await socket.send(frame)
        await asyncio.wait_for(socket.wait_closed(), 10)
        return socket.close_code


def test_a_frame_that_is_no_message_ends_the_visit(served):
    # The next test reads what the server printed: nothing.
    process, port, _, directory = served
    for frame in ("hello", b"\xff\xff"):
        assert run_apart(closed_with(port, process, directory, frame)) == 1002


async def added(port: int, process: subprocess.Popen, directory: Path) -> list[Path]:
    """Add a table, without a cookie of a browser, and leave; return the directories of visitors meanwhile."""
    site = Site(port, process.pid, directory, has_tls=False)
    site.sign_in()
    async with site.connect() as socket:
        said = await Sender(socket, random.Random(0)).send(site, "scores.csv", b"dataset,a,b\nd,1,2\ne,2,3\n")
        assert 'label: "Remove"' in said
        return list(directory.glob("delve-session-*"))


def test_what_was_added_is_removed_after_the_visitor_has_left(served):
    process, port, _, directory = served
    (place,) = run_apart(added(port, process, directory))
    end = time.monotonic() + 60
    while place.exists() and time.monotonic() < end:
        time.sleep(0.2)
    assert not place.exists()


def test_it_ends_within_seconds_with_its_processes_while_visitors_wait_for_it(served):
    process, port, _, directory = served
    started = run_apart(ended_while_it_works(port, process, directory))
    assert process.wait(30) == 0
    assert time.monotonic() - started < 10
    assert process.stdout.read() == ""
    assert not list(directory.glob("delve-session-*"))


def statuses_of_wrong_tokens(tmp_path: Path, *options: str) -> list[int]:
    """Return the answers to eleven wrong tokens, each in the name of another visitor."""
    server, address = start_server(tmp_path, small_archive(tmp_path), "--token", *options, token=TOKEN)
    try:
        port = int(address.rsplit(":", 1)[1])
        forwarded = [f"10.0.0.{number}" for number in range(9)] + ["a\tname", "::1\x1b[2J"]
        return [
            asked(port, "/", **{"X-Forwarded-For": one, "Authorization": "Bearer wrong"}) for one in forwarded
        ]
    finally:
        server.terminate()
        server.wait(30)


def test_a_local_client_does_not_get_around_the_limit_of_wrong_tokens_by_other_names(tmp_path):
    assert statuses_of_wrong_tokens(tmp_path) == [401] * 10 + [429]


def test_a_named_proxy_says_which_visitor_brought_a_wrong_token_and_writes_nothing_else(tmp_path):
    assert statuses_of_wrong_tokens(tmp_path, "--trusted-proxy", "127.0.0.1") == [401] * 11
    (log,) = tmp_path.glob("server-*.log")
    clients = [line.rpartition(" ")[2] for line in log.read_text().splitlines() if "wrong token" in line]
    assert clients == [*(f"10.0.0.{number}" for number in range(9)), "unknown", "unknown"]
