"""`delve dashboard`: serve the pages on this machine and open the browser."""

from collections.abc import Sequence

from delvecore.commands.frame.completers import any_of, directories, files, methods
from delvecore.commands.frame.manual import ManualParser, add_follow_links
from delvecore.commands.frame.scores import add_scores, score_options

__all__ = ["command", "main"]


def main(arguments: Sequence[str]) -> int:
    options = command().parse_args(arguments)
    from importlib import import_module

    # By name: this package stands below the dashboard and must not import it.
    serve = import_module("dashboard.server.serve").serve
    chosen = {"open_browser": options.browser, "use_cache": options.cache}
    chosen["follow_links"] = options.follow_links
    chosen |= {"scores": score_options(options), "mine": options.mine}
    serve(options.paths, port=options.port, **chosen, allow_install=options.allow_install)
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
        ),
    )
    add = parser.add_argument
    add(
        "paths", nargs="*", metavar="PATH", help="a delve directory, or one holding some; or a file of scores"
    )
    add("--port", type=_port, help="port on 127.0.0.1 (default: the first free one from 8501)")
    add("--no-browser", dest="browser", action="store_false", help="print the address only")
    add("--no-cache", dest="cache", action="store_false", help="neither read nor write the cache")
    meaning = "let visitors put uploaded datasets and methods into the first PATH that can be written"
    add("--allow-install", action="store_true", help=meaning)
    meaning = "mark this method as yours: bold on all pages, and in every first line"
    add("--mine", metavar="NAME", help=meaning)
    add_scores(add)
    add_follow_links(parser)
    parser.complete(paths=any_of(directories, files), mine=methods)
    return parser


def _port(text: str) -> int:
    import argparse

    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 65535, found {text!r}")
    return int(text)
