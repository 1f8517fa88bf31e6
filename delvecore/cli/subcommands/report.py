"""`delve report`: a ranking as a report for a paper: methods, results, diagram, tables."""

import os
from collections.abc import Mapping, Sequence

from delvecore.cli.support.context import print_text
from delvecore.cli.support.manual import ManualParser
from delvecore.cli.support.ranking_options import add_ranked, check_ranked, rank_test
from delvecore.errors import DelveError
from delvecore.render.formats import REPORT_FORMATS
from delvecore.stats.choose import SINGLE
from delvecore.writers.files import write_atomically


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    check_ranked(options, parser)
    output = options.output
    directory = output if output and (output.endswith(os.sep) or os.path.isdir(output)) else None
    ending = os.path.splitext(output)[1].lower() if output and not directory else ".txt"
    if ending not in REPORT_FORMATS:
        raise DelveError(f"--output {output}: expected a name that ends in {', '.join(REPORT_FORMATS)}")
    form = REPORT_FORMATS[ending]
    from delvecore.cli.support.ranked import analysis_of, find_ranked, provenance_of, readings_of
    from delvecore.library.bundle import bundle_files, bundle_zip
    from delvecore.library.ranking import Ranking
    from delvecore.report.ranking.ranking_report import RankingReport
    from delvecore.report.verdict_words import shared_case_notes
    from delvecore.stats.verdicts import pair_verdicts

    ranked = find_ranked(options, command="delve report")
    analysis = analysis_of(ranked.table, options)
    notes = shared_case_notes(ranked.archive.results, set(ranked.table.task_paths))
    verdicts, single = pair_verdicts(analysis, rank_test(options)), options.places == SINGLE
    report = RankingReport(analysis, verdicts, None, notes, top=options.top, single_places=single)
    about = provenance_of(ranked, options, ("report", *arguments))
    ranking = Ranking(report, readings=readings_of(ranked, options))
    words, lines = about.command(), about.lines()
    if options.bundle or directory:
        files = bundle_files(ranking, command=words, provenance=lines)
        if directory:
            os.makedirs(directory, exist_ok=True)
            _write({os.path.join(directory, name): content for name, content in files.items()})
        if options.bundle:
            _write({options.bundle: bundle_zip(files)})
    if output is None and not options.bundle:
        print_text(ranking.report(form, command=words, provenance=lines))
    elif output is not None and not directory:
        _write({output: ranking.report(form, command=words, provenance=lines).encode()})
    return 0


def _write(files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        write_atomically(path, content, alone=False)


def command() -> ManualParser:
    parser = ManualParser(
        "delve report",
        "write a ranking as a report for a paper",
        description="Rank methods over many tasks, as delve rank does, and write a report for a paper. "
        "The report has a paragraph on methods, the results in words, the critical-difference diagram, "
        "tables of methods and pairs, and the command that made the report.",
        note="The report is one file that includes the diagram. LaTeX needs the package booktabs. "
        "Tables, diagram and paragraphs can be copied one by one.",
        files=(("scores.csv", "scores of methods on tasks, long or wide; see delve rank."),),
        examples=(
            ("delve report accuracies.csv --higher-is-better -o report.html", "Report on a table."),
            ("delve report /demo --loss S -o demo.tex", "Report on the tasks of a dataset in LaTeX."),
            ("delve report /demo --loss S --bundle demo.zip", "Collect everything for a paper."),
        ),
    )
    add_ranked(parser)
    meaning = (
        f"write this file; its ending sets the format: {', '.join(REPORT_FORMATS)} (default: text "
        "on standard output)"
    )
    meaning += "; DIR/ writes the files of --bundle into a directory"
    parser.add_argument("-o", "--output", metavar="FILE", help=meaning)
    meaning = (
        "write everything for a paper into one file: paragraphs, caption, diagram as PDF, SVG, PNG and "
        "LaTeX, table, values, command, references in BibTeX"
    )
    parser.add_argument("--bundle", metavar="FILE.zip", help=meaning)
    return parser
