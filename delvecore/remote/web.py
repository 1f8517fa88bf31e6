"""Files and directories behind a web server: https, and http.

A directory is what the server's own page of it lists. Nobody but the host of the address is asked: where it
sends elsewhere, that is told. Signing in goes by `~/.netrc`, as with other tools."""

import contextlib
import http.client
import netrc
import os
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from urllib import request
from urllib.parse import quote, unquote, urljoin, urlsplit

from delvecore import __version__
from delvecore.remote.indexes import names_in
from delvecore.remote.records import (
    ALONE,
    AT_ONCE,
    BILLION,
    ChangedError,
    Found,
    Listed,
    StoreFault,
    Write,
    listed,
)

__all__ = ["WebServer"]

PIECE, LONGEST_PAGE = 1 << 20, 1 << 26
PATIENCE, TRIES = 30.0, 3
DEEPEST, MOST_WAYS = 12, 5
"""How deep directories may lie in one another, and how often a server may send to another of its paths."""
NOT_HERE = (301, 302, 303, 307, 308)
FOUND = {
    401: ("no permission", "put the name and password into ~/.netrc"),
    403: ("no permission", "ask for access; a directory needs a page that lists it"),
    404: ("nothing there", "check the address"),
    410: ("nothing there any more", "check the address"),
}


class WebServer:
    """A web server. scheme: http or https; host: with its port, where it is not the usual one; query: of the
    only file that is meant, which may hold a signature."""

    def __init__(self, scheme: str, host: str, query: str = "") -> None:
        self.scheme, self.host, self.query = scheme, host, query
        self._own = threading.local()

    def look(self, path: str) -> Found:
        with self._asked("GET", self._target(path)) as (answer, target):
            if not target.partition("?")[0].endswith("/") or not _is_page(answer):
                return {ALONE: _listed(answer)}
            page = answer.read(LONGEST_PAGE)
        return self._below(target.partition("?")[0], page)

    def _below(self, target: str, page: bytes) -> Found:
        """Return all files of a directory. target: its path as the server knows it; page: which lists it."""
        folders, files = [(target, page)], list[str]()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _ in range(DEEPEST):
                below: list[str] = []
                for folder, text in folders:
                    inside = names_in(text.decode(errors="surrogateescape"), self._address(folder))
                    paths = [folder + _quoted(name) for name in inside]
                    below += [path for path in paths if path.endswith("/")]
                    files += [path for path in paths if not path.endswith("/")]
                folders = list(zip(below, pool.map(self._page, below), strict=True))
            states = pool.map(self._state, files)
            start = len(target)
            names = [unquote(path[start:], errors="surrogateescape") for path in files]
            return {name: state for name, state in zip(names, states, strict=True) if state}

    def _page(self, target: str) -> bytes:
        with self._asked("GET", target) as (answer, _):
            return answer.read(LONGEST_PAGE)

    def _state(self, target: str) -> Listed | None:
        """Return what identifies a file; None where it is listed and cannot be had, as a link to nothing."""
        try:
            with self._asked("HEAD", target) as (answer, _):
                return _listed(answer)
        except StoreFault as fault:
            if fault.found in dict(FOUND.values()):
                return None
            raise

    def fetch(self, path: str, known: Listed, write: Write) -> None:
        with self._asked("GET", self._target(path)) as (answer, _):
            if _seconds(answer.headers.get("Last-Modified", "")) != known.modified // BILLION:
                raise ChangedError
            taken, length = 0, answer.headers.get("Content-Length", "")
            while piece := self._read(answer, path):
                taken += len(piece)
                write(piece)
        if length.isdecimal() and taken != int(length):
            found = f"{taken:,}: the connection was cut"
            raise StoreFault(self._address(self._target(path)), f"{int(length):,} bytes", found, "try again")
        if known.size and taken != known.size:
            raise ChangedError

    def _read(self, answer: http.client.HTTPResponse, path: str) -> bytes:
        try:
            return answer.read(PIECE)
        except (OSError, http.client.HTTPException) as error:
            raise self._unreachable(self._target(path), error) from None

    def _target(self, path: str) -> str:
        return "/" + _quoted(path) + (f"?{self.query}" if self.query else "")

    def _address(self, target: str) -> str:
        return f"{self.scheme}://{self.host}{target}"

    @contextlib.contextmanager
    def _asked(self, method: str, target: str) -> Iterator[tuple[http.client.HTTPResponse, str]]:
        """Ask for a target, or for what it has become on the same server, and give the answer."""
        answer = self._answer(method, target)
        for _ in range(MOST_WAYS):
            if answer.status not in NOT_HERE:
                break
            there = urlsplit(urljoin(self._address(target), answer.headers.get("Location", "")))
            if there[:2] != (self.scheme, self.host):
                found = f"that it sends to {there.geturl()}"
                raise StoreFault(self._address(target), "an answer", found, "give that address if it suits")
            answer.read()
            target = there.path + (f"?{there.query}" if there.query else "")
            answer = self._answer(method, target)
        if answer.status >= 300:
            answer.read(LONGEST_PAGE)
            other = f"the answer {answer.status} {answer.reason}", "try again"
            raise StoreFault(self._address(target), "what can be read", *FOUND.get(answer.status, other))
        try:
            yield answer, target
        finally:
            if not answer.isclosed():  # what is left of it would be taken for the next answer
                self._hang_up()

    def _answer(self, method: str, target: str) -> http.client.HTTPResponse:
        """Return the answer of the server, asked once more where the connection, or the server, fails."""
        for left in reversed(range(TRIES)):
            try:
                self._line().request(method, target, headers=self._headers())
                answer = self._line().getresponse()
                if left == 0 or (answer.status < 500 and answer.status != 429):
                    return answer
                self._hang_up()
            except (OSError, http.client.HTTPException) as error:
                self._hang_up()
                if left == 0 or isinstance(error, ssl.SSLCertVerificationError):
                    raise self._unreachable(target, error) from None
            time.sleep(0.1 * 3 ** (TRIES - 1 - left))
        raise AssertionError("the last try returns or raises")

    def _unreachable(self, target: str, error: Exception) -> StoreFault:
        said = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
        is_late = isinstance(error, TimeoutError)
        found = "no answer in time" if is_late else f"no connection ({said.lower()})"
        return StoreFault(self._address(target), "an answer", found, "check the network and the address")

    def _headers(self) -> dict[str, str]:
        about = {"User-Agent": f"delve-browser/{__version__}", "Accept-Encoding": "identity"}
        return about | _signed_in(self.host.rpartition(":")[0] or self.host)

    def _line(self) -> http.client.HTTPConnection:
        """Return this thread's connection to the server, or to the proxy of the environment before it."""
        line: http.client.HTTPConnection | None = getattr(self._own, "line", None)
        if line is None:
            kind = http.client.HTTPSConnection if self.scheme == "https" else http.client.HTTPConnection
            proxy = _proxy(self.scheme, self.host)
            line = self._own.line = kind(proxy or self.host, timeout=PATIENCE)
            if proxy:
                line.set_tunnel(self.host)
        return line

    def _hang_up(self) -> None:
        self._line().close()
        self._own.line = None


