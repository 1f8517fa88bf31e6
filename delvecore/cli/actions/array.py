"""`delve array`: the numbers of a task-array, as the Task-arrays page shows them."""

import os
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import delvecore
from delvecore.answers.answer import Answer
from delvecore.answers.task_array import array_label, definition
from delvecore.archive import Archive
from delvecore.archive.score_tables import content_state, with_chosen_metric, with_unranked
from delvecore.archive.views import ArrayView, task_array
from delvecore.cli.subcommands.array import DEFINITION
from delvecore.cli.support.archives import open_scores, with_loss
from delvecore.cli.support.context import active_hierarchy, print_text
from delvecore.cli.support.places import chosen_names, setting_of
from delvecore.errors import DelveError
from delvecore.model import TaskArray
from delvecore.readers.array import read_array
from delvecore.readers.hierarchy import Hierarchy
from delvecore.render.answers import answer_text, records
from delvecore.render.csv import csv_comment
from delvecore.render.document import reading_records, with_readings
from delvecore.render.json import json_text
from delvecore.render.numbers import counted
from delvecore.render.provenance import command_line, digest_of, latex_comment, provenance_lines
from delvecore.report.ranking.sentences import run_record, run_sentences
from delvecore.score_tables.score_file import Reading
from delvecore.tables import values_in

INFINITE = (float("inf"), -float("inf"))


def print_array(options: Namespace, arguments: Sequence[str]) -> int:
    archive, name = _archive(options)
    if name is None:
        return _list_arrays(archive)
    array, form = task_array(archive, name), options.format
    if options.table == DEFINITION:
        record = {"array": array.name, "title": array.title, "rows": records(definition(array).table)}
        print_text(json_text(record) if form == "json" else _text(definition(array), array, form))
        return 0
    archive, loss = with_loss(archive, options.loss, command="delve array")
    methods = chosen_names(options.methods, values_in(archive.methods, "method"))
    about = {"methods": methods, "reference": options.reference, "setting": setting_of(options)}
    view = archive.array(name, loss=loss, **about)
    answer = view.answer(options.table, order=options.order, scale=options.loss_scale)
    runs = view.results.runs
    readings = with_unranked(archive.readings, runs)
    readings = readings if loss else with_chosen_metric(archive, view.measure.key, readings)
    text = _json(answer, view, options, readings) if form == "json" else _text(answer, array, form)
    if form == "latex":
        names = ", ".join(map(os.path.basename, archive.sources))
        origin = {"state": content_state(archive), "digest": digest_of(answer.table.rows)}
        line = command_line(("delve", "array", *arguments))
        text = latex_comment(provenance_lines(line, names, **origin)) + text
    comments = "".join(map(csv_comment, run_sentences(runs))) if form == "csv" else ""
    print_text(with_readings(comments + text, readings, form))
    return 0


def _text(answer: Answer, array: TaskArray, form: str) -> str:
    return answer_text(answer, form, label=array_label(array, answer.question))


def _json(answer: Answer, view: ArrayView, options: Namespace, readings: Sequence[Reading]) -> str:
    array, runs = view.array, run_record(view.results.runs)
    levels = records(definition(array).table)
    facts: dict[str, Any] = {
        "read": reading_records(readings),
        "array": array.name,
        "title": array.title,
        "levels": levels,
        "loss": view.measure.key,
        "runs": runs,
    }
    facts |= {name: getattr(options, name) for name in ("table", "reference", "level", "adjust")}
    # JSON knows no infinity: it becomes the text `inf` or `-inf`.
    rows = [
        {name: str(value) if value in INFINITE else value for name, value in row.items()}
        for row in records(answer.table)
    ]
    return json_text({**facts, "rows": rows})


def _archive(options: Namespace) -> tuple[Archive, str | None]:
    """Return the archive, and the name of the array in it; None if none is named."""
    given = [path for path in (options.array, *options.paths) if path is not None]
    scored = open_scores(given, options)
    if scored is None:
        hierarchy, name = active_hierarchy(os.getcwd()), options.array and options.array.strip("/")
        datasets, links = _datasets(hierarchy, name) if name else None, options.follow_links
        return delvecore.open(hierarchy.roots, follow_links=links, datasets=datasets), name
    archive, places = scored
    return archive, next(iter(map("/".join, places)), None)


def _datasets(hierarchy: Hierarchy, name: str) -> set[str] | None:
    """Return the available datasets of an array; None if it cannot be read, which is reported later."""
    try:
        members = read_array(hierarchy, name).members
    except DelveError:
        return None
    return {one.dataset for one in members}.intersection(hierarchy.subdirectories("data"))


def _list_arrays(archive: Archive) -> int:
    if not archive.arrays:
        remedy = "an Array.spec in a directory of data describes one"
        raise DelveError(f"expected a task-array, found none; {remedy}")
    width = max(len(array.name) for array in archive.arrays)
    for array in archive.arrays:
        factors = ", ".join(factor.name for factor in array.factors)
        members = counted(len(array.members), "member")
        print_text(f"{array.name:{width}}  {array.title} ({members}; {factors})")
    return 0
