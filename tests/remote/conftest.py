"""Stores that run on this machine: a server of Amazon's language, and web servers."""

import contextlib
import functools
import http.server
import importlib.util
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from pyarrow import fs

from delvecore.remote import stores

SECONDS = 30
KEYS = {"AWS_ACCESS_KEY_ID": "a-key", "AWS_SECRET_ACCESS_KEY": "a-secret", "AWS_REGION": "us-east-1"}


@pytest.fixture(autouse=True)
def fresh_stores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test knows the servers of another, or finds credentials of the user. No object is too young to be known
    by its size and time."""
    monkeypatch.setattr(stores, "YOUNG", float("-inf"))
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3", "GOOGLE_APPLICATION_CREDENTIALS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("NETRC", os.devnull)
    yield
    stores.store_of.cache_clear()
    stores.known.clear()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class S3(NamedTuple):
    """A server and what it has answered."""

    system: fs.S3FileSystem
    log: Path

    def put(self, root: Path, place: str) -> None:
        """Have a directory, or a file, in a bucket."""
        self.system.create_dir(place.partition("/")[0])
        fs.copy_files(str(root), place, destination_filesystem=self.system)

    def asked(self) -> list[str]:
        """The methods and targets of all requests so far."""
        plain = re.sub(r"\x1b\[\d+m", "", self.log.read_text())
        return re.findall(r'"(.*) HTTP/1', plain)


@pytest.fixture(scope="package")
def moto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    if importlib.util.find_spec("moto") is None:
        pytest.skip("moto is needed: pip install -e '.[test]'")
    port, log = free_port(), tmp_path_factory.mktemp("moto") / "log"
    with log.open("w") as told:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    yield port, log
    server.terminate()
    server.wait(SECONDS)


@pytest.fixture
def s3(moto: tuple[int, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    """An empty store."""
    port, log = moto
    for name, value in (KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}).items():
        monkeypatch.setenv(name, value)
    place = {"endpoint_override": f"127.0.0.1:{port}", "scheme": "http", "region": "us-east-1"}
    system = fs.S3FileSystem(
        access_key="a-key",
        secret_key="a-secret",
        allow_bucket_creation=True,
        allow_bucket_deletion=True,
        **place,
    )
    yield S3(system, log)
    for info in system.get_file_info(fs.FileSelector("")):
        system.delete_dir(info.path)


class Web(http.server.ThreadingHTTPServer):
    """A web server of a directory. cut, cut_files: how many bytes short of what it says an answer ends, any or one with a file; away: where it
    sends every request; moved: where it sends those for some places; status: its answer to everything, where it has one."""

    daemon_threads, request_queue_size = True, 64
    cut, cut_files, away, status, says_sizes = 0, 0, "", 0, True
    wait = 0.0

    def __init__(self, directory: Path) -> None:
        self.asked: list[str] = []
        self.signed: list[str | None] = []
        self.moved: dict[str, str] = {}
        super().__init__(("127.0.0.1", 0), functools.partial(_Handler, directory=str(directory)))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(http.server.SimpleHTTPRequestHandler):
    server: Web

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def send_head(self):
        self.server.asked.append(f"{self.command} {self.path}")
        self.server.signed.append(self.headers.get("Authorization"))
        time.sleep(self.server.wait)
        to = self.server.away + self.path if self.server.away else self.server.moved.get(self.path)
        if to:
            self.send_response(302)
            self.send_header("Location", to)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        if self.server.status:
            self.send_error(self.server.status)
            return None
        return super().send_head()

    def send_header(self, keyword: str, value: str) -> None:
        if self.server.says_sizes or keyword != "Content-Length":
            super().send_header(keyword, value)

    def copyfile(self, source, outputfile) -> None:
        data = source.read()
        cut = self.server.cut or (0 if self.path.endswith("/") else self.server.cut_files)
        outputfile.write(data[: len(data) - cut])

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serving(server):
    """Have a server answer."""
    with server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    """A web server of the directory `served`."""
    directory = tmp_path / "served"
    directory.mkdir()
    with serving(Web(directory)) as server:
        yield server
