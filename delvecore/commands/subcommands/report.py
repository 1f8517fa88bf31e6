"""`delve report`: a ranking as a report that a paper could take over: methods, results, diagram, tables."""

import os
from collections.abc import Sequence

from delvecore.commands.frame.completers import files
from delvecore.commands.frame.context import print_text
from delvecore.commands.frame.manual import ManualParser
from delvecore.commands.frame.ranked import (
    add_ranked,
    analysis_of,
    find_ranked,
    provenance_of,
    ranked_request,
)
from delvecore.errors import DelveError

__all__ = ["command", "main"]

FORMS = {".html": "html", ".md": "md", ".tex": "tex", ".txt": "text"}
"""Formats, by the ending of the file's name."""


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    request, form = ranked_request(options, parser), _form(options.output)
    # Imported here: these need NumPy and Arrow, which --help need not wait for.
    from delvecore.library.ranking import Ranking
    from delvecore.report.ranking.asked import RankingReport
    from delvecore.report.shared_cases import shared_case_notes
    from delvecore.statistics.ranking.pair_verdicts import pair_verdicts
    from delvecore.writers.files import write_atomically

    ranked = find_ranked(request, command="delve report")
    found = analysis_of(ranked.table, request)
    said = shared_case_notes(ranked.archive.results, set(ranked.paths.values()))
    report = RankingReport(found, pair_verdicts(found, request.rank_test), None, said, top=request.top)
    about = provenance_of(ranked, request, ("report", *arguments))
    read = tuple(guess.text for guess in ranked.archive.guesses)
    text = Ranking(report, read).report(form, command=about.command(), provenance=about.lines())
    if options.output is None:
        print_text(text)
    else:
        write_atomically(options.output, text.encode(), alone=False)
    return 0


def _form(path: str | None) -> str:
    """Return the format that a file's name tells, text for none. Raises DelveError for another ending."""
    ending = os.path.splitext(path or ".txt")[1].lower() if path else ".txt"
    if ending not in FORMS:
        raise DelveError(f"--output {path}: expected a name that ends in {', '.join(FORMS)}")
    return FORMS[ending]


def command() -> ManualParser:
    parser = ManualParser(
        "delve report",
        "write a ranking as a report for a paper",
        description="Rank methods over many tasks, as delve rank does, and write it as a paper has it: a "
        "paragraph on methods, the results in words, the critical-difference diagram, tables of methods and "
        "pairs, and the command that makes it again.",
        note="The report is one file: its diagram is in it. LaTeX needs the package booktabs; tables, "
        "diagram and paragraphs can be taken over one by one.",
        files=(("scores.csv", "scores of methods on tasks, long or wide; see delve rank."),),
        examples=(
            ("delve report accuracies.csv --higher-is-better -o report.html", "Report on a table."),
            ("delve report /demo --loss S -o demo.tex", "Report on the tasks of a dataset in LaTeX."),
        ),
    )
    add_ranked(parser)
    meaning = f"write this file, by its ending: {', '.join(FORMS)} (default: text on standard output)"
    parser.add_argument("-o", "--output", metavar="FILE", help=meaning)
    parser.complete(output=files)
    return parser
