"""Cached tables about one dataset, made from the archive: see `dashboard.server.archive` for the rules."""

import re
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from dashboard.datasets.listing import best_methods, input_words, listed, missing_share
from dashboard.server import archive as opened
from dashboard.server.archive import Row
from dashboard.server.cache import cached
from delvecore.answers import dataset_cases
from delvecore.answers.answer import Answer, Table, table_of
from delvecore.answers.dataset_cases import (
    BAR_COLUMNS,
    PrototaskView,
    beside_text,
    miniature,
    read_prototask_view,
    value_counts,
)
from delvecore.answers.dataset_structure import structure_answer
from delvecore.archive import Archive
from delvecore.encoding.encode import TaskPlan, plan_task, suited
from delvecore.encoding.prototask_cases import held_cases
from delvecore.errors import DelveError
from delvecore.importers.export import export_bytes, export_table
from delvecore.packaging.pack import pack_dataset
from delvecore.plots.cases import case_map_figure
from delvecore.plots.figure import Figure
from delvecore.readers.specifications import prior_names, read_dataset, read_prior, read_prototask
from delvecore.render.csv import csv_of_table
from delvecore.report import words

LONGEST_TITLE = 70


FIRST_CASES, ENCODED_CASES = 200, 3
COMMONALITY, STANDARD_PRIOR = "commonality", "std"
PRIOR_PARTS = {"type": "type", "levels": "relevance or noise", "default_coding": "coding"}


def rows_of(archive: Archive, table: str, dataset: str, prototask: str | None = None) -> list[Row]:
    """Return the rows of one dataset, or of one prototask, in the archive's order."""
    return [
        row
        for row in opened.rows(archive, table)
        if row["dataset"] == dataset and prototask in (None, row.get("prototask"))
    ]


@cached
def cases_or_reason(archive: Archive, dataset: str) -> tuple[pa.Table | None, str | None]:
    try:
        return archive.cases(dataset), None
    except DelveError as error:
        return None, str(error)


@cached
def first_cases(archive: Archive, dataset: str) -> pd.DataFrame:
    """Return the first cases and their commonality indexes. Missing and censored values are marked."""
    cases, _ = cases_or_reason(archive, dataset)
    table = cases.slice(0, FIRST_CASES) if cases is not None else pa.table({})
    names = [name for name in table.column_names if not name.endswith((" missing", " censored"))]
    if COMMONALITY in names:
        names.insert(1, names.pop(names.index(COMMONALITY)))
    order = [column for name in names for column in (name, f"{name} missing", f"{name} censored")]
    shown = table.select([column for column in order if column in table.column_names])
    return shown.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


@cached
def cases_fault(archive: Archive, names: tuple[str, ...]) -> str | None:
    """Return the reason why `cases_file` cannot write the cases; None if it can."""
    try:
        export_table(archive.hierarchy, names)
    except DelveError as error:
        return str(error)
    return None


def cases_file(archive: Archive, names: Sequence[str], form: str) -> bytes:
    """Return all cases of a dataset, or of a prototask in its order, as `delve export` writes them.

    names: of the dataset, or of the dataset and prototask; form: parquet, arff, or csv without text that a
    spreadsheet would execute."""
    table = export_table(archive.hierarchy, names)
    if form == "csv":
        return csv_of_table(table).encode()
    return b"".join(export_bytes(table, form, name="-".join(names)))


def dataset_file(archive: Archive, dataset: str) -> bytes:
    """Return the archive file DATASET.tar.gz, as `delve pack` writes it."""
    with tempfile.TemporaryDirectory() as place:
        pack_dataset(archive.hierarchy, dataset, place)
        return Path(place, f"{dataset}.tar.gz").read_bytes()


def title_of(archive: Archive, dataset: str) -> str:
    """Return a title such as `titanic: 2,201 cases, 3 categorical inputs`, as plain text."""
    row = _row_of(archive, dataset)
    if row["attributes"] is None:
        return dataset
    facts = [] if row["cases"] is None else [words.count(row["cases"], "case")]
    if kinds := input_words(row):
        facts.append(f"{kinds} input{'s' * (sum(row['inputs'].values()) > 1)}")
    return f"{dataset}: {', '.join(facts)}" if facts else dataset


def about(archive: Archive, dataset: str) -> str:
    """Return a text such as `Who survived? knn-cv-1 is best on most tasks.`, empty if nothing is known."""
    title = _phrase(_row_of(archive, dataset)["title"] or "").rstrip(".")
    sentences = [f"{title}{'' if title.endswith(('?', '…')) else '.'}"] if title else []
    best = best_methods(archive)
    if dataset in best.index:
        sentences.append(f"{best.at[dataset, 'sentence']}.")
    return " ".join(sentences)


def _row_of(archive: Archive, dataset: str) -> Row:
    return next(row for row in listed(archive) if row["dataset"] == dataset)


def _phrase(title: str) -> str:
    """Return the first phrases of a long title, without cutting one if possible."""
    whole = re.match(rf"(.{{20,{LONGEST_TITLE}}})[,:;(]", title) if len(title) > LONGEST_TITLE else None
    return whole[1].strip() if whole else textwrap.shorten(title, LONGEST_TITLE, placeholder=" …")


