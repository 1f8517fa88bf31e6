"""Where and to whom the dashboard is served: names, prefix and token, for the server and for its gate."""

import ipaddress
import os
import re
import secrets
import socket
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from delvecore.errors import DelveError

__all__ = ["LOOPBACK", "TOKEN", "TOKEN_VARIABLE", "Hosting", "choose", "chosen", "host_name", "hosting_of"]

LOOPBACK = "127.0.0.1"
TOKEN = "token"
"""The parameter of an address that brings the token."""
TOKEN_VARIABLE = "DELVE_TOKEN"
"""The variable with the token to ask for, where it is to outlast the server: for services and containers."""
FEWEST_CHARACTERS = 16
_EVERYWHERE = ("0.0.0.0", "::")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
_NAME = re.compile(r"(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?")


class Hosting(NamedTuple):
    """How the dashboard is served. host: the address that it listens at; prefix: of all paths, `/delve`,
    empty for none; trusted: names that visitors may use for it beside its own, `*.example.org` for all below
    one; token: what a visitor must know, None where nobody is asked; metrics: are Streamlit's counts
    served?"""

    host: str = LOOPBACK
    prefix: str = ""
    trusted: tuple[str, ...] = ()
    token: str | None = None
    metrics: bool = False

    @property
    def is_local(self) -> bool:
        """Is it served to this machine alone?"""
        return _is_loopback(self.host)

    def answers_to(self, header: str | None) -> bool:
        """Is this Host header one of its own?

        Where it listens at all addresses these are the machine's name and whatever is a number: a page
        elsewhere can lend its own name to this server's address, but not a number."""
        name = host_name(header)
        if name is None:
            return False
        own = {"localhost", LOOPBACK, "::1", self.host.lower(), *(one.lower() for one in self.trusted)}
        if self.host in _EVERYWHERE:
            own.add(socket.gethostname().lower())
            if _is_number(name):
                return True
        return name in own or any(one.startswith("*.") and name.endswith(one[1:]) for one in own)

    def address(self, port: int, parameters: Mapping[str, str] | None = None) -> str:
        """Return the address to open, with the token if one is asked for."""
        named = socket.gethostname() if self.host in _EVERYWHERE else self.host
        asked = dict(parameters or {}) | ({TOKEN: self.token} if self.token else {})
        place = f"http://{f'[{named}]' if ':' in named else named}:{port}"
        if not asked:
            return place + (f"{self.prefix}/" if self.prefix else "")
        return f"{place}{self.prefix}/?{urlencode(asked, quote_via=quote)}"


_chosen = [Hosting()]


def choose(hosting: Hosting) -> None:
    """Serve so from now on; called before the application is made."""
    _chosen[0] = hosting


def chosen() -> Hosting:
    """How is the dashboard of this process served?"""
    return _chosen[0]


def hosting_of(
    *,
    host: str = LOOPBACK,
    prefix: str = "",
    trusted: Sequence[str] = (),
    token: bool | None = None,
    installs: bool = False,
    metrics: bool = False,
) -> Hosting:
    """Return how it is served by these options.

    token: True asks for one anywhere, False nowhere; None: where others than this machine may come, and
    where visitors may install (`installs`). Raises DelveError for what is no address, prefix or name, and for
    a token of the environment that is easily guessed."""
    made = Hosting(
        host=_checked_host(host),
        prefix=_checked_prefix(prefix),
        trusted=tuple(map(_checked_name, trusted)),
        metrics=metrics,
    )
    wanted = token if token is not None else installs or not made.is_local
    return made._replace(token=_token() if wanted else None)


def host_name(header: str | None) -> str | None:
    """Return the name or number in a Host header, in lower case; None for what is none."""
    if not header:
        return None
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # Raises ValueError for what is no port.
    except ValueError:
        return None
    if parts.netloc != header or parts.username is not None or not parts.hostname:
        return None
    return parts.hostname.rstrip(".")


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


def _checked_host(host: str) -> str:
    try:
        socket.getaddrinfo(host or None, None, flags=socket.AI_NUMERICHOST if _is_number(host) else 0)
    except OSError as error:
        raise DelveError(
            f"--host: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, found {host!r}"
        ) from error
    return host


def _checked_prefix(prefix: str) -> str:
    bare = prefix.strip("/")
    if bare and not _PREFIX.fullmatch(f"/{bare}"):
        raise DelveError(f"--base-path: expected a path such as /delve, found {prefix!r}")
    return f"/{bare}" if bare else ""


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name) and not _is_number(name):
        raise DelveError(
            "--trusted-host: expected a name such as delve.example.org or *.example.org, without port, "
            f"found {name!r}"
        )
    return name


def _token() -> str:
    told = os.environ.get(TOKEN_VARIABLE)
    if told is None:
        return secrets.token_urlsafe(24)
    if len(told) < FEWEST_CHARACTERS or not told.isascii() or not told.isprintable():
        raise DelveError(
            f"{TOKEN_VARIABLE}: expected {FEWEST_CHARACTERS} or more characters, none of them strange, found "
            f"{len(told)}; `openssl rand -hex 24` makes a good one"
        )
    return told
