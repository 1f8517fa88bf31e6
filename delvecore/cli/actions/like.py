"""`delve like`: which tasks of an archive are like a file of cases, and which methods win on them."""

from argparse import Namespace
from collections.abc import Sequence

import delvecore
from delvecore.cli.actions.import_cases import column_types, opened_source
from delvecore.cli.subcommands.like import SHOWN
from delvecore.cli.support.archives import open_archive
from delvecore.cli.support.context import print_text
from delvecore.importers.in_memory import ONE_NAME
from delvecore.importers.plan import ImportOptions, plan_import
from delvecore.importers.similar_tasks import SimilarTasks, similar_tasks
from delvecore.importers.source import MISSING
from delvecore.metrics.registry import known_name
from delvecore.names import one_line
from delvecore.readers.hierarchy import find_directories
from delvecore.render.answers import answer_text
from delvecore.render.csv import csv_comment
from delvecore.render.provenance import command_line
from delvecore.render.spans import plain
from delvecore.render.text import fold


def like(options: Namespace, arguments: Sequence[str]) -> int:
    source = opened_source(options)
    plan = plan_import(
        source,
        ImportOptions(
            targets=options.target or (),
            types=column_types(options.type or (), source),
            missing=MISSING if options.missing is None else options.missing,
            name=ONE_NAME,
            group=options.group,
        ),
    )
    follow_links = options.follow_links
    if options.paths:
        archive = delvecore.open(find_directories(options.paths), follow_links=follow_links)
    else:
        archive = open_archive((), follow_links=follow_links)[0]
    similar = similar_tasks(
        plan,
        archive,
        loss=None if options.loss is None else known_name(options.loss),
        nearest=options.nearest,
        command=command_line(("delve", "like", *arguments)),
    )
    print_text(_text(similar, options.format, options.show or SHOWN[0]))
    return 0


def _text(similar: SimilarTasks, form: str, shown: str) -> str:
    """Return the printed text, with the assumptions first."""
    if form == "json":
        return similar.to_json()
    if form == "text":
        assumed = "\n".join(line for one in similar.assumed for line in fold(plain(one_line(one)), ""))
        return "\n".join([assumed, "", answer_text(similar.tasks, form), answer_text(similar.methods, form)])
    answer = answer_text(similar.methods if shown == "methods" else similar.tasks, form, label="tab:like")
    if form == "csv":
        return "".join(map(csv_comment, [*similar.assumed, similar.nearness.sentence])) + answer
    return answer