@cached
def attribute_table(archive: Archive, dataset: str) -> pd.DataFrame:
    """Return a table of the attributes, with the distribution of each as a list of counts."""
    cases, _ = cases_or_reason(archive, dataset)
    count, types = None if cases is None else cases.num_rows, _types(archive, dataset)
    table = [
        {
            **{name: row[name] for name in ("number", "attribute")},
            "distribution": [] if cases is None else miniature(cases, row["attribute"]),
            "kind": row["kind"],
            "types": ", ".join(types.get(row["attribute"], ())),
            **{name: row[name] for name in ("control", "range")},
            "missing": missing_share(row["missing"], count),
            "reasons": beside_text(cases, row["attribute"], "missing"),
            "censored": missing_share(row["censored"], count),
            "bounds": beside_text(cases, row["attribute"], "censored"),
            **{name: row[name] for name in ("minimum", "maximum", "description")},
        }
        for row in rows_of(archive, "attributes", dataset)
    ]
    return pd.DataFrame(table)


def _types(archive: Archive, dataset: str) -> dict[str, dict[str, None]]:
    """Return the types that priors assign to each attribute, by name, with the standard prior's first."""
    types: dict[str, dict[str, None]] = {}
    rows = rows_of(archive, "priors", dataset)
    for row in sorted(rows, key=lambda row: row["prior"] != STANDARD_PRIOR):
        types.setdefault(row["attribute"], {})[row["type"]] = None
    return types


@cached
def distribution(archive: Archive, dataset: str, attribute: str) -> Table:
    cases, _ = cases_or_reason(archive, dataset)
    return table_of([], BAR_COLUMNS) if cases is None else value_counts(cases, attribute)


@cached
def view_of(archive: Archive, dataset: str, prototask: str) -> PrototaskView:
    """Return how the tasks of a prototask use its cases, and their special properties."""
    tasks = rows_of(archive, "tasks", dataset, prototask)
    return read_prototask_view(archive.hierarchy, dataset, prototask, tasks)


@cached
def case_map(archive: Archive, dataset: str, prototask: str) -> tuple[pd.DataFrame, int]:
    """Return the cases in each set for each training size, and the cases per strip of the figure."""
    view = view_of(archive, dataset, prototask)
    return dataset_cases.case_map(view.tasks, view.case_count)


@cached
def case_map_drawn(archive: Archive, dataset: str, prototask: str) -> Figure:
    return case_map_figure(case_map(archive, dataset, prototask)[0])


@cached
def prior_table(archive: Archive, dataset: str, prototask: str) -> pd.DataFrame:
    """Return the priors of a prototask side by side: one row per attribute, with type, levels, coding and
    columns."""
    table: dict[tuple[str, int], dict[str, Any]] = {}
    priors = rows_of(archive, "priors", dataset, prototask)
    with_options = {row["prior"] for row in priors if row["options"] or row["default_options"]}
    for row in sorted(priors, key=lambda row: row["prior"] != STANDARD_PRIOR):
        start = {"attribute": row["attribute"], "role": row["role"]}
        line, prior = table.setdefault((row["role"], row["number"]), start), row["prior"]
        parts = {**row, "levels": words.prior_levels(row["levels"])}
        line |= {f"{prior}: {title}": parts[name] for name, title in PRIOR_PARTS.items()}
        options = [text for text in (row["options"], row["default_options"]) if text]
        if prior in with_options:
            line[f"{prior}: options"] = " ".join(dict.fromkeys(options))
        line[f"{prior}: columns"] = len(row["columns"])
    return pd.DataFrame(list(table.values()))


@cached
def prior_texts(archive: Archive, dataset: str, prototask: str) -> dict[str, str]:
    """Return the prior knowledge of a prototask as text, for all priors that have some."""
    hierarchy = archive.hierarchy
    try:
        facts = read_dataset(hierarchy, dataset)
        problem = read_prototask(hierarchy, facts, prototask)
        names = prior_names(hierarchy, dataset, prototask)
        priors = [read_prior(hierarchy, facts, problem, name, report=lambda _: None) for name in names]
    except DelveError:
        return {}
    return {name: one.about for name, one in zip(names, priors, strict=True) if one.about}


@cached
def structure(archive: Archive, dataset: str) -> Answer:
    """Attributes and inputs of each prototask by kind."""
    return structure_answer(archive.hierarchy, (dataset,))


@cached
def encoded_or_reason(
    archive: Archive, dataset: str, prototask: str, prior: str, training_size: int
) -> tuple[pd.DataFrame | None, str | None]:
    """Return (the first cases of training set 0 as a run encodes them, None), or (None, reason).

    The table has one row per encoded column: its role, attribute and coding, and for each case the value and
    its code."""
    hierarchy = archive.hierarchy
    try:
        facts = read_dataset(hierarchy, dataset)
        problem = read_prototask(hierarchy, facts, prototask)
        assumed = read_prior(hierarchy, facts, problem, prior)
        cases = held_cases(hierarchy, facts, problem)
        plan = suited(plan_task(hierarchy, cases, assumed, training_size))
        roles = (("input", plan.inputs), ("target", plan.targets))
        rows = [row for role, numbers in roles for number in numbers for row in _encoded(plan, role, number)]
    except DelveError as error:
        return None, str(error)
    return pd.DataFrame(rows), None


def _encoded(plan: TaskPlan, role: str, number: int) -> Iterator[dict[str, Any]]:
    instance, coding = plan.instances[0], plan.codings[number]
    attribute, positions = plan.cases.dataset.attribute(number), instance.training[:ENCODED_CASES]
    words = [plan.cases.columns[number].words[position] for position in positions]
    columns = plan.texts((number,), positions, plan.constants(instance), instance.training)
    numbers = plan.cases.case_numbers[positions]
    used = " ".join((coding.coding, *map("=".join, coding.options)))
    for name, codes in zip(plan.names((number,)), columns, strict=True):
        row: dict[str, Any] = {"column": name, "role": role, "attribute": attribute.name, "coding": used}
        for case, word, code in zip(numbers, words, codes, strict=True):
            row |= {f"case {case}": word, f"case {case} coded": code}
        yield row
