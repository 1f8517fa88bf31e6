"""A server that others may reach: what it asks of other hosts (nothing), whom it lets in, and how it ends."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.archives import small_archive

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


@pytest.fixture
def served(tmp_path):
    """A server that listens at all addresses, below a prefix; yields its process, port and directory."""
    archive = small_archive(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    options = f"dashboard --no-browser --host 0.0.0.0 --port {port} --base-path /delve --trusted-host delve.example.org"
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


def test_it_tells_its_address_turns_strangers_away_asks_nobody_and_ends_when_it_is_told(served):
    process, port, line, directory = served
    assert (
        line
        == f"DELVE dashboard: http://{socket.gethostname()}:{port}/delve/?token={TOKEN}  (Ctrl-C ends it)\n"
    )
    assert asked(port, "/delve/") == 401
    assert asked(port, f"/delve/?token={TOKEN}", Origin="http://evil.example.org") == 403
    assert asked(port, "/delve/_stcore/health", Host="rebound.example.org") == 403
    assert asked(port, "/delve/_stcore/health") == 200
    assert asked(port, "/delve/compare", Authorization=f"Bearer {TOKEN}") == 200
    assert heard(port)
    assert heard(port, Host="delve.example.org", Origin="https://delve.example.org")
    for origin in ("http://127.0.0.1:1", "http://evil.example.org", "null"):
        assert not heard(port, Origin=origin)
    assert asked(port, "/delve/_stcore/host-config", Authorization=f"Bearer {TOKEN}") == 200
    contacts = (directory / "contacts").read_text().splitlines()
    assert contacts  # It did look up the address that it listens at.
    assert [one for one in contacts if not any(own in one for own in OWN)] == []
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert process.stdout.read() == ""
