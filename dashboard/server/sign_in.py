"""Sign-in with an OpenID Connect provider, and the check of permitted visitors.

Addresses and cookie are Streamlit's. Streamlit leaves the check to a page; here the gate checks visitors
before it serves pages, files and websockets."""

import importlib.util
import json
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from delvecore.errors import DelveError, Fault, words_of_system

ADDRESSES = ("/auth/login", "/auth/logout", "/oauth2callback")
"""Paths by which Streamlit sends visitors to the provider and back; they are public."""
NEEDED = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
FEWEST_CHARACTERS = 32
DAYS = 1.0
"""Days after which a visitor must sign in again, so that the provider can refuse access."""


class SignIn(NamedTuple):
    """Settings of the sign-in.

    Attributes
    ----------
    path : str
        Path of the settings file, for Streamlit.
    secret : str
        Key that signs cookies.
    visitors : Mapping[str, tuple of str]
        Patterns of allowed values for fields of an account, such as `email`; one match suffices.
    """

    path: str
    secret: str
    visitors: Mapping[str, tuple[str, ...]]

    def claims(self, cookies: Mapping[str, str]) -> Mapping[str, Any] | None:
        """Return the provider's data about a visitor, or None without a recent sign-in."""
        from streamlit.auth_util import get_cookie_with_chunks
        from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
        from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

        def part(name: str) -> bytes | None:
            return decode_signed_value(self.secret, name, cookies.get(name, ""), max_age_days=DAYS)

        cookie = get_cookie_with_chunks(part, USER_COOKIE_NAME)
        claims: Mapping[str, Any] | None = json.loads(cookie) if cookie else None
        return claims

    def lets_in(self, claims: Mapping[str, Any]) -> bool:
        """Is a visitor with this account data allowed? An unverified e-mail address does not count."""
        is_unchecked = claims.get("email_verified") in (False, "false")
        return any(
            fnmatchcase(str(value).casefold(), pattern.casefold())
            for name, patterns in self.visitors.items()
            if claims.get(name) is not None and not (name == "email" and is_unchecked)
            for value in (claims[name] if isinstance(claims[name], list) else [claims[name]])
            for pattern in patterns
        )


def login_address(prefix: str) -> str:
    """Return an address of this server that redirects to the provider. It is valid for a few minutes."""
    from streamlit.auth_util import encode_provider_token

    return f"{prefix}/auth/login?provider={encode_provider_token('default')}"


def read_sign_in(path: str, *, prefix: str) -> SignIn:
    """Return the settings in a TOML file: `[auth]` as documented by Streamlit, and `[visitors]`.

    Raises DelveError if they are incomplete."""
    if importlib.util.find_spec("authlib") is None:
        raise DelveError("--sign-in: expected Authlib, found none; pip install 'authlib>=1.6' 'httpx>=0.27'")
    try:
        with open(path, "rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise Fault(path, "settings for signing in", words_of_system(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Fault(path, "settings for signing in, in TOML", str(error)) from error
    settings, visitors = (
        part if isinstance(part := content.get(name), dict) else {} for name in ("auth", "visitors")
    )
    for name in NEEDED:
        if not isinstance(settings.get(name), str) or not settings[name]:
            raise Fault(path, f"a text {name} in [auth]", "none")
    secret, back = settings["cookie_secret"], f"{prefix}{ADDRESSES[-1]}"
    if len(secret) < FEWEST_CHARACTERS:
        expected = f"a cookie_secret of {FEWEST_CHARACTERS} or more characters"
        raise Fault(path, expected, str(len(secret)), "make one with openssl rand -hex 32")
    if not settings["redirect_uri"].endswith(back):
        raise Fault(path, f"a redirect_uri that ends in {back}", settings["redirect_uri"])
    if not visitors or not all(one and isinstance(one, list) for one in visitors.values()):
        how = 'name those who may visit: email = ["*@example.org"], or ["*"] for all accounts of the provider'
        raise Fault(path, "lists of patterns in [visitors]", "none", how)
    return SignIn(path, secret, {name: tuple(map(str, one)) for name, one in visitors.items()})
