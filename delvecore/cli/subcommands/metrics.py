"""`delve metrics`: all metrics, or their values for a method."""

import os
from collections.abc import Sequence

from delvecore.cli.support.context import active_hierarchy, print_text
from delvecore.cli.support.manual import PREDICTIONS, SPECIFICATIONS, ManualParser, add_follow_links
from delvecore.cli.support.score_options import add_summary
from delvecore.errors import DelveError
from delvecore.render.numbers import significant
from delvecore.render.text import aligned

FORMATS = ("text", "csv")
LISTED = ("name", "better", "unit", "what it is", "formula", "other names")
VALUES = ("task", "metric", "instance", "value", "reason")
Value = tuple[str, str, int | None, float | None, str | None]
"""Values of VALUES; the instance is None for a reason that applies to a whole task."""


def main(arguments: Sequence[str]) -> int:
    parser = command()
    options = parser.parse_args(arguments)
    if options.summary and (options.method is None or options.format == "csv"):
        parser.error("--summary: expected a METHOD and --format text, the only format with summaries")
    import numpy as np

    from delvecore.archive.metrics import WHOLE, metric_rows
    from delvecore.cli.support.archives import open_places
    from delvecore.cli.support.places import method_of, path_text
    from delvecore.metrics.registry import computed_metrics, find_metric, known_name, summary_of
    from delvecore.render.csv import csv_text

    chosen = [] if options.metric else list(computed_metrics().values())
    for word in " ".join(options.metric or ()).replace(",", " ").split():
        name = known_name(word)
        measure = find_metric(name)
        if measure is None:
            raise DelveError(f"{name}: expected a metric, found none; delve metrics lists them")
        chosen.append(measure)
    is_text = options.format == "text"
    if options.method is None:
        listed = [
            (spec.name, spec.direction, spec.unit, spec.title, spec.formula, " ".join(spec.aliases))
            for spec in (measure.spec for measure in chosen)
        ]
        print_text(_aligned(LISTED, listed) if is_text else csv_text(LISTED, listed))
        return 0
    hierarchy = active_hierarchy(os.getcwd(), follow_links=options.follow_links)
    method = method_of(hierarchy, options.method)
    archive, places = open_places(options.paths, follow_links=options.follow_links)
    values: list[Value] = [
        (path_text(tuple(task)), name, None if instance == WHOLE else instance, value, reason)
        for name, rows_by_task in metric_rows(archive, chosen, places, method=method).items()
        for (_, *task), rows in rows_by_task.items()
        for instance, value, reason in rows
        if options.metric or value is not None
    ]
    if not values:
        where = ", ".join(map(path_text, places)) or "/"
        raise DelveError(f"{where}: expected results of {method}, found none; minfo {method} lists them")
    values.sort(key=lambda row: row[0])
    if not is_text:
        print_text(csv_text(VALUES, values))
        return 0
    heading, summary = summary_of(options.summary) if options.summary else ("mean", np.mean)
    by_task: dict[tuple[str, str], list[Value]] = {}
    for row in values:
        by_task.setdefault(row[:2], []).append(row)
    table = []
    for place, rows in by_task.items():
        numbers = [value for _, _, _, value, _ in rows if value is not None]
        shown = significant(summary(np.array(numbers)), 4) if numbers else "-"
        reasons = "; ".join(dict.fromkeys(reason for *_, reason in rows if reason))
        table.append((*place, shown, f"{len(numbers)} of {len(rows)}", reasons))
    print_text(_aligned(("task", "metric", heading, "instances", "why not"), table))
    return 0


def _aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(aligned([header, *rows], left=len(header))) + "\n"


def command() -> ManualParser:
    parser = ManualParser(
        "delve metrics",
        "list metrics, and print their values",
        description="List the metrics. Every option for losses accepts them, such as delve rank "
        "--loss F. Each metric has one number per instance, and a direction. For a METHOD, print their "
        "values: means over the instances of each task, or each instance with --format csv.",
        note="Settings follow a name: F:beta=2, tpr:positive=yes, totU:benefits=FILE. If a named "
        "metric has no value, the reason is printed.",
        files=(*SPECIFICATIONS, *PREDICTIONS[:2]),
        examples=(
            ("delve metrics", "List all metrics with their formulas."),
            ("delve metrics lin-1 /titanic", "Print the values for a method on the tasks of a dataset."),
            ("delve metrics lin-1 /demo/sex --metric F:beta=2", "Print one metric with a setting."),
        ),
    )
    parser.add_argument("method", nargs="?", metavar="METHOD", help="the name of a method with results")
    meaning = "tasks, prototasks or datasets: /titanic/survived/std.160, /titanic (default: all)"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=meaning)
    meaning = "these metrics only, as one argument separated by blanks or commas: 'acc F'"
    parser.add_argument("--metric", action="append", metavar="NAMES", help=meaning)
    add_summary(parser, "of the values over the instances, in place of their mean")
    parser.add_argument("--format", choices=FORMATS, default="text", help="output format (default: text)")
    add_follow_links(parser)
    return parser
