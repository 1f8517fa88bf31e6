"""`delve training`: how networks were trained, next to published results."""

from collections.abc import Sequence
from dataclasses import replace

from delvecore.cli.support.context import print_text
from delvecore.cli.support.manual import TASK, ManualParser, add_follow_links
from delvecore.errors import DelveError
from delvecore.render.formats import ANSWER_FORMATS


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.half and options.search:
        parser.error("--half: expected no --search, which looks at single runs")
    from delvecore.answers.network_training import (
        HALF,
        better_half,
        difference_answer,
        search_answer,
        summary_answer,
    )
    from delvecore.archive.task_details import network_runs
    from delvecore.cli.support.archives import open_archive
    from delvecore.render.answers import answer_text

    archive, places = open_archive(options.paths, follow_links=options.follow_links)
    runs = [
        run
        for run in network_runs(archive, places)
        if not options.methods or run.method in options.methods.split(",")
    ]
    if not runs:
        where = " ".join(options.paths) or "/"
        remedy = "run some with delve run rprop-pivot-1"
        raise DelveError(f"{where}: expected networks with files Training.N, found none; {remedy}")
    runs = better_half(runs) if options.half else runs
    if options.test or options.search:
        answer = difference_answer(runs) if options.test else search_answer(runs)
    else:
        compact = options.format not in ("csv", "json")
        answer = summary_answer(runs, archive.published.to_pylist(), compact=compact)
    if options.half:
        answer = replace(answer, notes=(*answer.notes, HALF))
    print_text(answer_text(answer, options.format, label="tab:training"))
    return 0


def command() -> ManualParser:
    parser = ManualParser(
        "delve training",
        "print how networks were trained, and published results",
        description="Print, for each network on each task, errors of the training, validation and test "
        "sets, overfitting and epochs over the runs, and the published numbers for the task.",
        note="Runs are the instances of a task. delve import proben1 --runs sets their number.",
        files=((TASK + "Training.N", "records the training of a network."),),
        examples=(
            ("delve training /proben1-glass", "Compare with tables 3 to 11 of the PROBEN1 report."),
            (
                "delve training /proben1-glass --test",
                "Test which networks differ, as in table 12 of that report.",
            ),
            (
                "delve training /proben1-glass --search",
                "Choose among networks, as in tables 5 to 7 of that report.",
            ),
        ),
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        help="tasks, prototasks, datasets or delve directories (default: all)",
    )
    add("--methods", metavar="METHODS", help="only these methods, separated by commas")
    which = parser.add_mutually_exclusive_group()
    meaning = "test all pairs of networks on a task, by the logarithms of their test errors"
    which.add_argument("--test", action="store_true", help=meaning)
    meaning = "name the run with the lowest validation error of all networks on a task, and runs close to it"
    which.add_argument("--search", action="store_true", help=meaning)
    meaning = (
        "omit exactly half of the runs of each network on a task: those with the largest validation errors"
    )
    add("--half", action="store_true", help=meaning)
    add("--format", choices=tuple(ANSWER_FORMATS), default="text", help="output format (default: text)")
    add_follow_links(parser)
    return parser
