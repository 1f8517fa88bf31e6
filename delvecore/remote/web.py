"""Files and directories on a web server, https and http, through urllib3.

A directory has the files that the server's page about it lists; nginx, Apache, Python's server and others
make such pages. Only the host of the address is contacted; a redirection to another host is an error. The
HTTP file system of fsspec takes every link of a page, follows redirections anywhere, hides the answers of
servers, and has no limits of size or time. Names and passwords are read from `~/.netrc`."""

import contextlib
import json
import netrc
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import parsedate_to_datetime
from functools import partial
from html.parser import HTMLParser
from http.client import HTTPException
from typing import Any, TypeVar
from urllib import request
from urllib.parse import quote, unquote, urljoin, urlsplit

from urllib3 import (
    BaseHTTPResponse,
    HTTPConnectionPool,
    HTTPSConnectionPool,
    PoolManager,
    ProxyManager,
    Retry,
    make_headers,
)
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError, IncompleteRead, ProtocolError

from delvecore import __version__
from delvecore.remote.stores import (
    ALONE,
    AT_ONCE,
    BILLION,
    ChangedError,
    Found,
    Listed,
    Pace,
    StoreFault,
    Write,
    listed,
)

PIECE, LONGEST_PAGE, LARGEST = 1 << 20, 1 << 26, (1 << 63) - 1
PATIENCE, TRIES, PAUSE = 30.0, 3, 0.1
DEEPEST, MOST_WAYS = 12, 5
"""Largest depth of nested directories, and largest number of redirections in a row."""
SLOWEST, GRACE = 1000, 60.0
"""Minimum rate in bytes per second, and seconds until it is enforced."""
MOST_ENTRIES, MOST_SECONDS, MOST_BYTES, MOST_UNKNOWN = 250_000, 900.0, 1 << 36, 1 << 31
"""Limits for one address: entries of its list, seconds to read the list, bytes of all files, and bytes of a
file of unknown size."""
FAILING = (429, 500, 502, 503, 504)
"""Statuses after which a request is repeated."""
FOUND = {
    401: ("no permission", "put the name and password into ~/.netrc"),
    403: ("no permission", "ask for access; a directory needs a page that lists it"),
    404: ("nothing there", "check the address"),
    410: ("nothing there anymore", "check the address"),
}
NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Halves of characters that represent no byte of a name."""
REMEDY = "check the network and the address"
NARROWER = "give an address further down"
Answer = TypeVar("Answer")
PAGES = ("text/html", "application/xhtml+xml", "application/json")


class WebServer:
    """A web server.

    Attributes
    ----------
    scheme : str
        `http` or `https`.
    host : str
        Host, with its port if that is not the usual one.
    query : str
        Query of the address of a single file, which may contain a signature.
    """

    def __init__(self, scheme: str, host: str, query: str = "") -> None:
        self.root, self.query = f"{scheme}://{host}", f"?{query}" if query else ""
        with http_faults(self.root):
            self._connections = connections(self.root)

    def look(self, path: str) -> Found:
        with self._asked("GET", self._address(path)) as (answer, address):
            folder = address.partition("?")[0]
            kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
            if not folder.endswith("/") or kind not in PAGES:
                return {ALONE: _listed(answer, address)}
            page = _page_in(answer, address)
        return self._below(folder, page)

    def _below(self, top: str, page: str) -> Found:
        """Return all files below the directory `top`; `page` is the page that lists it."""
        folders, files, until = [(top, page)], list[str](), time.monotonic() + MOST_SECONDS
        page_of = partial(_in_time, self._page, top, until)
        state_of = partial(_in_time, self._state, top, until)
        entries = 0
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _ in range(DEEPEST):
                inside = [
                    folder + _quoted(name) for folder, text in folders for name in names_in(text, folder)
                ]
                entries += len(inside)
                if entries > MOST_ENTRIES:
                    raise StoreFault(top, f"at most {MOST_ENTRIES:,} files and directories", "more", NARROWER)
                below = [address for address in inside if address.endswith("/")]
                files += [address for address in inside if not address.endswith("/")]
                folders = list(zip(below, pool.map(page_of, below), strict=True))
            names = [unquote(address[len(top) :], errors="surrogateescape") for address in files]
            states = zip(names, pool.map(state_of, files), strict=True)
            listing = {name: state for name, state in states if state}
        if sum(state.size for state in listing.values()) > MOST_BYTES:
            raise StoreFault(top, f"files of at most {MOST_BYTES:,} bytes together", "more", NARROWER)
        return listing

    def _page(self, address: str) -> str:
        with self._asked("GET", address) as (answer, there):
            return _page_in(answer, there)

    def _state(self, address: str) -> Listed | None:
        """Return the entry of a file; None if it is listed but not available, such as a broken link."""
        try:
            with self._asked("HEAD", address) as (answer, there):
                return _listed(answer, there)
        except StoreFault as fault:
            if fault.found in dict(FOUND.values()):
                return None
            raise

    def fetch(self, path: str, known: Listed, write: Write) -> None:
        taken = 0
        with self._asked("GET", self._address(path)) as (answer, address):
            if _seconds(answer.headers.get("Last-Modified", "")) != known.modified // BILLION:
                raise ChangedError
            for piece in pieces_of(answer, address):
                taken += len(piece)
                if known.size and taken > known.size:
                    raise ChangedError
                if taken > MOST_UNKNOWN and not known.size:
                    raise StoreFault(address, f"at most {MOST_UNKNOWN:,} bytes", "more", "check the address")
                write(piece)
        if known.size and taken != known.size:
            raise ChangedError

    def _address(self, path: str) -> str:
        return f"{self.root}/{_quoted(path)}{self.query}"

    @contextlib.contextmanager
    def _asked(self, method: str, address: str) -> Iterator[tuple[BaseHTTPResponse, str]]:
        """Request an address, and follow redirections on the same server. Provide the answer and its
        address."""
        answer, address = followed(method, address, pool=self._connections, root=self.root)
        try:
            if answer.get_redirect_location():
                actual = f"more than {MOST_WAYS} redirections"
                raise StoreFault(address, "an answer", actual, "check the address")
            if answer.status >= 300:
                other = f"the answer {answer.status} {answer.reason}", "try again"
                raise StoreFault(address, "what can be read", *FOUND.get(answer.status, other))
            yield answer, address
        finally:
            answer.close()


def _in_time(ask: Callable[[str], Answer], top: str, until: float, address: str) -> Answer:
    """Return ask(address), or raise StoreFault if listing an address takes too long."""
    if time.monotonic() > until:
        raise StoreFault(top, f"a list of files within {MOST_SECONDS:.0f} seconds", "more", NARROWER)
    return ask(address)


def answer_of(pool: PoolManager, method: str, address: str, remedy: str = REMEDY) -> BaseHTTPResponse:
    """Request an address, repeatedly if the server fails. Raises StoreFault.

    Failed answers are not read to their end, because they may have none."""
    number = 1
    while True:
        with http_faults(address, remedy):
            answer = pool.request(method, address, redirect=False, preload_content=False)
        if answer.status not in FAILING or number == TRIES:
            return answer
        answer.close()
        time.sleep(PAUSE * 2**number)
        number += 1


class _CutOff:
    """Closes a connection if all headers of an answer have not arrived within GRACE seconds."""

    sock: socket.socket | None

    def getresponse(self) -> Any:
        is_late = threading.Event()
        timer = threading.Timer(GRACE, self._cut, (is_late,))
        timer.daemon = True
        timer.start()
        try:
            return super().getresponse()  # type: ignore[misc]
        finally:
            timer.cancel()
            if is_late.is_set():
                raise TimeoutError("timed out") from None

    def _cut(self, is_late: threading.Event) -> None:
        is_late.set()
        with contextlib.suppress(OSError):
            if self.sock is not None:
                self.sock.shutdown(socket.SHUT_RDWR)


class _Plain(HTTPConnectionPool):
    ConnectionCls = type("_PlainConnection", (_CutOff, HTTPConnection), {})


class _Encrypted(HTTPSConnectionPool):
    ConnectionCls = type("_EncryptedConnection", (_CutOff, HTTPSConnection), {})


def connections(address: str) -> PoolManager:
    """Return connections to a server or its proxy, with the user's credentials."""
    parts = urlsplit(address)
    again = Retry(TRIES - 1, backoff_factor=PAUSE, respect_retry_after_header=False)
    how: dict[str, Any] = {"maxsize": AT_ONCE, "retries": again, "timeout": PATIENCE}
    how["headers"] = {"User-Agent": f"delve-browser/{__version__}", "Accept-Encoding": "identity"}
    how["headers"] |= _signed_in(parts.hostname or "")
    proxy = None if request.proxy_bypass(parts.netloc) else request.getproxies().get(parts.scheme)
    if proxy:
        pool: PoolManager = ProxyManager(proxy if "://" in proxy else f"http://{proxy}", **how)
    else:
        pool = PoolManager(**how)
    pool.pool_classes_by_scheme = {"http": _Plain, "https": _Encrypted}
    return pool


