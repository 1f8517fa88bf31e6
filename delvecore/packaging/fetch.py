"""Fetch an archive file from the web: http and https only, and no more than asked for."""

import http.client
import urllib.error
from collections.abc import Callable
from urllib import request

from delvecore import __version__
from delvecore.errors import DelveError

__all__ = ["MOST_BYTES", "fetch", "is_address"]

MOST_BYTES = 1 << 31
SECONDS = 30
PIECE = 1 << 18
REMEDY = "check the address and the network, or fetch the file otherwise and give its path"


def is_address(text: str) -> bool:
    """Is this an address rather than the path of a file?"""
    scheme, colon, rest = text.partition("://")
    return bool(colon and rest) and scheme.isalnum()


def fetch(
    address: str, path: str, *, most: int = MOST_BYTES, notify: Callable[[float], None] | None = None
) -> None:
    """Write what an http or https address holds to a new file.

    most: the largest number of bytes taken; notify: called with the share that has arrived, where the server
    says how much there is. Raises DelveError where there is no answer, another scheme (by redirection too),
    an error of the server, too much, or less than announced."""
    scheme = address.partition(":")[0].lower()
    if scheme not in ("http", "https"):
        raise DelveError(f"{address}: expected an address with http or https, found {scheme}")
    try:
        asked = request.Request(address, headers={"User-Agent": f"delve-browser/{__version__}"})
        with _opener().open(asked, timeout=SECONDS) as answer:
            _write(answer, address, path, most, notify or (lambda share: None))
    except urllib.error.HTTPError as error:
        found = f"the answer {error.code} {error.reason}"
        raise DelveError(f"{address}: expected an archive file, found {found}; check the address") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        said = getattr(error, "reason", None) or error
        found = f"no connection ({' '.join(str(said).split()) or type(error).__name__})"
        raise DelveError(f"{address}: expected an answer, found {found}; {REMEDY}") from None


def _opener() -> request.OpenerDirector:
    """An opener that knows http and https alone: none for files, ftp or data, not by redirection either."""
    opener = request.OpenerDirector()
    ways = (request.ProxyHandler, request.UnknownHandler, request.HTTPHandler, request.HTTPSHandler)
    rules = (request.HTTPDefaultErrorHandler, request.HTTPRedirectHandler, request.HTTPErrorProcessor)
    for handler in (*ways, *rules):
        opener.add_handler(handler())
    return opener


def _write(
    answer: http.client.HTTPResponse, address: str, path: str, most: int, notify: Callable[[float], None]
) -> None:
    length = answer.headers.get("Content-Length", "")
    announced = int(length) if length.isdecimal() else None
    _check_size(announced or 0, address, most)
    taken = 0
    with open(path, "xb") as file:
        while piece := answer.read(PIECE):
            taken += len(piece)
            _check_size(taken, address, most)
            file.write(piece)
            if announced:
                notify(min(1.0, taken / announced))
    if announced is not None and taken != announced:
        found = f"{taken:,}: the connection was cut"
        raise DelveError(f"{address}: expected {announced:,} bytes, found {found}; try again")


def _check_size(size: int, address: str, most: int) -> None:
    if size > most:
        raise DelveError(f"{address}: expected at most {most:,} bytes, found more; fetch it by hand")
