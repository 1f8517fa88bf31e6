"""Fetch an archive file from the web: http and https only, and no more than asked for."""

from collections.abc import Callable

from urllib3.exceptions import HTTPError

from delvecore.errors import DelveError
from delvecore.remote.web import PIECE, connections, fault_of, length_of

__all__ = ["MOST_BYTES", "fetch", "is_address"]

MOST_BYTES = 1 << 31
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
        _fetch(address, path, most, notify or (lambda share: None))
    except (HTTPError, OSError, ValueError) as error:
        raise fault_of(address, error, REMEDY) from None


def _fetch(address: str, path: str, most: int, notify: Callable[[float], None]) -> None:
    answer, taken = connections(address).request("GET", address, preload_content=False), 0
    if answer.status >= 300:
        found = f"the answer {answer.status} {answer.reason}"
        raise DelveError(f"{address}: expected an archive file, found {found}; check the address")
    announced = length_of(answer)
    _check_size(announced or 0, address, most)
    with open(path, "xb") as file:
        while piece := answer.read(PIECE):
            taken += len(piece)
            _check_size(taken, address, most)
            file.write(piece)
            if announced:
                notify(min(1.0, taken / announced))


def _check_size(size: int, address: str, most: int) -> None:
    if size > most:
        raise DelveError(f"{address}: expected at most {most:,} bytes, found more; fetch it by hand")