def _signed_in(host: str) -> dict[str, str]:
    """Return the header with the name and password for a host from the user's netrc file, if it has them."""
    path = os.environ.get("NETRC") or os.path.expanduser("~/.netrc")
    try:
        login = netrc.netrc(path).authenticators(host)
    except (OSError, netrc.NetrcParseError):
        return {}
    return make_headers(basic_auth=f"{login[0]}:{login[2]}") if login and login[2] else {}


def followed(
    method: str, address: str, remedy: str = REMEDY, *, pool: PoolManager | None = None, root: str = ""
) -> tuple[BaseHTTPResponse, str]:
    """Request an address, and follow redirections. If `root` is not empty, they must stay below it.

    Returns the answer and its address. Raises StoreFault.
    """
    ways = 0
    while True:
        with http_faults(address, remedy):
            connected = pool or connections(address)
        answer = answer_of(connected, method, address, remedy)
        elsewhere = answer.get_redirect_location()
        if not elsewhere or ways == MOST_WAYS:
            return answer, address
        answer.close()
        try:
            there = urljoin(address, elsewhere)
        except ValueError:
            actual = f"a redirection to {elsewhere}, which is not an address"
            raise StoreFault(address, "an answer", actual, "check the address") from None
        if root and not f"{there}/".startswith(f"{root}/"):
            actual = f"a redirection to {there}"
            raise StoreFault(address, "an answer", actual, "give that address if it is the right one")
        address, ways = there, ways + 1


