"""Address and visitors of the dashboard: names, prefix and token, for the server and its gate."""

import ipaddress
import os
import re
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from dashboard.server.sign_in import SignIn, read_sign_in
from delvecore.errors import DelveError

LOOPBACK = "127.0.0.1"
TOKEN = "token"
"""Name of the token in an address."""
TOKEN_VARIABLE = "DELVE_TOKEN"
"""The environment variable with a token that outlasts the server: for services and containers."""
FEWEST_CHARACTERS = 16
_EVERYWHERE = ("0.0.0.0", "::")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
_NAME = re.compile(r"(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?")


class Hosting(NamedTuple):
    """How the dashboard is served.

    Attributes
    ----------
    host, prefix : str
        Address to listen on, and prefix of all paths, such as `/delve`.
    trusted : tuple of str
        Further host names that visitors may use, `*.example.org` for all below a domain.
    token : str or None
        Secret that visitors need, None for open access. If visitors sign in, only programs need it.
    metrics : bool
        Whether the server reports counts of sessions and memory.
    has_fixed_token : bool
        Whether DELVE_TOKEN sets the token, so that it is not printed.
    sign_in : SignIn or None
        Settings of the sign-in with a provider.
    proxies : tuple of str
        Addresses and networks of proxies whose reports of TLS and visitors' addresses are trusted.
    """

    host: str = LOOPBACK
    prefix: str = ""
    trusted: tuple[str, ...] = ()
    token: str | None = None
    metrics: bool = False
    has_fixed_token: bool = False
    sign_in: SignIn | None = None
    proxies: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        is_number = _is(ipaddress.ip_address, self.host)
        return self.host == "localhost" or (is_number and ipaddress.ip_address(self.host).is_loopback)

    def answers_to(self, header: str | None) -> bool:
        """Does this Host header name this server?

        A server that listens on all addresses accepts the machine's name and any IP number. A foreign page
        can make its own host name resolve to this address, but not an IP number."""
        name = host_name(header)
        if name is None:
            return False
        names = {"localhost", LOOPBACK, "::1", self.host.lower(), *(one.lower() for one in self.trusted)}
        if self.host in _EVERYWHERE:
            names.add(socket.gethostname().lower())
            if _is(ipaddress.ip_address, name):
                return True
        return name in names or any(one.startswith("*.") and name.endswith(one[1:]) for one in names)

    def address(self, port: int, parameters: Mapping[str, str] | None = None) -> str:
        """Return the address to open. A generated token follows `#`: browsers do not send that part, and no
        log contains it."""
        named = socket.gethostname() if self.host in _EVERYWHERE else self.host
        place = f"http://{f'[{named}]' if ':' in named else named}:{port}"
        is_shown = self.token is not None and not self.has_fixed_token
        query = f"?{urlencode(parameters, quote_via=quote)}" if parameters else ""
        secret = f"#{urlencode({TOKEN: self.token}, quote_via=quote)}" if is_shown else ""
        return place + (f"{self.prefix}/{query}{secret}" if self.prefix or query or secret else "")


_chosen = [Hosting()]


def choose(hosting: Hosting) -> None:
    """Serve with these settings from now on. Called before the application is created."""
    _chosen[0] = hosting


def chosen() -> Hosting:
    """Return how the dashboard of this process is served."""
    return _chosen[0]


def hosting_of(
    *,
    host: str = LOOPBACK,
    prefix: str = "",
    trusted: Sequence[str] = (),
    token: bool | None = None,
    installs: bool = False,
    metrics: bool = False,
    sign_in: str | None = None,
    proxies: Sequence[str] = (),
) -> Hosting:
    """Return the settings for these options.

    token: True always requires one, False never; None requires one if other machines have access, or if
    visitors may install (`installs`). sign_in: file of settings for signing in with a provider, which
    replaces the token. Raises DelveError for an invalid address, prefix or name, for an easily guessed token
    of the environment, and for incomplete settings."""
    bare = prefix.strip("/")
    number = socket.AI_NUMERICHOST if _is(ipaddress.ip_address, host) else 0
    if not _is(lambda name: socket.getaddrinfo(name or None, None, flags=number), host):
        raise _wrong("--host", "an address of this machine, such as 127.0.0.1 or 0.0.0.0", host)
    if bare and not _PREFIX.fullmatch(f"/{bare}"):
        raise _wrong("--base-path", "a path such as /delve", prefix)
    for name in trusted:
        if not _NAME.fullmatch(name) and not _is(ipaddress.ip_address, name):
            names = "a name such as delve.example.org or *.example.org, without port"
            raise _wrong("--trusted-host", names, name)
    for proxy in proxies:
        if not _is(ipaddress.ip_network, proxy):
            places = "an address such as 127.0.0.1, or a network such as 172.17.0.0/16"
            raise _wrong("--trusted-proxy", places, proxy)
    made = Hosting(host, f"/{bare}" if bare else "", tuple(trusted), metrics=metrics, proxies=tuple(proxies))
    if sign_in is not None:
        fixed = _fixed_token()
        settings = read_sign_in(sign_in, prefix=made.prefix)
        return made._replace(sign_in=settings, token=fixed, has_fixed_token=fixed is not None)
    if token is False or (token is None and made.is_local and not installs):
        return made
    fixed = _fixed_token()
    return made._replace(token=fixed or secrets.token_urlsafe(24), has_fixed_token=fixed is not None)


def host_name(header: str | None) -> str | None:
    """Return the host name or IP number in a Host header, in lower case; None if there is none."""
    try:
        parts = urlsplit(f"//{header or ''}")
        _ = parts.port  # Raises ValueError for an invalid port.
    except ValueError:
        return None
    if parts.netloc != header or parts.username is not None or not parts.hostname:
        return None
    return parts.hostname.rstrip(".")


def _is(read: Callable[[str], object], text: str) -> bool:
    """Does this function accept the text without an error?"""
    try:
        read(text)
    except (ValueError, OSError):
        return False
    return True


def _wrong(option: str, expected: str, actual: str) -> DelveError:
    return DelveError(f"{option}: expected {expected}, found {actual!r}")


def _fixed_token() -> str | None:
    """Return the token in the environment variable, or None. Raises DelveError for an easily guessed
    token."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token is not None and (
        len(token) < FEWEST_CHARACTERS or not token.isascii() or not token.isprintable()
    ):
        raise DelveError(
            f"{TOKEN_VARIABLE}: expected {FEWEST_CHARACTERS} or more characters, all printable ASCII, found "
            f"{len(token)}; `openssl rand -hex 24` makes a good one"
        )
    return token