def _proxy(scheme: str, host: str) -> str | None:
    found = None if request.proxy_bypass(host) else request.getproxies().get(scheme)
    return urlsplit(found).netloc or found if found else None


def _signed_in(host: str) -> dict[str, str]:
    """Return the header with the name and password that the user's file has for a host."""
    path = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    try:
        found = netrc.netrc(path).authenticators(host)
    except (OSError, netrc.NetrcParseError):
        return {}
    if not found or not found[2]:
        return {}
    return {"Authorization": "Basic " + b64encode(f"{found[0]}:{found[2]}".encode()).decode()}


def _is_page(answer: http.client.HTTPResponse) -> bool:
    kind = answer.headers.get_content_type()
    return kind in ("text/html", "application/xhtml+xml", "application/json")


def _is_known(answer: http.client.HTTPResponse) -> bool:
    """Does the server say what identifies a content?"""
    return bool(answer.headers.get("ETag") or answer.headers.get("Last-Modified"))


def _listed(answer: http.client.HTTPResponse) -> Listed:
    """Return what identifies a file. One of which the server says nothing is another whenever it is asked."""
    headers = answer.headers
    length, modified = headers.get("Content-Length", ""), headers.get("Last-Modified", "")
    now, seconds = _seconds(headers.get("Date", "")) or time.time(), _seconds(modified)
    size = int(length) if length.isdecimal() else 0
    mark = f"{headers.get('ETag', '')} {modified}"
    return listed(size, seconds, mark, now=now if _is_known(answer) else float("-inf"))


def _seconds(date: str) -> int:
    """Return the time that a header says, 0 for none."""
    try:
        return max(0, int(parsedate_to_datetime(date).timestamp()))
    except ValueError:
        return 0


def _quoted(path: str) -> str:
    return quote(path.encode(errors="surrogateescape"))