def length_of(answer: BaseHTTPResponse, address: str) -> int | None:
    """Return the number of bytes that a server announces, or None. Raises StoreFault for too many."""
    length = answer.headers.get("Content-Length", "")
    if not length.isdecimal():
        return None
    if len(length) > len(str(LARGEST)) or int(length) > LARGEST:
        raise StoreFault(address, f"a size of at most {LARGEST:,} bytes", length, "try again")
    return int(length)


def pieces_of(answer: BaseHTTPResponse, address: str, remedy: str = REMEDY) -> Iterator[bytes]:
    """Yield the content of an answer as the server sends it, without decompression. Raises StoreFault, for
    example if it arrives too slowly."""
    pace, is_endless = Pace(address, SLOWEST, GRACE, "try again"), length_of(answer, address) is None
    with http_faults(address, remedy):
        while piece := answer.read1(PIECE, decode_content=False):
            if pace.add(len(piece)) > MOST_SECONDS and is_endless:
                raise StoreFault(address, f"an end within {MOST_SECONDS:.0f} seconds", "none", "try again")
            yield piece


@contextlib.contextmanager
def http_faults(address: str, remedy: str = REMEDY) -> Iterator[None]:
    """Raise a StoreFault for errors of urllib3, including its ValueError for some malformed responses."""
    try:
        yield
    except (HTTPError, ValueError) as error:
        raise fault_of(address, error, remedy) from None


