"""Web servers that answer with what is no HTTP, no address, no size or no list: one line each, no traceback."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

import delvecore
from delvecore.errors import DelveError
from delvecore.packaging.install import fetch
from delvecore.remote import web as room
from tests.archives import small_archive

JSON, HTML = "application/json", "text/html"


class Answering:
    """A server that sends the same bytes to everyone."""

    def __init__(self, reply: bytes) -> None:
        self.reply, self.socket = reply, socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                connection.recv(1 << 16)
                connection.sendall(self.reply)


@pytest.fixture
def answering(monkeypatch) -> Iterator:
    monkeypatch.setattr(room, "TRIES", 1)
    servers: list[Answering] = []

    def start(reply: bytes) -> str:
        servers.append(Answering(reply))
        return servers[-1].address

    yield start
    for server in servers:
        server.socket.close()


def sent_to(location: bytes) -> bytes:
    return b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n"


def page(body: bytes, kind: str = HTML, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def sized(length: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\nabc".encode()


CHUNK = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (
            sent_to(b"http://[::1"),
            "expected an answer, found a redirection to http://[::1, which is not an address",
        ),
        (sent_to(b"//[bad]/"), "found a redirection to //[bad]/, which is not an address"),
        (sent_to(b"http://127.0.0.1:99999/"), "found a redirection to http://127.0.0.1:99999/; give that"),
        (sent_to(b"file:///etc/passwd"), "found a redirection to file:///etc/passwd; give that"),
        (sent_to(b"/" + b"a" * 60000), "found more than 5 redirections"),
        (sent_to(b"/%zz%"), "found more than 5 redirections; check the address"),
        (sent_to(b""), "expected what can be read, found the answer 302 Found"),
        (page(b"[" * 200_000, JSON), "expected a list of files in JSON, found what is none"),
        (page(b'[{"a":' * 100_000, JSON), "expected a list of files in JSON, found what is none"),
        (page(b"[" + b"1" * 10_000 + b"]", JSON), "expected a list of files in JSON, found what is none"),
        (page(b'[{"name": "demo"', JSON), "expected a list of files in JSON, found what is none"),
        (page(b"<![unknown[ <a>"), "expected a page that lists files, found damaged HTML"),
        (
            page(b'<a href="&#' + b"9" * 5000 + b';">x</a>'),
            "expected a page that lists files, found damaged HTML",
        ),
        (page(b"\x1f\x8b\x08", HTML, "Content-Encoding: gzip"), "found Content-Encoding: gzip"),
        (sized("9" * 30), "expected a size of at most 9,223,372,036,854,775,807 bytes, found 999999999"),
        (sized("9" * 5000), "expected a size of at most 9,223,372,036,854,775,807 bytes, found 999999999"),
        (CHUNK % b"200 OK", "expected an answer, found what is not HTTP (IncompleteRead("),
        (CHUNK % b"503 Busy", "expected what can be read, found the answer 503 Busy"),
        (CHUNK % b"302 Found\r\nLocation: /x", "found more than 5 redirections"),
        (b"garbage\r\n\r\n", "expected an answer, found what is not HTTP (garbage)"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "expected an answer, found what is not HTTP (HTTP/1.1 abc OK)"),
        (
            b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
            "found what is not HTTP (got more than 65536",
        ),
        (b"HTTP/1.1 404 \xff\x1b[31m\r\nX-\xe9: \xff\r\n\r\n", "found nothing there; check the address"),
    ],
)
def test_a_broken_answer_is_one_line_that_names_the_address(reply, said, answering):
    address = answering(reply)
    with pytest.raises(DelveError) as error:
        delvecore.open(f"{address}/delve/")
    text = str(error.value)
    assert text.startswith(f"{address}/")
    assert said in text
    assert text.isprintable()
    assert len(text) < 1000


@pytest.mark.parametrize(
    "reply", [sized("9" * 30), sized("9" * 5000), CHUNK % b"200 OK", CHUNK % b"503 Busy"]
)
@pytest.mark.parametrize("place", ["scores.csv", "delve-x.tar.gz"])
def test_so_is_one_to_a_request_for_a_file(reply, place, answering, tmp_path):
    address = f"{answering(reply)}/{place}"
    for read in (delvecore.open, lambda address: fetch(address, str(tmp_path / "x"))):
        with pytest.raises(DelveError) as error:
            read(address)
        assert str(error.value).startswith(f"{address}: expected ")
        assert str(error.value).isprintable()


def test_an_archive_file_that_a_server_calls_packed_is_taken_as_it_is(answering, tmp_path):
    # Some servers send `Content-Encoding: x-gzip` with files that end in `.gz`.
    address = answering(page(b"\x1f\x8b\x08 packed", "application/x-tar", "Content-Encoding: gzip"))
    fetch(f"{address}/x.tar.gz", str(tmp_path / "x"))
    assert (tmp_path / "x").read_bytes() == b"\x1f\x8b\x08 packed"


def test_a_list_that_is_too_long_is_not_cut(answering, monkeypatch):
    monkeypatch.setattr(room, "LONGEST_PAGE", 100)
    address = answering(page(b"<a href='x'>x</a>" * 10))
    with pytest.raises(DelveError, match="/delve/: expected a list of at most 100 bytes, found more"):
        delvecore.open(f"{address}/delve/")


class Dripping(Answering):
    """A server that sends the first bytes of an answer, and then the same bytes again and again."""

    def __init__(self, reply: bytes, again: bytes, pause: float) -> None:
        self.again, self.pause = again, pause
        super().__init__(reply)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._drip, args=(connection,), daemon=True).start()

    def _drip(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.recv(1 << 16)
            connection.sendall(self.reply)
            while True:
                connection.sendall(self.again)
                time.sleep(self.pause)


START = "HTTP/1.1 {} \r\nContent-Type: {}\r\n\r\n"


@pytest.mark.parametrize("kind", [HTML, JSON, "text/csv"])
@pytest.mark.parametrize("place", ["delve/", "scores.csv"])
def test_an_answer_that_comes_a_row_at_a_time_has_an_end(kind, place, monkeypatch, tmp_path):
    monkeypatch.setattr(room, "GRACE", 0.3)
    server = Dripping(START.format("200 OK", kind).encode(), b"one,two,0.5\n", 0.05)
    for read in (delvecore.open, lambda address: fetch(address, str(tmp_path / "x"))):
        with pytest.raises(DelveError, match=r"expected 1,000 bytes a second, found [\d,]+ in 0 seconds"):
            read(f"{server.address}/{place}")
    server.socket.close()


def test_headers_that_come_a_byte_at_a_time_have_an_end(answering, monkeypatch, tmp_path):
    monkeypatch.setattr(room, "GRACE", 0.3)
    server = Dripping(b"HTTP/1.1 200 OK\r\nX: ", b"a", 0.05)
    for read in (delvecore.open, lambda address: fetch(address, str(tmp_path / "x"))):
        with pytest.raises(
            DelveError, match=f"^{server.address}/scores.csv: expected an answer, found no answer in time"
        ):
            read(f"{server.address}/scores.csv")
    server.socket.close()


@pytest.mark.parametrize("place", ["delve/", "scores.csv"])
def test_an_answer_that_never_ends_is_not_awaited(place, monkeypatch, tmp_path):
    monkeypatch.setattr(room, "MOST_SECONDS", 0.3)
    server = Dripping(START.format("200 OK", HTML).encode(), b"one,two,0.5\n" * 1000, 0.05)
    for read in (delvecore.open, lambda address: fetch(address, str(tmp_path / "x"))):
        with pytest.raises(DelveError, match="expected an end within 0 seconds, found none"):
            read(f"{server.address}/{place}")
    server.socket.close()


def test_a_file_without_an_end_is_not_fetched_whole(monkeypatch):
    monkeypatch.setattr(room, "MOST_UNKNOWN", 10_000_000)
    server = Dripping(START.format("200 OK", "text/csv").encode(), b"one,two,0.5\n" * 10_000, 0)
    with pytest.raises(DelveError, match=r"scores\.csv: expected at most 10,000,000 bytes, found more"):
        delvecore.open(f"{server.address}/scores.csv")
    server.socket.close()


@pytest.mark.parametrize("status", ["503 Busy", "302 Found\r\nLocation: /x", "404 Not Found"])
def test_what_comes_with_a_refusal_or_a_way_elsewhere_is_not_read(status, monkeypatch, tmp_path):
    monkeypatch.setattr(room, "PAUSE", 0.001)
    server = Dripping(START.format(status, HTML).encode(), b"x" * 1000, 0.001)
    begin = time.monotonic()
    for read in (delvecore.open, lambda address: fetch(address, str(tmp_path / "x"))):
        with pytest.raises(DelveError, match=f"{server.address}/"):
            read(f"{server.address}/delve/")
    assert time.monotonic() - begin < 20
    server.socket.close()


TWELVE = "".join(f'<a href="{number}/">{number}</a>' for number in range(12)).encode()


@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [
        ("MOST_ENTRIES", 500, "expected at most 500 files and directories, found more"),
        ("MOST_SECONDS", 0.5, "expected a list of files within 0 seconds, found more"),
    ],
)
def test_directories_that_list_more_of_them_for_ever_have_an_end(limit, value, said, answering, monkeypatch):
    monkeypatch.setattr(room, limit, value)
    address = answering(page(TWELVE, HTML, "Connection: close"))
    with pytest.raises(DelveError, match=f"{address}/delve/: {said}; give an address further down"):
        delvecore.open(f"{address}/delve/")


def test_files_that_no_disk_holds_are_not_listed(web, tmp_path, monkeypatch):
    small_archive(tmp_path / "served")
    monkeypatch.setattr(room, "MOST_BYTES", 1000)
    with pytest.raises(DelveError, match="expected files of at most 1,000 bytes together, found more"):
        delvecore.open(f"{web.address}/delve-small/")


def test_names_that_no_file_can_have_are_no_names():
    listed = r'[{"name": "\ud800"}, {"name": "a\ud800", "type": "directory"}, {"name": "b"}]'
    assert room.names_in(listed, "http://host/delve/") == ["b"]


@pytest.mark.parametrize(
    "date", ["Jan 31 1:2 2026 " + "1" * 30 + " +0000", "Jan -1 " + "1" * 30 + " 00:00:00 +0000 31"]
)
def test_a_time_beyond_all_numbers_is_none(date):
    assert room._seconds(date) == 0


@pytest.mark.parametrize(
    ("address", "actual"),
    [
        ("http://[::1", "Invalid IPv6 URL"),
        ("http://[bad]/x", "'bad' does not appear to be an IPv4 or IPv6 address"),
        ("http://host:99999/x.csv", "Port out of range 0-65535"),
        ("https://host:abc/", "Port could not be cast to integer value as 'abc'"),
        ("http://\u2100/x", "netloc '\u2100' contains invalid characters under NFKC normalization"),
        ("http://host/\ud800", "half a character"),
        ("http://host/x?\ud800", "half a character"),
        ("s3://\ud800/x", "half a character"),
    ],
)
def test_an_address_that_is_none_is_one_line(address, actual):
    with pytest.raises(DelveError) as error:
        delvecore.open(address)
    assert f": expected an address, found {actual}; correct it" in str(error.value)
    assert str(error.value).isprintable()
