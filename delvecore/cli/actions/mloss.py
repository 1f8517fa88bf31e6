"""`mloss`: decode predictions and make loss files. Source: manual, section 7.5, appendix C."""

import contextlib
from argparse import Namespace
from collections.abc import Iterator, Sequence
from functools import partial

from delvecore.cli.support.context import Session
from delvecore.cli.support.places import TruePlace, each_task, task_places
from delvecore.errors import DelveError
from delvecore.losses.compute import LossBench, LossOutcome, LossRequest, write_task_losses
from delvecore.losses.method_task import open_method_task
from delvecore.losses.predictions import list_predictions
from delvecore.losses.spec import check_once, split_losses
from delvecore.losses.standard_losses import LOSSES
from delvecore.number_format.numbers import whole_number
from delvecore.parallel.cluster import carry_out_on, data_of
from delvecore.parallel.processes import CarryOut, carry_out_all, in_order
from delvecore.progress import Steps
from delvecore.writers.files import finish_writing

STEPS_OF_A_FILE = 3
"""Decoding the predictions, decoding the targets, creating the losses."""


def evaluate(session: Session, options: Namespace) -> None:
    instances, losses = _instances("all" if options.i is None else options.i), _losses(options.l)
    if options.j is not None and options.scheduler is not None:
        raise DelveError(
            "-j: expected no -j with --scheduler, because the cluster sets the number of processes"
        )
    processes = 1 if options.j is None else whole_number(options.j)
    if not processes:
        raise DelveError(f"-j: expected a number of processes of at least 1, found {options.j!r}")
    places = task_places(session, options, of_all=True)
    if not options.scheduler and min(processes, len(places)) == 1:
        each_task(places, options, partial(_compute, session, instances, losses))
        return
    carry_out: CarryOut[LossRequest, LossOutcome]
    if options.scheduler:
        wanted = [*data_of(session.hierarchy.roots), *(place.directory for place in places)]
        carry_out = carry_out_on(options.scheduler, LossBench, places=wanted)
    else:
        carry_out = partial(carry_out_all, bench=LossBench, workers=min(processes, len(places)))
    requests = _requests(session, instances, losses, places)
    with contextlib.closing(in_order(carry_out, requests)) as outcomes:
        each_task(places, options, partial(_write, session, outcomes))


def _compute(
    session: Session,
    instances: tuple[int, ...] | None,
    losses: tuple[str, ...] | None,
    place: TruePlace,
    progress: Steps,
) -> None:
    """Compute the losses of a task in this process. instances, losses: None for all."""
    predictions = list_predictions(session.hierarchy.files("methods", *place.names))
    progress.expect(STEPS_OF_A_FILE * len(predictions))
    task = open_method_task(session.hierarchy, *place.names)
    _, notes = write_task_losses(
        task, place.directory, losses=losses, instances=instances, progress=progress.step
    )
    _tell(session, progress, notes)


def _requests(
    session: Session,
    instances: tuple[int, ...] | None,
    losses: tuple[str, ...] | None,
    places: Sequence[TruePlace],
) -> Iterator[LossRequest]:
    """Yield a request for each task, up to one whose directory cannot be used."""
    hierarchy = session.hierarchy
    for place in places:
        try:
            finish_writing(place.directory)
        except DelveError:  # reported at its turn, as in one process
            return
        roots = tuple(hierarchy.roots)
        yield LossRequest(roots, hierarchy.follow_links, place.names, losses, instances)


def _write(
    session: Session, outcomes: Iterator[tuple[LossRequest, LossOutcome]], place: TruePlace, progress: Steps
) -> None:
    """Write the losses of a task that another process computes."""
    _, outcome = next(outcomes)
    progress.expect(len(outcome.steps))
    outcome.write(place.directory, progress=progress.step)
    _tell(session, progress, outcome.notes)


def _tell(session: Session, progress: Steps, notes: Sequence[str]) -> None:
    progress.bar.clear()
    for note in notes:
        session.warn(note)


def _instances(text: str) -> tuple[int, ...] | None:
    words = text.replace(",", " ").split()
    if words == ["all"]:
        return None
    numbers = [whole_number(word) for word in words]
    if not words or None in numbers:
        raise DelveError(f"-i: expected instance numbers such as '0 1 2', or all, found {text!r}")
    return tuple(sorted({number for number in numbers if number is not None}))


def _losses(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    with contextlib.suppress(ValueError):
        if names := split_losses(text):
            check_once(names)
            return names
    known = f"some of {', '.join(LOSSES)}, or specialized losses such as Z0.2N and Mcosts"
    raise DelveError(f"-l: expected {known}, found {text!r}")