def fault_of(address: str, error: BaseException, remedy: str) -> StoreFault:
    """Return the fault of an address for an error of urllib3."""
    while (cause := _cause_of(error)) is not None:
        error = cause
    if isinstance(error, IncompleteRead) and error.expected is not None:
        expected, actual = error.partial + error.expected, f"{error.partial:,}: the connection was cut"
        return StoreFault(address, f"{expected:,} bytes", actual, "try again")
    message = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, OSError):
        actual = "no answer in time" if "timed out" in message else f"no connection ({message.lower()})"
    else:
        actual = f"what is not HTTP ({message})"
    return StoreFault(address, "an answer", actual, remedy)


def _cause_of(error: BaseException) -> BaseException | None:
    """Return the cause of an error, None for the first one in the chain."""
    if isinstance(error, ProtocolError) and isinstance(error.args[-1], Exception):
        return error.args[-1]
    if isinstance(error, HTTPException):
        return None
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _page_in(answer: BaseHTTPResponse, address: str) -> str:
    if packed := answer.headers.get("Content-Encoding", "").replace("identity", ""):
        actual, remedy = f"Content-Encoding: {packed}", "let the server list directories uncompressed"
        raise StoreFault(address, "an uncompressed page", actual, remedy)
    content = bytearray()
    for piece in pieces_of(answer, address):
        content += piece
        if len(content) > LONGEST_PAGE:
            raise StoreFault(
                address, f"a list of at most {LONGEST_PAGE:,} bytes", "more", "check the address"
            )
    return content.decode(errors="surrogateescape")


def _listed(answer: BaseHTTPResponse, address: str) -> Listed:
    """Return a key of the version of a file. Without information from the server, each call returns a new
    key."""
    headers = answer.headers
    tag, modified = headers.get("ETag", ""), headers.get("Last-Modified", "")
    now = _seconds(headers.get("Date", "")) or time.time()
    size = length_of(answer, address) or 0
    is_known = bool(tag or modified)
    return listed(size, _seconds(modified), f"{tag} {modified}", now=now if is_known else float("-inf"))


def _seconds(date: str) -> int:
    """Return the time in a header, 0 if there is none."""
    try:
        return max(0, int(parsedate_to_datetime(date).timestamp()))
    except (ValueError, OverflowError):
        return 0


def _quoted(path: str) -> str:
    return quote(path.encode(errors="surrogateescape"))


def names_in(page: str, address: str) -> list[str]:
    """Return the unique names in a directory; names of directories end with a slash.

    page: the server's response for the address, which ends with a slash. Links to other hosts, to parents and
    to deeper directories are ignored. Raises StoreFault for a damaged page."""
    read = _of_json if page.lstrip().startswith("[") else _of_links
    return list(dict.fromkeys(read(page, address)))


def _of_json(page: str, address: str) -> Iterator[str]:
    """Yield the names in an index that nginx writes with `autoindex_format json`."""
    try:
        entries = json.loads(page)
    except (ValueError, RecursionError):
        raise StoreFault(address, "a list of files in JSON", "what is none", "check the address") from None
    for entry in entries:
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _is_plain(name):
            yield name + "/" * (entry.get("type") == "directory")


def _of_links(page: str, address: str) -> Iterator[str]:
    links = _Links()
    try:
        links.feed(page)
    except (ValueError, AssertionError):  # for a number of thousands of digits, and for an unknown `<![`
        raise StoreFault(address, "a page that lists files", "damaged HTML", "check the address") from None
    here = urlsplit(address)
    for link in links.addresses:
        try:
            there = urlsplit(urljoin(address, link))
        except ValueError:
            continue
        is_below = there[:2] == here[:2] and there.path.startswith(here.path)
        name = unquote(there.path[len(here.path) :], errors="surrogateescape")
        if is_below and not there.query and not there.fragment and _is_plain(name.removesuffix("/")):
            yield name


def _is_plain(name: str) -> bool:
    """Is this a name that a file can have, rather than a path?"""
    is_text = NO_BYTES.search(name) is None
    return is_text and name not in ("", ".", "..") and "/" not in name and "\0" not in name


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.addresses += [value for name, value in attrs if name == "href" and value]
