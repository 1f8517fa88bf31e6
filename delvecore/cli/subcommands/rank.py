"""`delve rank`: methods ranked over many tasks, with tests of their differences."""

from collections.abc import Sequence

from delvecore.answers.questions import QUESTIONS
from delvecore.cli.support.manual import ManualParser, add_scheduler
from delvecore.cli.support.ranking_options import add_ranked, check_ranked
from delvecore.errors import DelveError
from delvecore.render.formats import MOST_PAIRS, MOST_TESTS
from delvecore.render.numbers import integer

FIGURES = ("pdf", "svg", "png", "html")
FORMATS = ("text", "json", "csv", "latex")


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    check_ranked(options, parser)
    _check_figure(options.figure)
    from delvecore.cli.actions.rank import rank

    return rank(options, arguments)


def _check_figure(path: str | None) -> None:
    """Raise DelveError if a file's name does not end in a format that can be drawn here."""
    if path is None:
        return
    kind = path.rpartition(".")[2].lower()
    if kind not in FIGURES:
        raise DelveError(f"--figure {path}: expected a name that ends in .pdf, .svg, .png or .html")
    from delvecore.plots.pictures import can_draw

    if kind != "html" and not can_draw():
        browsers = "none; a figure in .html needs none"
        raise DelveError(f"--figure {path}: expected a Chromium or Chrome to draw with, found {browsers}")


def command() -> ManualParser:
    parser = ManualParser(
        "delve rank",
        "rank methods over many tasks, and test which differ",
        description="Rank methods over many tasks, and test all pairs by sign flips, a permutation test. "
        "Other tests are Friedman's with Iman and Davenport's, Quade's, Wilcoxon's signed-rank test, "
        "t-tests, Nemenyi's critical difference, Bonferroni-Dunn against a control, and Bayesian tests.",
        note="A TABLE.csv has tasks in its first column and the methods' names in its header; empty fields "
        "are missing values. Names such as age/std.128, or a column dataset, show which tasks are of "
        "one dataset. A column family shows which datasets belong together. Without a table, the "
        "standardized losses of an archive are ranked: those below each PATH, such as /demo, those of "
        "the named delve directories, or all.",
        files=(("TABLE.csv", "has tasks in its first column and the names of methods in its header."),),
        examples=(
            ("delve rank accuracies.csv --higher-is-better", "Rank the methods of a table."),
            (
                "delve rank --loss S --control lin-1",
                "Rank all methods of the archive, with lin-1 as the control.",
            ),
            ("delve rank /demo --format json", "Print all results for other programs."),
            ("delve rank scores.csv --figure cd.pdf", "Also draw the critical-difference diagram."),
            (
                "delve rank scores.csv --show order --figure order.pdf",
                "Draw the methods as rows in order of their ranks.",
            ),
        ),
    )
    add_ranked(parser)
    add = parser.add_argument
    about = "; ".join(f"{word}: {question.meaning}" for word, question in QUESTIONS.items())
    add("--show", choices=QUESTIONS, metavar="QUESTION", help=f"answer one question instead: {about}")
    add("--all", action="store_true", help="print all methods, pairs and groups as text, not only the first")
    meaning = (
        f"list all pairs in JSON (otherwise at most {integer(MOST_PAIRS)}), and test each pair on "
        f"every single task (otherwise at most {integer(MOST_TESTS)} tests)"
    )
    add("--pairs", action="store_true", help=meaning)
    add("--format", choices=FORMATS, default="text", help="output format (default: text)")
    meaning = (
        "draw the critical-difference diagram, or the figure of --show, into a file that ends in "
        ".pdf, .svg, .png or .html"
    )
    add("--figure", metavar="FILE", help=meaning)
    add_scheduler(parser, "test single tasks")
    return parser
