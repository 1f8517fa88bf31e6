"""`delve table`: the table of a paper, in eight formats, with what reproduces it."""

import argparse
import os
from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import replace

from delvecore.archive.score_tables import measure_ranked, paper_table, usual_loss, with_chosen_metric
from delvecore.cli.support.archives import Opened, open_places, open_scores, with_loss
from delvecore.cli.support.context import print_bytes
from delvecore.cli.support.places import chosen_names, path_text
from delvecore.cli.support.score_options import score_options
from delvecore.errors import DelveError
from delvecore.losses.standard_losses import PREFERRED
from delvecore.render.csv import template_text
from delvecore.render.provenance import reading_words
from delvecore.report.paper.table import PaperRequest, PaperTable, paper_table_bytes
from delvecore.stats.choose import RankTest
from delvecore.tables import values_in
from delvecore.writers.files import write_atomically

AS_GIVEN = (
    *("loss", "reference", "methods_in", "raw", "level", "adjust", "unit", "ranks", "published", "digits"),
    *("top", "mine", "follow_links"),
)
"""Options that are fields of a request without a change."""


def write_table(options: Namespace) -> int:
    if options.template:
        archive, places = open_places(options.paths, follow_links=options.follow_links)
        text = template_text(archive.tasks, options.loss or PREFERRED[0], places)
        _write(text.encode(), options.output)
        return 0
    scored = open_scores(options.paths, options)
    table = _table_of_archive(options) if scored is None else _table_of_scores(scored, options)
    _write(paper_table_bytes(table, options.format, bare=options.bare), options.output)
    return 0


def _table_of_archive(options: argparse.Namespace) -> PaperTable:
    archive, places = open_places(options.paths, follow_links=options.follow_links)
    paths = tuple(map(path_text, places or [()]))
    archive, options.loss = with_loss(archive, options.loss, places, command="delve table")
    archive = archive.on(options.scheduler) if options.scheduler else archive
    return paper_table(archive, _request(options, paths, values_in(archive.methods, "method")))


def _table_of_scores(scored: Opened, options: argparse.Namespace) -> PaperTable:
    """Return the table of scores, with the errors of means over several instances."""
    archive, places = scored
    loss = measure_ranked(archive, options.loss or usual_loss(archive)).key
    known = values_in(archive.methods, "method")
    as_typed = {os.path.abspath(path): path for path in options.paths}
    request = replace(
        _request(options, tuple(map(path_text, places or [()])), known),
        loss=loss,
        files=tuple(as_typed.get(path, path) for path in archive.sources),
        reading=reading_words(score_options(options)),
    )
    table = paper_table(archive.on(options.scheduler) if options.scheduler else archive, request)
    if options.loss:
        return table
    return replace(table, readings=with_chosen_metric(archive, loss, table.readings))


def _request(options: argparse.Namespace, paths: Sequence[str], known: Collection[str]) -> PaperRequest:
    methods = tuple(chosen_names(options.methods, known))
    try:
        return PaperRequest(
            paths=tuple(dict.fromkeys(paths)),
            methods=methods,
            keep=methods,
            by=_words(options.by),
            marks=_words("" if options.marks == "none" else options.marks),
            test=RankTest[options.test.upper()],
            **{name: getattr(options, name) for name in AS_GIVEN},
        )
    except ValueError as error:
        raise DelveError(str(error)) from None


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys((text or "").replace(",", " ").split()))


def _write(content: bytes, path: str | None) -> None:
    if path is None:
        print_bytes([content])
    else:
        write_atomically(path, content, alone=False)
