"""`delve publish`: a static site of an archive or of scores, for the supplement of a paper."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.ranking_options import add_ranked, check_ranked
from delvecore.errors import DelveError


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    check_ranked(options, parser)
    _check_address(options.dashboard)
    from delvecore.cli.actions.publish import publish

    return publish(options, arguments)


def _check_address(address: str | None) -> None:
    if address is not None and urlsplit(address).scheme not in ("http", "https"):
        raise DelveError(f"--dashboard {address}: expected an address that begins with http:// or https://")


def command() -> ManualParser:
    parser = ManualParser(
        "delve publish",
        "write a static site of an archive or of scores",
        description="Write a site for the supplement of a paper: leaderboard, ranking with its diagram and "
        "all pairs, task-arrays, tasks, datasets, methods and tables. It needs no server: open index.html, "
        "or copy the directory to any host, such as GitHub Pages.",
        note="Each table can be downloaded as CSV, JSON and LaTeX, each figure as SVG. Pages load nothing "
        "from other hosts. The site is written next to DIR and takes its place when it is complete. A "
        "directory with other files than those of a published site is refused.",
        files=(
            ("DIR/index.html", "is the first page."),
            ("DIR/.delve-site", "lists the files of the site."),
        ),
        examples=(
            ("delve publish site", "Publish the archive."),
            ("delve publish site accuracies.csv --higher-is-better", "Publish a table of scores."),
            (
                "delve publish site --dashboard https://delve.example.org",
                "Link each page to the same view of a dashboard.",
            ),
        ),
    )
    parser.add_argument(
        "directory", metavar="DIR", help="the directory of the site, which is made if it is new"
    )
    add_ranked(parser)
    meaning = "address of a dashboard with the same data, which pages link"
    parser.add_argument("--dashboard", metavar="URL", help=meaning)
    return parser
