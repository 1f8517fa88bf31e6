"""`delve dashboard`: serve the pages, by default on this machine only, and open the browser."""

import argparse
from collections.abc import Sequence
from importlib import import_module

from delvecore.cli.support.manual import ManualParser, add_follow_links
from delvecore.cli.support.score_options import add_scores, score_options


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    # By name: this package is below the dashboard and must not import it.
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
            ("delve dashboard --port 8600 --no-browser ~/delve", "Serve one at a fixed address."),
            ("delve dashboard s3://bucket/delve", "Browse a remote archive; gs:// and https:// work, too."),
            ("delve dashboard --host 0.0.0.0", "Serve a group, which gets the token with the address."),
        ),
    )
    add = parser.add_argument
    meaning = "a delve directory, or one holding some; or a file of scores; or the address of one"
    add("paths", nargs="*", metavar="PATH", help=meaning)
    add("--port", type=_port, help="port (default: the first free one from 8501)")
    add("--no-browser", dest="browser", action="store_false", help="print the address only")
    add("--no-cache", dest="cache", action="store_false", help="neither read nor write the cache")
    meaning = "let visitors install uploaded datasets and methods in the first writable PATH"
    add("--allow-install", action="store_true", help=meaning)
    _add_hosting(parser)
    meaning = "mark this method as yours: bold on all pages, and in every first line"
    add("--mine", metavar="NAME", help=meaning)
    add_scores(parser)
    add_follow_links(parser)
    return parser


def _add_hosting(parser: ManualParser) -> None:
    """Add the options of hosting; docs/hosting.md has complete examples."""
    add = parser.add_argument
    meaning = "address to listen on: 0.0.0.0 for all of this machine (default: 127.0.0.1, this machine only)"
    add("--host", default="127.0.0.1", metavar="ADDRESS", help=meaning)
    meaning = "serve below this path, as a proxy passes it on: /delve"
    add("--base-path", default="", metavar="PATH", help=meaning)
    meaning = "host name of the server for visitors, also *.example.org; may be repeated"
    add("--trusted-host", action="append", default=[], metavar="NAME", help=meaning)
    meaning = "address or network of a trusted proxy that reports addresses and TLS; may be repeated"
    add("--trusted-proxy", action="append", default=[], metavar="ADDRESS", help=meaning)
    token = parser.add_mutually_exclusive_group()
    meaning = (
        "ask for the token in the printed address, as --host and --allow-install do; DELVE_TOKEN sets it"
    )
    token.add_argument("--token", action="store_true", default=None, help=meaning)
    meaning = "ask for no token: behind a proxy that signs visitors in"
    token.add_argument("--no-token", dest="token", action="store_false", help=meaning)
    meaning = "visitors sign in at a provider (OpenID Connect) with the settings in this file"
    token.add_argument("--sign-in", metavar="FILE", help=meaning)
    meaning = "serve counts of sessions and of memory in caches at /_stcore/metrics"
    add("--metrics", action="store_true", help=meaning)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 65535, found {text!r}")
    return int(text)
