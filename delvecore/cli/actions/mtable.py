"""`mtable`: a table of methods x tasks, with standardized losses, their errors, and tests."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace

import delvecore
from delvecore.archive import Archive
from delvecore.archive.score_tables import measure_ranked, paper_table
from delvecore.archive.views import methods_by_loss
from delvecore.cli.mtable import ALPHA, FORMATS
from delvecore.cli.support.archives import faults_of, open_scores, with_loss
from delvecore.cli.support.context import Session, print_text
from delvecore.cli.support.places import (
    Names,
    asked_names,
    chosen_names,
    datasets_of,
    here,
    method_of,
    path_text,
    places_of,
)
from delvecore.errors import DelveError
from delvecore.losses.spec import loss_order
from delvecore.losses.standard_losses import LOSSES
from delvecore.model import is_below
from delvecore.readers.specifications import method_names
from delvecore.render.document import with_readings
from delvecore.render.numbers import parameter
from delvecore.report.paper.source import tasks_below
from delvecore.report.paper.table import PaperRequest, methods_csv, paper_table_bytes
from delvecore.report.paper.values import task_levels
from delvecore.stats.choose import checked_level, level_of
from delvecore.tables import values_in

MOST_NAMED = 12
"""Largest number of methods that an error message lists."""


def show(session: Session, options: Namespace) -> None:
    scored = open_scores(options.paths, options)
    if scored is not None:
        archive, places = scored
        losses, request, form = _request_of_scores(archive, options)
        text = "\n".join(_tables(archive, losses, request, places or [()], form))
        print_text(with_readings(text, archive.readings, form))
        return
    losses, request, form = _request(session, options)
    hierarchy, directory = session.hierarchy, session.working_directory
    places = places_of(hierarchy, options.paths, directory) or [here(hierarchy, directory)]
    links, datasets = hierarchy.follow_links, datasets_of(places)
    archive = delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets)
    if faults := faults_of(archive):
        session.warn(faults)
    named = []
    for asked in losses:
        archive, loss = with_loss(archive, asked, places, command="mtable")
        named.append(loss or asked)
    print_text("\n".join(_tables(archive, named, request, places, form)))


_Asked = tuple[tuple[str, ...], PaperRequest, str]
"""The losses and metrics, none for all; the request that their tables share; and one of FORMATS."""


def _request(session: Session, options: Namespace) -> _Asked:
    known = method_names(session.tolerant)
    words = chosen_names([options.m or ""], known)
    methods = [method_of(session.hierarchy, word) for word in words]
    reference = method_of(session.hierarchy, options.r) if options.r is not None else None
    request, form = _common(options, methods, reference), _form(options)
    expected = f"losses among {' '.join(LOSSES)}, or specialized ones such as Z0.2N,"
    losses, metrics = asked_names(options.l, expected)
    return (*losses, *metrics), request, form


def _request_of_scores(archive: Archive, options: Namespace) -> _Asked:
    """Return the request for an archive of scores, whose methods and losses have other names."""
    known = values_in(archive.methods, "method")
    methods = chosen_names([options.m or ""], known)
    for name in (*methods, options.r):
        if name is not None and name not in known:
            raise DelveError(f"{name}: expected a method among {', '.join(known[:MOST_NAMED])}, found none")
    losses = tuple(measure_ranked(archive, name).key for name in (options.l or "").replace(",", " ").split())
    return losses, _common(options, methods, options.r), _form(options)


def _common(options: Namespace, methods: Sequence[str], reference: str | None) -> PaperRequest:
    """Return the request that all tables share. methods: include the reference; empty for all."""
    if options.m is not None and not methods:
        raise DelveError("expected names of methods after -m, found none")
    first = [reference] if methods and reference and reference not in methods else []
    chosen = tuple(dict.fromkeys([*first, *methods]))
    return PaperRequest(methods=chosen, reference=reference, level=_level(options), ranks=False, keep=chosen)


def _form(options: Namespace) -> str:
    form: str = FORMATS[0] if options.f is None else options.f
    if form not in FORMATS:
        raise DelveError(f"expected one of {', '.join(FORMATS)} after -f, found {form!r}")
    return form


def _level(options: Namespace) -> float:
    text = parameter(ALPHA) if options.a is None else options.a
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not 0 < alpha < 1:
        raise DelveError(f"expected a level between 0 and 1 after -a, found {text!r}")
    try:
        return checked_level(level_of(alpha))
    except ValueError:
        raise DelveError(f"expected a level of at most 0.5 after -a, found {text!r}") from None


def _tables(
    archive: Archive, wanted: Sequence[str], request: PaperRequest, places: Sequence[Names], form: str
) -> Iterator[str]:
    """Yield one table per loss, as `delve table` makes them, but without ranks and with full paths of
    tasks."""
    paths, first = tuple(map(path_text, places)), [request.reference] if request.reference else []
    tasks_below(paths, task_levels(archive))
    methods = methods_by_loss(archive, lambda task: is_below(task, places))
    if request.methods:
        methods = {loss: known.intersection(request.methods) for loss, known in methods.items()}
    losses = [loss for loss in wanted or sorted(methods, key=loss_order) if methods.get(loss)]
    if not losses:
        of = f" of {' '.join(request.methods)}" if request.methods else ""
        under = f" under {' '.join(wanted)}" if wanted else ""
        raise DelveError(f"{', '.join(paths)}: expected losses{of}{under}, found none; mloss makes them")
    for number, loss in enumerate(losses):
        chosen = request.methods or tuple(dict.fromkeys([*first, *sorted(methods[loss])]))
        asked = replace(request, paths=paths, loss=loss, methods=chosen)
        table = replace(paper_table(archive, asked), readings=())  # printed once, above all tables
        if form == "csv":
            # All losses share one header.
            measure = archive.measures[loss]
            yield methods_csv(table, measure, request.reference, has_header=not number).rstrip("\n")
        else:
            shown = table.with_paths if archive.paths else table
            yield paper_table_bytes(shown, form, bare=True).decode().rstrip("\n")
            yield ""
