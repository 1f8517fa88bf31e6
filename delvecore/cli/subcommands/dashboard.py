"""`delve dashboard`: serve the pages, by default on this machine only, and open the browser."""

import argparse
from collections.abc import Sequence
from importlib import import_module

from delvecore.cli.support.manual import ManualParser, add_follow_links
from delvecore.cli.support.score_options import add_scores, score_options


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    # Imported by name, because this package is below the dashboard and must not depend on it.
    serve = import_module("dashboard.server.serve").serve
    chosen = {"open_browser": options.browser, "use_cache": options.cache}
    chosen["follow_links"] = options.follow_links
    chosen |= {"scores": score_options(options), "mine": options.mine}
    hosting = import_module("dashboard.server.hosting").hosting_of(
        host=options.host,
        prefix=options.base_path,
        trusted=options.trusted_host,
        proxies=options.trusted_proxy,
        token=options.token,
        installs=options.allow_install,
        metrics=options.metrics,
        sign_in=options.sign_in,
    )
    chosen["allow_install"] = options.allow_install
    serve(options.paths, port=options.port, **chosen, hosting=hosting)
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve dashboard",
        "browse archives and compare methods in the browser",
        description="Browse DELVE archives, and tables of scores, in the browser.",
        examples=(
            ("delve dashboard", "Browse the active delve directories."),
            ("delve dashboard scores.csv", "Compare the methods of a table of scores."),
            (
                "delve dashboard --port 8600 --no-browser ~/delve",
                "Serve one delve directory at a fixed address.",
            ),
            ("delve dashboard s3://bucket/delve", "Browse a remote archive; gs:// and https:// work, too."),
            (
                "delve dashboard --host 0.0.0.0",
                "Serve a group of users; the address contains the token that they need.",
            ),
        ),
    )
    add = parser.add_argument
    meaning = (
        "a delve directory, a directory that contains some, a file of scores, or the web "
        "address of one of these"
    )
    add("paths", nargs="*", metavar="PATH", help=meaning)
    add("--port", type=_port, help="port (default: the first free one from 8501)")
    add(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="print the address, and do not open a browser",
    )
    add("--no-cache", dest="cache", action="store_false", help="do not read or write the cache")
    meaning = "let visitors install uploaded datasets and methods in the first writable PATH"
    add("--allow-install", action="store_true", help=meaning)
    _add_hosting(parser)
    meaning = (
        "mark this method as yours: it is bold on all pages, and the first line of each answer mentions it"
    )
    add("--mine", metavar="NAME", help=meaning)
    add_scores(parser)
    add_follow_links(parser)
    return parser


def _add_hosting(parser: ManualParser) -> None:
    """Add the options for hosting. docs/hosting.md has complete examples."""
    add = parser.add_argument
    meaning = (
        "address to listen on: 0.0.0.0 for all addresses of this machine (default: "
        "127.0.0.1, this machine only)"
    )
    add("--host", default="127.0.0.1", metavar="ADDRESS", help=meaning)
    meaning = "path prefix of all pages, such as /delve, if a proxy passes the prefix on"
    add("--base-path", default="", metavar="PATH", help=meaning)
    meaning = "host name under which visitors reach the server, such as *.example.org; may be repeated"
    add("--trusted-host", action="append", default=[], metavar="NAME", help=meaning)
    meaning = (
        "address or network of a trusted proxy that reports visitors' addresses and TLS; may be repeated"
    )
    add("--trusted-proxy", action="append", default=[], metavar="ADDRESS", help=meaning)
    token = parser.add_mutually_exclusive_group()
    meaning = (
        "require the token in the printed address; implied by --host and --allow-install; DELVE_TOKEN sets it"
    )
    token.add_argument("--token", action="store_true", default=None, help=meaning)
    meaning = "require no token: for servers behind a proxy that signs visitors in"
    token.add_argument("--no-token", dest="token", action="store_false", help=meaning)
    meaning = "let visitors sign in with an OpenID Connect provider; this file has the settings"
    token.add_argument("--sign-in", metavar="FILE", help=meaning)
    meaning = "report the number of sessions and the memory of caches at /_stcore/metrics"
    add("--metrics", action="store_true", help=meaning)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 65535, found {text!r}")
    return int(text)
